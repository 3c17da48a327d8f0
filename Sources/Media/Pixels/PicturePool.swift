import Platform
internal import CLibAV

/// A pool of picture memory, which is reused once a picture is released instead of being returned to the
/// system and cleared for the next.
struct PicturePool: ~Copyable {
  private var pool: OpaquePointer?
  private var pooledSize: Int32 = 0

  /// The reach of libav's and TurboJPEG's vector instructions past a picture's edge, in pixels and in bytes.
  private static let alignment: Int32 = 64

  // Memory in use is freed with the last picture that uses it.
  deinit {
    var pool = pool
    av_buffer_pool_uninit(&pool)
  }

  /// Returns a picture with undefined pixels, for the caller to fill.
  mutating func picture(
    layout: PixelLayout, width: Int, height: Int, color: ColorDescription
  ) throws(OvercrankError) -> Picture {
    let (paddedWidth, paddedHeight) = (Self.padded(width), Self.padded(height))
    let size = av_image_get_buffer_size(layout.format, paddedWidth, paddedHeight, Self.alignment)
    if pool == nil || size != pooledSize {
      av_buffer_pool_uninit(&pool)
      pool = size > 0 ? av_buffer_pool_init(Int(size + Self.alignment), nil) : nil
      pooledSize = size
    }
    let picture = try Picture()
    guard let pool, let buffer = av_buffer_pool_get(pool) else {
      throw OvercrankError.outOfMemory("a picture of \(width)x\(height)")
    }
    picture.frame.pointee.buf.0 = buffer
    picture.frame.pointee.format = layout.code
    picture.frame.pointee.width = Int32(width)
    picture.frame.pointee.height = Int32(height)
    picture.set(color)
    picture.withPlanes { planes, strides in
      _ = av_image_fill_arrays(
        planes, strides, buffer.pointee.data, layout.format, paddedWidth, paddedHeight, Self.alignment)
    }
    return picture
  }

  private static func padded(_ size: Int) -> Int32 {
    (Int32(size) + alignment - 1) / alignment * alignment
  }
}
