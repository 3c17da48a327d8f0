import Timebase

/// Notices that a scene that is to rest before motion can begin anew does not.
struct RestWatch {
  /// Since when something has moved while nothing was recorded; `nil` while all is still.
  private var since: Instant?
  private var isTold = false

  /// How long it may move until that is told.
  static let patience = Duration.seconds(5)

  /// Takes in a look; whether it is time to tell, which it is once for each time without rest.
  ///
  /// - Parameters:
  ///   - look: the look.
  ///   - isRecording: whether a take is recorded, in which motion is welcome.
  mutating func isOverdue(_ look: MotionLook, isRecording: Bool) -> Bool {
    guard look.isMoving, !isRecording else {
      since = nil
      if !look.isMoving { isTold = false }
      return false
    }
    let start = min(since ?? look.timestamp, look.timestamp)
    since = start
    guard look.timestamp - start >= Self.patience, !isTold else { return false }
    isTold = true
    return true
  }
}
