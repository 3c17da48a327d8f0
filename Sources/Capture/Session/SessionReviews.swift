import Takes
import Timebase

/// The reviews of a session: what is gathered or reviewed now, and how many there were.
struct SessionReviews {
  /// How many have begun.
  private(set) var count = 0
  private var tally: ReviewTally?

  /// The review that gathers or is open; `nil` where there is none.
  var status: SessionStatus.ReviewStatus? { tally?.status }

  /// Enters a record that was found in the ring.
  mutating func enter(_ record: RingRecord, _ state: SessionState) {
    if state.isReviewed(record) { tally?.enter(record) }
  }

  /// Begins or ends to count as `state` says, with the frames that wait in the ring of `run`.
  mutating func follow(_ state: SessionState, _ run: CaptureRun?) {
    guard state.isGathering || state.isReviewing else { return tally = nil }
    guard tally == nil else { return }
    var tally = ReviewTally(trigger: state.reviewWindow?.trigger)
    run?.ring.forEach { record, _ in if state.isReviewed(record) { tally.enter(record) } }
    self.tally = tally
    count += 1
  }
}

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
