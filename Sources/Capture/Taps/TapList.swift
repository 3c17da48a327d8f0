import AudioModel
import Cameras
import Synchronization
import Timebase

/// A look at what a session records, which ends some time.
protocol ClosableTap: Sendable {
  /// Ends it.
  func close()
}

/// The taps of one kind that a session has.
final class TapList<Tap: ClosableTap>: Sendable {
  private struct State {
    var taps: [Tap] = []
    var isClosed = false
  }

  private let state = Mutex(State())

  /// Shows what comes to `tap` from now on; closes it at once where nothing will come any more.
  func add(_ tap: Tap) {
    let isLate = state.withLock { state in
      if !state.isClosed { state.taps.append(tap) }
      return state.isClosed
    }
    if isLate { tap.close() }
  }

  /// Offers something to each tap, and forgets those that answer that they are closed.
  private func forEach(_ offer: (Tap) -> Bool) {
    state.withLock { state in
      guard !state.taps.isEmpty else { return }
      state.taps.removeAll { !offer($0) }
    }
  }

  fileprivate var all: [Tap] { state.withLock { $0.taps } }

  /// Tells every tap that nothing will come.
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
  /// Waits until all who follow taps have looked at what they were shown.
  func catchUp() { for tap in all { tap.catchUp() } }

  /// Shows the newest frame to every tap that wants it. The writer's.
  func offer(
    _ payload: UnsafeRawBufferPointer, _ record: RingRecord, _ configuration: StreamConfiguration,
    at now: Instant, waits: Bool
  ) {
    forEach { $0.offer(payload, record, configuration, at: now, waits: waits) }
  }
}

extension TapList<AudioTap> {
  /// Shows samples to every tap that wants them.
  func offer(_ bytes: [UInt8], at time: Instant, _ format: AudioFormat) {
    forEach { $0.offer(bytes, at: time, format) }
  }
}
