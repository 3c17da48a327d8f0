package import Platform
internal import CLibAV
internal import CTurboJPEG

/// An encoder of single camera frames as pictures: JPEGs in the colours that viewers expect, full range and
/// BT.601, and lossless pictures.
///
/// Grey frames keep their values: cameras without colour use the full range, whatever default their drivers
/// report.
public enum StillEncoder {
  /// The usual quality, from 1 to 100: without visible loss.
  public static let usualQuality = 95
  /// The possible qualities.
  package static let qualities = 1...100

  /// Returns the JPEG of an uncompressed frame of `codec`, whose rows have no padding; mosaics are
  /// demosaiced.
  ///
  /// - Parameters:
  ///   - frame: the bytes of the frame.
  ///   - codec: their layout.
  ///   - width: the pixels per row.
  ///   - height: the number of rows.
  ///   - color: the colours of the frame.
  ///   - quality: the quality, clamped to ``qualities``.
  /// - Throws: `badData` if bytes are missing, `unsupported` if its layout or size is not supported.
  package static func jpeg(
    of frame: Span<UInt8>, codec: VideoCodec, width: Int, height: Int, color: ColorDescription,
    quality: Int = usualQuality
  ) throws(OvercrankError) -> [UInt8] {
    guard JPEGEncoder.sides.contains(width), JPEGEncoder.sides.contains(height) else {
      throw OvercrankError(
        .unsupported, "a frame of \(width)x\(height) \(codec) cannot be written as a JPEG.")
    }
    let picture = try developed(frame, codec, width, height, color)
    let layout = codec.layout ?? picture.layout
    try RangeStretch.stretchLimitedRGB(picture)
    var rgb = [UInt8](repeating: 0, count: 3 * width * height)
    guard convert(picture, to: &rgb) else {
      throw OvercrankError(.unsupported, "libswscale cannot convert \(layout) to red, green and blue.")
    }
    let quality = min(max(quality, qualities.lowerBound), qualities.upperBound)
    return try JPEGEncoder(quality: quality).encode(
      rgb: rgb, width: width, height: height, subsampling: subsampling(of: layout))
  }

  /// Returns the picture of a frame of `codec`, a JPEG or uncompressed, in the layout of a file of `format`:
  /// red, green and blue, or luma alone, in full range; mosaics are demosaiced.
  ///
  /// - Throws: as ``jpeg(of:codec:width:height:color:quality:)``.
  package static func picture(
    of frame: Span<UInt8>, codec: VideoCodec, width: Int, height: Int, color: ColorDescription,
    for format: StillFormat
  ) throws(OvercrankError) -> Picture {
    let picture = try developed(frame, codec, width, height, color)
    var color = picture.color
    // Cameras without colour use the full range.
    if picture.layout.isGray { color.range = .full }
    picture.set(color)
    color.range = .full
    var converter = PictureConverter(
      width: picture.width, height: picture.height, color: color, layout: format.layout(for: picture.layout))
    return try converter.convert(picture)
  }

  private static func developed(
    _ frame: Span<UInt8>, _ codec: VideoCodec, _ width: Int, _ height: Int, _ color: ColorDescription
  ) throws(OvercrankError) -> Picture {
    guard codec != .mjpeg else {
      var decoder = try JPEGDecoder()
      return try frame.bytes.withUnsafeBytes { bytes throws(OvercrankError) in try decoder.decode(bytes) }
    }
    let wholeFrame = codec.isWebcamCompression ? 0 : codec.byteCount(width: width, height: height)
    guard let layout = codec.layout, let byteCount = wholeFrame else {
      throw OvercrankError(
        .unsupported, "a frame of \(width)x\(height) \(codec) cannot be written as a picture.")
    }
    guard frame.count >= byteCount else {
      throw OvercrankError(
        .badData,
        "a frame of \(width)x\(height) \(codec) needs \(byteCount) bytes, but has only \(frame.count).")
    }
    var demosaicer = Demosaicer()
    return try demosaicer.develop(try picture(of: frame, codec, layout, width, height, color))
      .inStandardRange()
  }

  /// Returns a small JPEG of `picture` for EXIF: it fits into 160x120, the size in DCF (JEITA CP-3461).
  ///
  /// - Throws: `OvercrankError` if libswscale cannot read the picture's layout.
  package static func thumbnail(of picture: Picture) throws(OvercrankError) -> [UInt8] {
    let (width, height) = (max(1, picture.width), max(1, picture.height))
    let isWide = width * 120 >= height * 160
    let small = isWide ? (160, max(2, 160 * height / width & ~1)) : (max(2, 120 * width / height & ~1), 120)
    var color = picture.color
    // The colours are JFIF's; only pictures of luma and chroma keep their matrix.
    if picture.layout.isRGB || picture.layout.isGray { color = .jpeg }
    color.range = .full
    var converter = PictureConverter(width: small.0, height: small.1, color: color)
    return try JPEGEncoder(quality: 80).encode(try converter.convert(picture))
  }

  /// Returns a small JPEG of a JPEG.
  ///
  /// - Throws: `OvercrankError` if it is not a JPEG, or damaged.
  package static func thumbnail(ofJPEG jpeg: [UInt8]) throws(OvercrankError) -> [UInt8] {
    var decoder = try JPEGDecoder(reduction: 2)
    let picture = try jpeg.span.bytes.withUnsafeBytes { bytes throws(OvercrankError) in
      try decoder.decode(bytes)
    }
    return try thumbnail(of: picture)
  }

  /// Returns the picture of a frame without padding, in a layout that libav supports.
  static func picture(
    of frame: Span<UInt8>, _ codec: VideoCodec, _ layout: PixelLayout, _ width: Int, _ height: Int,
    _ color: ColorDescription
  ) throws(OvercrankError) -> Picture {
    if case .packed(let packing) = codec {
      var unpacker = try PixelUnpacker(packing, width: width, height: height, color: color)
      return try frame.bytes.withUnsafeBytes { bytes throws(OvercrankError) in try unpacker.unpack(bytes) }
    }
    var pool = PicturePool()
    let picture = try pool.picture(layout: layout, width: width, height: height, color: color)
    frame.withUnsafeBufferPointer { source in
      guard let base = source.baseAddress else { return }
      for (index, plane) in (layout.planes(width: width, height: height) ?? []).enumerated() {
        guard let target = picture.planeBases[index] else { continue }
        for row in 0..<plane.rows {
          (target + row * Int(picture.planeStrides[index])).update(
            from: base + plane.offset + row * plane.bytesPerRow, count: plane.bytesPerRow)
        }
      }
    }
    return picture
  }

  private static func convert(_ picture: Picture, to rgb: inout [UInt8]) -> Bool {
    _ = LibAVLog.silenced
    let (width, height) = (Int32(picture.width), Int32(picture.height))
    let color = picture.color
    // Chroma is interpolated and rounded accurately, because there is only one picture.
    let flags = SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT
    guard
      let context = sws_getContext(
        width, height, picture.layout.format, width, height, AV_PIX_FMT_RGB24, flags, nil, nil, nil)
    else { return false }
    defer { sws_freeContext(context) }
    let matrix = sws_getCoefficients(Int32(color.matrix.rawValue))
    let one: Int32 = 1 << 16
    sws_setColorspaceDetails(context, matrix, color.range == .full ? 1 : 0, matrix, 1, 0, one, one)
    return rgb.withUnsafeMutableBufferPointer { target in
      sws_scale(
        context, picture.planeBases.map { UnsafePointer($0) }, picture.planeStrides, 0, height,
        [target.baseAddress], [3 * width]) == height
    }
  }

  private static func subsampling(of layout: PixelLayout) -> TJSAMP {
    guard let descriptor = av_pix_fmt_desc_get(layout.format) else { return TJSAMP_444 }
    if descriptor.pointee.nb_components < 3 { return TJSAMP_GRAY }
    return descriptor.pointee.log2_chroma_w == 0 ? TJSAMP_444 : TJSAMP_422
  }
}
