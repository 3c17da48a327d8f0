import Media

/// Moves what is seen in both frames to where it is at the instant.
final class FlowInterpolator: FrameInterpolator {
  private var motion: MotionInterpolator?

  nonisolated(nonsending) func frame(
    between last: Picture, and next: Picture, share: Int
  ) async throws(MediaError) -> InterpolatedFrame {
    if motion?.fits(last) != true { motion = try MotionInterpolator(like: last) }
    guard let made = try await motion?.picture(between: last, and: next, share: share) else {
      return InterpolatedFrame(picture: share <= 128 ? last : next, heldPart: 1)
    }
    return InterpolatedFrame(picture: made.picture, heldPart: made.heldPart)
  }
}
