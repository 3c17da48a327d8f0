import Cameras
import Synchronization
import Timebase

/// The taps of a session.
final class FrameTaps: Sendable {
  private struct State {
    var taps: [FrameTap] = []
    var isClosed = false
  }

  private let state = Mutex(State())

  /// Shows frames to `tap` from now on; closes it at once where no frame will come any more.
  func add(_ tap: FrameTap) {
    let isLate = state.withLock { state in
      if !state.isClosed { state.taps.append(tap) }
      return state.isClosed
    }
    if isLate { tap.close() }
  }

  /// Shows the newest frame to every tap that wants it. The writer's; never waits for a tap.
  func offer(
    _ payload: UnsafeRawBufferPointer, _ record: RingRecord, _ configuration: StreamConfiguration,
    at now: Instant
  ) {
    state.withLock { state in
      state.taps.removeAll { !$0.offer(payload, record, configuration, at: now) }
    }
  }

  /// Tells every tap that no frame will come.
  func close() {
    let taps = state.withLock { state in
      defer { state.taps = [] }
      state.isClosed = true
      return state.taps
    }
    for tap in taps { tap.close() }
  }
}
