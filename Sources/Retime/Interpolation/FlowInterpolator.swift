import Platform
import Media

/// Interpolates frames by moving what both pictures show to its place at the instant.
///
/// While the frames between two pictures are made and encoded, the search for the motion of the next pair can
/// already run.
final class FlowInterpolator: FrameInterpolator {
  /// Two pictures, and the search for the motion between them.
  private struct Pair {
    let last: Picture
    let next: Picture
    let motion: MotionInterpolator
    let search: Task<Void, Never>

    /// Starts the search as soon as that of `other` has ended, and reuses its memory.
    init(from last: Picture, to next: Picture, after other: Pair?) throws(OvercrankError) {
      let motion =
        if let other, other.motion.fits(last) { other.motion } else { try MotionInterpolator(like: last) }
      self.last = last
      self.next = next
      self.motion = motion
      search = Task {
        await other?.search.value
        await motion.findMotion(from: last, to: next)
      }
    }

    func isBetween(_ last: Picture, _ next: Picture) -> Bool { last === self.last && next === self.next }
  }

  /// The pair whose frames are being made.
  private var present: Pair?
  /// The pair whose frames are expected next.
  private var ahead: Pair?

  func expect(_ last: Picture, _ next: Picture) throws(OvercrankError) {
    swap(&present, &ahead)
    ahead = try Pair(from: last, to: next, after: ahead)
  }

  nonisolated(nonsending) func frame(
    between last: Picture, and next: Picture, share: Int
  ) async throws(OvercrankError) -> InterpolatedFrame {
    if ahead?.isBetween(last, next) == true { swap(&present, &ahead) }
    if present?.isBetween(last, next) != true { present = try Pair(from: last, to: next, after: present) }
    guard let present else { return InterpolatedFrame(picture: last, heldPart: 1) }
    await present.search.value
    let made = try await present.motion.picture(between: last, and: next, share: share)
    return InterpolatedFrame(picture: made.picture, heldPart: made.heldPart)
  }
}
