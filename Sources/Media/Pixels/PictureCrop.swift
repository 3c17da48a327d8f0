public import Platform
internal import CLibAV

/// A rectangle of a picture, in pixels from its upper left.
public struct PictureCrop: Hashable, Sendable {
  /// Pixels in a row.
  public var width: Int
  /// Rows.
  public var height: Int
  /// Pixels left of it.
  public var x: Int
  /// Rows above it.
  public var y: Int

  /// A rectangle.
  public init(width: Int, height: Int, x: Int = 0, y: Int = 0) {
    self.width = width
    self.height = height
    self.x = x
    self.y = y
  }
}

extension PictureCrop {
  /// Whether it is a part of a picture of this size.
  package func liesWithin(width: Int, height: Int) -> Bool {
    x >= 0 && y >= 0 && self.width > 0 && self.height > 0 && self.width <= width
      && self.height <= height && x <= width - self.width && y <= height - self.height
  }
}

extension Picture {
  /// The part of this picture in `crop`, without a copy: it lies in the same memory.
  ///
  /// - Parameter crop: within the picture; even where chroma is coarser than luma.
  /// - Throws: `badData` where it does not lie within the picture.
  public func cropped(to crop: PictureCrop) throws(OvercrankError) -> Picture {
    guard crop.liesWithin(width: width, height: height) else {
      throw OvercrankError(.badData, "a picture of \(width)x\(height) has no part \(crop).")
    }
    let part = try Picture()
    guard av_frame_ref(part.frame, frame) >= 0 else { throw OvercrankError.outOfMemory("a picture") }
    part.frame.pointee.crop_left = crop.x
    part.frame.pointee.crop_top = crop.y
    part.frame.pointee.crop_right = width - crop.x - crop.width
    part.frame.pointee.crop_bottom = height - crop.y - crop.height
    // Only the start of rows moves, which libswscale and x264 take at any alignment.
    guard av_frame_apply_cropping(part.frame, Int32(AV_FRAME_CROP_UNALIGNED)) >= 0 else {
      throw OvercrankError(.unsupported, "pictures of \(layout) cannot be cropped.")
    }
    return part
  }
}

extension PictureCrop: CustomStringConvertible {
  /// `640x360+16+8`.
  public var description: String { "\(width)x\(height)+\(x)+\(y)" }
}
