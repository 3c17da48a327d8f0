import Cameras
import Synchronization
import Timebase

/// A tap of a session that can be closed.
protocol ClosableTap: Sendable {
  /// Closes the tap.
  func close()
}

/// A session's taps of one kind.
final class TapList<Tap: ClosableTap>: Sendable {
  private struct State {
    var taps: [Tap] = []
    var isClosed = false
  }

  private let state = Mutex(State())

  /// Adds `tap`, or closes it at once if the session has ended.
  func add(_ tap: Tap) {
    let isLate = state.withLock { state in
      if !state.isClosed { state.taps.append(tap) }
      return state.isClosed
    }
    if isLate { tap.close() }
  }

  /// Calls `offer` with each tap, and removes those that are closed.
  private func forEach(_ offer: (Tap) -> Bool) {
    state.withLock { state in
      guard !state.taps.isEmpty else { return }
      state.taps.removeAll { !offer($0) }
    }
  }

  fileprivate var all: [Tap] { state.withLock { $0.taps } }

  /// Closes every tap.
  func close() {
    let taps = state.withLock { state in
      defer { state.taps = [] }
      state.isClosed = true
      return state.taps
    }
    for tap in taps { tap.close() }
  }
}

extension FrameTap: ClosableTap {}
extension AudioTap: ClosableTap {}

extension TapList<FrameTap> {
  /// Waits until all clients have processed their frames.
  func catchUp() { for tap in all { tap.catchUp() } }

  /// Offers the newest frame to every tap. Called by the writer.
  func offer(
    _ payload: UnsafeRawBufferPointer, _ record: RingRecord, _ configuration: StreamConfiguration,
    at now: Instant, waits: Bool
  ) {
    forEach { $0.offer(payload, record, configuration, at: now, waits: waits) }
  }
}

extension TapList<AudioTap> {
  /// Offers samples to every tap.
  func offer(_ stretch: AudioStretch) {
    forEach { $0.offer(stretch) }
  }
}
