import Cameras
import Platform
import Timebase

/// A monitor of a session's frames: the newest one, at a limited rate, best effort.
///
/// The writer fills a mailbox of one slot if it is empty; the client empties it on its own thread. A client
/// that hangs or reads nothing misses its own frames, with no other effect. The capture thread does not know
/// of the tap. Only in virtual time does the session wait, so that a client that calls ``next()`` sees every
/// frame that it asked for.
public final class FrameTap: Sendable {
  /// The state of the client that calls ``next()``.
  private enum Follower {
    /// There is no such client.
    case none
    /// The client is processing a frame, or about to begin.
    case looking
    case waiting
  }

  private struct State {
    /// The frame in the slot; its memory is kept for reuse in `spare`.
    var frame: CapturedFrame?
    var spare: [UInt8] = []
    var lastLook: Instant?
    var follower = Follower.none
    var isClosed = false
  }

  private let minimumInterval: Duration
  private let state = Monitor(State())

  /// Creates a tap that receives frames at most once every `minimumInterval`; with zero, every frame that is
  /// the newest while the slot is empty.
  public convenience init(minimumInterval: Duration = .seconds(1) / 30) {
    self.init(minimumInterval: minimumInterval, isFollowed: false)
  }

  /// Creates a tap.
  ///
  /// - Parameter isFollowed: Whether a thread is about to call ``next()``.
  init(minimumInterval: Duration, isFollowed: Bool) {
    self.minimumInterval = max(.nanoseconds(1), minimumInterval)
    if isFollowed { state.change { $0.follower = .looking } }
  }

  /// Waits for the next frame; `nil` once the tap is closed.
  ///
  /// Blocks the calling thread, which must not be the session's. In virtual time, the session waits from each
  /// call to the next; close the tap after the last one.
  public func next() -> CapturedFrame? {
    state.change { $0.follower = .waiting }
    return state.wait { state in
      guard state.frame != nil || state.isClosed else { return nil }
      state.follower = .looking
      return .some(state.frame.take())
    }
  }

  /// Waits until the client has processed its frame.
  func catchUp() {
    state.wait { state in
      switch state.follower {
      case .none: ()
      case .looking: state.isClosed ? () : nil
      case .waiting: state.isClosed || state.frame == nil ? () : nil
      }
    }
  }

  /// Returns the waiting frame without blocking; `nil` if there is none.
  public func poll() -> CapturedFrame? {
    state.change { state in
      defer { state.frame = nil }
      return state.frame
    }
  }

  /// Returns the memory of `frame` to the tap, so that the next one allocates none.
  public func recycle(_ frame: consuming CapturedFrame) {
    var bytes = frame.bytes
    // If the client keeps a copy of the frame, its bytes are copied instead of reused.
    state.change { state in swap(&state.spare, &bytes) }
  }

  /// Closes the tap, which receives no more frames.
  public func close() { state.change { $0.isClosed = true } }

  /// Offers a frame to the tap, which keeps it if its slot is empty and one is due. Returns whether the tap
  /// is still open.
  ///
  /// Skips the frame if the client holds the lock just then, except in virtual time (`waits`).
  func offer(
    _ payload: UnsafeRawBufferPointer, _ record: RingRecord, _ configuration: StreamConfiguration,
    at now: Instant, waits: Bool = false
  ) -> Bool {
    var isOpen = true
    state.change(waits: waits) { state in
      isOpen = !state.isClosed
      let due = state.lastLook.map { $0 + minimumInterval } ?? now
      guard isOpen, state.frame == nil, now >= due else { return false }
      // One frame per beat: a late one does not delay the next, and missed beats are not made up for.
      let late = (now - due).wholeNanoseconds % minimumInterval.wholeNanoseconds
      state.lastLook = now - .nanoseconds(late)
      var bytes: [UInt8] = []
      swap(&bytes, &state.spare)
      bytes.removeAll(keepingCapacity: true)
      bytes.append(contentsOf: payload)
      state.frame = CapturedFrame(
        bytes: bytes, sequence: record.sequence, timestamp: record.timestamp, configuration: configuration)
      return true
    }
    return isOpen
  }
}
