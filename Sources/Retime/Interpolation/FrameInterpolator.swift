import Media
import Platform

/// Makes a clip's frame that the source does not have, from the two captured frames around it.
///
/// Used from one task at a time.
protocol FrameInterpolator {
  /// Announces that frames between `last` and `next` will follow those between the two pictures of the
  /// previous call, so that their preparation can begin. A call is only a hint: its frames may never be made,
  /// and frames may be made without one.
  ///
  /// - Throws: `OvercrankError` if memory runs out.
  func expect(_ last: Picture, _ next: Picture) throws(OvercrankError)

  /// Returns the frame at `share` / 256 of the way from `last` to `next`.
  ///
  /// - Parameters:
  ///   - last: the captured frame before; planar, of the same size and layout as `next`.
  ///   - next: the captured frame after.
  ///   - share: a number from 1 to 255.
  /// - Throws: `OvercrankError` if memory for a picture runs out.
  nonisolated(nonsending) func frame(
    between last: Picture, and next: Picture, share: Int
  ) async throws(OvercrankError) -> InterpolatedFrame
}

extension FrameInterpolator {
  /// Prepares nothing.
  func expect(_ last: Picture, _ next: Picture) {}
}

/// A frame of the clip that was not captured.
struct InterpolatedFrame {
  let picture: Picture
  /// The fraction of the picture that shows a captured frame unchanged: 1 for all of it.
  let heldPart: Double
}

/// Repeats the previous frame.
struct HoldInterpolator: FrameInterpolator {
  func frame(between last: Picture, and next: Picture, share: Int) -> InterpolatedFrame {
    InterpolatedFrame(picture: last, heldPart: 1)
  }
}

/// Blends from the previous frame into the next.
final class BlendInterpolator: FrameInterpolator {
  private var blender = PictureBlender()

  func frame(between last: Picture, and next: Picture, share: Int) throws(OvercrankError) -> InterpolatedFrame
  {
    InterpolatedFrame(picture: try blender.blend(last, next, share: share), heldPart: 0)
  }
}
