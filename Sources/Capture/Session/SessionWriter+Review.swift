import Cameras
import Takes
import Timebase

extension SessionWriter {
  /// Hands out what `look` wants to see of the ring.
  func show(_ look: ReviewLook) {
    guard state.isReviewing, let run else { return look.answer(nil) }
    switch look.subject {
    case .frames: look.answer(.frames(reviewedFrames()))
    case .frame(let wanted):
      var index = 0
      var found: CapturedFrame?
      run.ring.forEach { record, payload in
        guard found == nil, isReviewed(record) else { return }
        if index == wanted { found = CapturedFrame(record, payload, run.configuration) }
        index += 1
      }
      look.answer(found.map { .frame($0) })
    }
  }

  /// The frames that are reviewed.
  func reviewedPlaces() -> [RingRecord] {
    var records: [RingRecord] = []
    run?.ring.forEach { record, _ in
      if isReviewed(record) { records.append(record) }
    }
    return records
  }

  private func reviewedFrames() -> ReviewedFrames {
    let records = reviewedPlaces()
    return ReviewedFrames(
      sequences: records.map(\.sequence), timestamps: records.map(\.timestamp),
      lost: Self.lost(among: records),
      trigger: reviewWindow?.trigger)
  }

  /// Returns how many frames are missing among those that are reviewed, or gathered so far.
  func lostInReview() -> Int64 { Self.lost(among: reviewedPlaces()) }

  private static func lost(among frames: [RingRecord]) -> Int64 {
    var tally = FrameTally()
    for frame in frames { tally.enter(frame) }
    return tally.lost
  }

  private var reviewWindow: TakeWindow? {
    switch state.phase {
    case .gathering(let window): window
    case .reviewing(let window): window
    default: nil
    }
  }

  private func isReviewed(_ record: RingRecord) -> Bool {
    guard record.kind == .frame else { return false }
    guard let window = reviewWindow else { return true }
    return !window.isBefore(record.timestamp) && !window.isOver(before: record.timestamp)
  }
}
