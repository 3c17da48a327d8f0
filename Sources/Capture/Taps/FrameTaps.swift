import Cameras
import Synchronization

/// The taps of a session.
final class FrameTaps: Sendable {
  private let taps = Mutex<[FrameTap]>([])

  /// Shows frames to `tap` from now on.
  func add(_ tap: FrameTap) { taps.withLock { $0.append(tap) } }

  /// Shows the newest frame to every tap that wants it. The writer's; never waits for a tap.
  func offer(
    _ payload: UnsafeRawBufferPointer, _ record: RingRecord, _ configuration: StreamConfiguration,
    at now: Int64
  ) {
    taps.withLock { taps in
      taps.removeAll { !$0.offer(payload, record, configuration, at: now) }
    }
  }

  /// Tells every tap that no frame will come.
  func close() {
    taps.withLock { taps in
      for tap in taps { tap.close() }
      taps = []
    }
  }
}
