import Cameras
import Platform
import Timebase

/// A look at a session's frames: the newest one, no oftener than asked, best effort.
///
/// The writer fills a mailbox with one slot where that is empty; whoever looks empties it on a thread
/// of its own. A tap that looks at nothing, or sleeps for ever, costs its own picture and nothing
/// else. The capture thread does not know of it. Only in virtual time does the session wait: there,
/// whoever follows a tap by ``next()`` sees all that it asked for.
public final class FrameTap: Sendable {
  /// Whoever calls ``next()``.
  private enum Follower {
    /// Nobody does.
    case none
    /// It looks at a frame, or is about to begin.
    case looking
    case waiting
  }

  private struct State {
    /// The frame in the slot; its bytes stay allocated when it is empty.
    var frame: CapturedFrame?
    var spare: [UInt8] = []
    var lastLook: Instant?
    var follower = Follower.none
    var isClosed = false
  }

  private let minimumInterval: Duration
  private let state = Monitor(State())

  /// A tap that wants a frame each `minimumInterval` at most; with zero, every one that is
  /// the newest when its slot is empty.
  public convenience init(minimumInterval: Duration = .seconds(1) / 30) {
    self.init(minimumInterval: minimumInterval, isFollowed: false)
  }

  /// - Parameter isFollowed: whether a thread is about to call ``next()``.
  init(minimumInterval: Duration, isFollowed: Bool) {
    self.minimumInterval = max(.nanoseconds(1), minimumInterval)
    if isFollowed { state.change { $0.follower = .looking } }
  }

  /// Waits for the next frame; `nil` once the tap is closed.
  ///
  /// Blocks the calling thread, which must not be the session's. In virtual time, a session waits for
  /// whoever has called this until the next call; close the tap where none follows.
  public func next() -> CapturedFrame? {
    state.change { $0.follower = .waiting }
    return state.wait { state in
      guard state.frame != nil || state.isClosed else { return nil }
      state.follower = .looking
      return .some(state.frame.take())
    }
  }

  /// Waits until whoever follows the tap has looked at what it was shown.
  func catchUp() {
    state.wait { state in
      switch state.follower {
      case .none: ()
      case .looking: state.isClosed ? () : nil
      case .waiting: state.isClosed || state.frame == nil ? () : nil
      }
    }
  }

  /// The frame that waits; `nil` where none does. Blocks nobody.
  public func poll() -> CapturedFrame? {
    state.change { state in
      defer { state.frame = nil }
      return state.frame
    }
  }

  /// Gives the memory of `frame` back, so that the next one needs none.
  public func recycle(_ frame: consuming CapturedFrame) {
    var bytes = frame.bytes
    // Where somebody else has the frame too, its bytes would be copied rather than used again.
    state.change { state in swap(&state.spare, &bytes) }
  }

  /// Ends the tap: the session shows it no more frames.
  public func close() { state.change { $0.isClosed = true } }

  /// Puts a frame into the slot where it is empty and one is due; whether the tap is still open.
  ///
  /// Does not wait where a looker is just taking the last frame: this look falls out. In virtual time (`waits`) none does.
  func offer(
    _ payload: UnsafeRawBufferPointer, _ record: RingRecord, _ configuration: StreamConfiguration,
    at now: Instant, waits: Bool = false
  ) -> Bool {
    var isOpen = true
    state.change(waits: waits) { state in
      isOpen = !state.isClosed
      let due = state.lastLook.map { $0 + minimumInterval } ?? now
      guard isOpen, state.frame == nil, now >= due else { return false }
      // One look a beat: one that comes late does not make the next one late, and beats that were
      // missed are not made up for.
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
