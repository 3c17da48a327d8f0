import Platform
import Media

/// Fades from the frame before into the next.
final class BlendInterpolator: FrameInterpolator {
  private var blender = PictureBlender()

  func frame(between last: Picture, and next: Picture, share: Int) throws(OvercrankError) -> InterpolatedFrame
  {
    InterpolatedFrame(picture: try blender.blend(last, next, share: share), heldPart: 0)
  }
}
