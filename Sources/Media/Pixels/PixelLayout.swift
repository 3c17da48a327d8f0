internal import CLibAV

/// The layout of an uncompressed frame's pixels in memory; libav's pixel formats by libav's names.
public struct PixelLayout: Hashable, Sendable, CustomStringConvertible {
  /// libav's `enum AVPixelFormat`.
  let code: Int32

  init(code: Int32) { self.code = code }

  /// Creates the layout that libav calls `name`, such as `yuyv422`; `nil` if libav knows no such layout.
  public init?(name: String) {
    let format = av_get_pix_fmt(name)
    guard format != AV_PIX_FMT_NONE else { return nil }
    self.init(format)
  }

  init(_ format: AVPixelFormat) { self.code = format.rawValue }

  /// Packed 4:2:2, luma first.
  public static let yuyv422 = PixelLayout(AV_PIX_FMT_YUYV422)
  /// Packed 4:2:2, chroma first.
  public static let uyvy422 = PixelLayout(AV_PIX_FMT_UYVY422)
  /// Planar 4:2:0, interleaved chroma.
  public static let nv12 = PixelLayout(AV_PIX_FMT_NV12)
  /// Planar 4:2:0.
  public static let yuv420p = PixelLayout(AV_PIX_FMT_YUV420P)
  /// Planar 4:2:2.
  public static let yuv422p = PixelLayout(AV_PIX_FMT_YUV422P)
  /// Planar 4:2:0 with transparency.
  static let yuva420p = PixelLayout(AV_PIX_FMT_YUVA420P)
  /// Planar 4:4:4.
  public static let yuv444p = PixelLayout(AV_PIX_FMT_YUV444P)
  /// Packed 24-bit, red first.
  public static let rgb24 = PixelLayout(AV_PIX_FMT_RGB24)
  /// Packed 24-bit, blue first.
  public static let bgr24 = PixelLayout(AV_PIX_FMT_BGR24)
  /// 8-bit luma alone.
  public static let gray = PixelLayout(AV_PIX_FMT_GRAY8)

  var format: AVPixelFormat { AVPixelFormat(code) }

  /// libav's name, such as `yuyv422`.
  public var description: String {
    av_get_pix_fmt_name(format).map { String(cString: $0) } ?? "unknown"
  }

  /// Whether red, green and blue have one byte each, side by side.
  public var isBytesOfRGB: Bool {
    guard let descriptor = av_pix_fmt_desc_get(format) else { return false }
    let others = AV_PIX_FMT_FLAG_PLANAR | AV_PIX_FMT_FLAG_BAYER | AV_PIX_FMT_FLAG_PAL
    return isRGB && descriptor.pointee.flags & UInt64(others) == 0 && descriptor.pointee.comp.0.depth == 8
      && descriptor.pointee.comp.0.step >= 3
  }

  /// The bits of a sample.
  public var bitsPerSample: Int32 { av_pix_fmt_desc_get(format)?.pointee.comp.0.depth ?? 8 }

  /// Whether there is only luma.
  public var isGray: Bool {
    guard let descriptor = av_pix_fmt_desc_get(format) else { return false }
    return descriptor.pointee.nb_components == 1 && !isRGB && !hasPalette
  }

  /// Whether there is no chroma, but perhaps transparency.
  var lacksChroma: Bool {
    guard let descriptor = av_pix_fmt_desc_get(format) else { return false }
    return descriptor.pointee.nb_components < 3 && !isRGB && !hasPalette
  }

  /// Whether every pixel has its own chroma.
  var hasFullChroma: Bool {
    guard let descriptor = av_pix_fmt_desc_get(format)?.pointee else { return false }
    return descriptor.nb_components >= 3 && descriptor.log2_chroma_w == 0 && descriptor.log2_chroma_h == 0
  }

  /// Whether samples are indices into a palette.
  var hasPalette: Bool {
    guard let descriptor = av_pix_fmt_desc_get(format) else { return false }
    return descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_PAL) != 0
  }

  /// Whether pixels may be transparent.
  var hasAlpha: Bool {
    guard let descriptor = av_pix_fmt_desc_get(format) else { return false }
    return descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
  }

  /// Whether each sample has only one colour, as from a sensor.
  var isMosaic: Bool {
    guard let descriptor = av_pix_fmt_desc_get(format) else { return false }
    return descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_BAYER) != 0
  }

  /// Whether the samples are red, green and blue rather than luma and chroma.
  public var isRGB: Bool {
    guard let descriptor = av_pix_fmt_desc_get(format) else { return false }
    return descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_RGB) != 0
  }
}

extension PixelLayout {
  /// The place of one plane in a frame without padding.
  public struct Plane: Hashable, Sendable {
    /// The bytes from the start of the frame to the plane's first row.
    public let offset: Int
    /// The bytes from one row to the next.
    public let bytesPerRow: Int
    /// The number of rows.
    public let rows: Int
  }

  /// Returns the size in bytes of a frame of this size without padding; `nil` if the size is impossible.
  public func byteCount(width: Int, height: Int) -> Int? {
    guard let planes = planes(width: width, height: height), let last = planes.last else { return nil }
    return last.offset + last.bytesPerRow * last.rows
  }

  /// Returns the planes of a frame of this size without padding, in order; `nil` if the size is impossible.
  public func planes(width: Int, height: Int) -> [Plane]? {
    guard let width = Int32(exactly: width), let height = Int32(exactly: height),
      av_image_check_size2(UInt32(max(width, 0)), UInt32(max(height, 0)), .max, format, 0, nil) == 0,
      let descriptor = av_pix_fmt_desc_get(format)
    else { return nil }
    var planes: [Plane] = []
    for index in 0..<av_pix_fmt_count_planes(format) {
      let bytesPerRow = Int(av_image_get_linesize(format, width, index))
      guard bytesPerRow > 0 else { return nil }
      // Planes 1 and 2 are chroma, and an odd row still needs a chroma row.
      let shift = index == 1 || index == 2 ? Int(descriptor.pointee.log2_chroma_h) : 0
      let rows = (Int(height) + (1 << shift) - 1) >> shift
      let offset = planes.last.map { $0.offset + $0.bytesPerRow * $0.rows } ?? 0
      planes.append(Plane(offset: offset, bytesPerRow: bytesPerRow, rows: rows))
    }
    return planes.isEmpty ? nil : planes
  }
}
