import Takes
import Timebase
/// A session's reviews: the current one and their number.
struct SessionReviews {
  /// The number of reviews that have begun.
  private(set) var count = 0
  private var tally: ReviewTally?

  /// The current review, gathering or open; `nil` if there is none.
  var status: SessionStatus.ReviewStatus? { tally?.status }

  /// Adds a record found in the ring.
  mutating func enter(_ record: RingRecord, _ state: SessionState) {
    if state.isReviewed(record) { tally?.enter(record) }
  }

  /// Begins or ends the count to match `state`; begins with the frames waiting in the ring of `run`.
  mutating func follow(_ state: SessionState, _ run: CaptureRun?) {
    guard state.isGathering || state.isReviewing else { return tally = nil }
    guard tally == nil else { return }
    var tally = ReviewTally(trigger: state.reviewWindow?.trigger)
    run?.ring.forEach { record, _ in if state.isReviewed(record) { tally.enter(record) } }
    self.tally = tally
    count += 1
  }
}

/// A running count of the frames gathered for a review.
struct ReviewTally {
  private(set) var status: SessionStatus.ReviewStatus
  private var tally = FrameTally()

  /// Creates an empty count.
  ///
  /// - Parameter trigger: The time of the trigger, on the camera's clock; `nil` if there was none.
  init(trigger: Instant?) { status = SessionStatus.ReviewStatus(trigger: trigger) }

  /// Adds a frame, which must follow those added before.
  mutating func enter(_ frame: RingRecord) {
    tally.enterFrame(sequence: frame.sequence)
    status.count += 1
    status.lost = tally.lost.total
    status.first = status.first ?? frame.timestamp
    status.last = frame.timestamp
    if let trigger = status.trigger, frame.timestamp <= trigger { status.triggerIndex = status.count - 1 }
  }
}
