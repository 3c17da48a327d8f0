import Takes
import Timebase

/// Counts the frames that gather for a review, as they come.
struct ReviewTally {
  private(set) var status: SessionStatus.ReviewStatus
  private var tally = FrameTally()

  /// - Parameter trigger: when what triggered came, on the camera's clock; `nil` where nothing did.
  init(trigger: Instant?) { status = SessionStatus.ReviewStatus(trigger: trigger) }

  /// Enters a frame, which follows those entered before.
  mutating func enter(_ frame: RingRecord) {
    tally.enterFrame(sequence: frame.sequence)
    status.count += 1
    status.lost = tally.lost.total
    status.first = status.first ?? frame.timestamp
    status.last = frame.timestamp
    if let trigger = status.trigger, frame.timestamp <= trigger { status.triggerIndex = status.count - 1 }
  }
}
