public import Platform
internal import CLibAV

/// A rectangle of a picture, in pixels from its upper left corner.
public struct PictureCrop: Hashable, Sendable {
  /// The width in pixels.
  public var width: Int
  /// The height in pixels.
  public var height: Int
  /// The pixels to the left of it.
  public var x: Int
  /// The rows above it.
  public var y: Int

  /// Creates a rectangle.
  public init(width: Int, height: Int, x: Int = 0, y: Int = 0) {
    self.width = width
    self.height = height
    self.x = x
    self.y = y
  }
}

extension PictureCrop {
  /// Returns whether it lies within a picture of this size.
  package func liesWithin(width: Int, height: Int) -> Bool {
    x >= 0 && y >= 0 && self.width > 0 && self.height > 0 && self.width <= width
      && self.height <= height && x <= width - self.width && y <= height - self.height
  }
}

extension Picture {
  /// Returns the part of this picture in `crop` without a copy: it shares the memory.
  ///
  /// - Parameter crop: a rectangle within the picture; with even numbers if chroma is subsampled.
  /// - Throws: `badData` if it does not lie within the picture.
  public func cropped(to crop: PictureCrop) throws(OvercrankError) -> Picture {
    guard crop.liesWithin(width: width, height: height) else {
      throw OvercrankError(.badData, "a picture of \(width)x\(height) does not contain the part \(crop).")
    }
    let part = try Picture()
    guard av_frame_ref(part.frame, frame) >= 0 else { throw OvercrankError.outOfMemory("a picture") }
    part.frame.pointee.crop_left = crop.x
    part.frame.pointee.crop_top = crop.y
    part.frame.pointee.crop_right = width - crop.x - crop.width
    part.frame.pointee.crop_bottom = height - crop.y - crop.height
    // Only the start of the rows moves, and libswscale and x264 accept any alignment.
    guard av_frame_apply_cropping(part.frame, Int32(AV_FRAME_CROP_UNALIGNED)) >= 0 else {
      throw OvercrankError(.unsupported, "pictures of \(layout) cannot be cropped.")
    }
    return part
  }
}

extension PictureCrop: CustomStringConvertible {
  /// The rectangle as text, such as `640x360+16+8`.
  public var description: String { "\(width)x\(height)+\(x)+\(y)" }
}
