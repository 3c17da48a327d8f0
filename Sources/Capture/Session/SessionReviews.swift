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
