import Media
import Platform

/// Makes a frame of the clip for which the film has none, from the two captured frames around it.
///
/// Used from one task at a time.
protocol FrameInterpolator {
  /// Frames between `last` and `next` will be wanted after those between the two pictures of the call before: what they
  /// need can be made meanwhile. Not every call comes true, and frames are made without one, too.
  ///
  /// - Throws: `OvercrankError` where there is no memory for it.
  func expect(_ last: Picture, _ next: Picture) throws(OvercrankError)

  /// The frame that lies `share` / 256 of the way from `last` to `next`.
  ///
  /// - Parameters:
  ///   - last: the captured frame before; planar, of the same size and layout as `next`.
  ///   - next: the captured frame after.
  ///   - share: from 1 to 255.
  /// - Throws: `OvercrankError` where there is no memory for a picture.
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
  /// How much of it shows a captured frame as it is: 1 for all of it.
  let heldPart: Double
}

/// Shows the frame before once more.
struct HoldInterpolator: FrameInterpolator {
  func frame(between last: Picture, and next: Picture, share: Int) -> InterpolatedFrame {
    InterpolatedFrame(picture: last, heldPart: 1)
  }
}

/// Fades from the frame before into the next.
final class BlendInterpolator: FrameInterpolator {
  private var blender = PictureBlender()

  func frame(between last: Picture, and next: Picture, share: Int) throws(OvercrankError) -> InterpolatedFrame
  {
    InterpolatedFrame(picture: try blender.blend(last, next, share: share), heldPart: 0)
  }
}
