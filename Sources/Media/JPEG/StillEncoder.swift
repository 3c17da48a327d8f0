internal import CLibAV
internal import CTurboJPEG

/// Makes a JPEG of one uncompressed frame of a camera, in the colours that viewers expect: full range, BT.601.
///
/// Frames of luma alone keep their numbers: cameras without colour use the full range, whatever their drivers' default says.
public enum StillEncoder {
  /// How faithful, from 1 to 100: nothing that an eye finds is lost.
  private static let quality = 95

  /// The JPEG of a frame of `codec`, which is uncompressed, whose rows have no padding; mosaics are developed.
  ///
  /// - Throws: ``MediaError/Code/badData`` where there are too few bytes for it,
  ///   ``MediaError/Code/unsupported`` where its layout or size cannot be had.
  public static func jpeg(
    of frame: Span<UInt8>, codec: VideoCodec, width: Int, height: Int, color: ColorDescription
  ) throws(MediaError) -> [UInt8] {
    guard let layout = codec.layout, let byteCount = codec.byteCount(width: width, height: height),
      JPEGEncoder.sides.contains(width), JPEGEncoder.sides.contains(height)
    else { throw MediaError(.unsupported, "a JPEG of \(width)x\(height) \(codec) is not possible.") }
    guard frame.count >= byteCount else {
      throw MediaError(
        .badData, "a frame of \(width)x\(height) \(codec) has \(byteCount) bytes; \(frame.count) are there.")
    }
    var demosaicer = Demosaicer()
    let picture = try demosaicer.develop(try picture(of: frame, codec, layout, width, height, color))
    try RangeStretch.stretchLimitedRGB(picture)
    var rgb = [UInt8](repeating: 0, count: 3 * width * height)
    guard convert(picture, to: &rgb) else {
      throw MediaError(.unsupported, "libswscale cannot convert \(layout) to red, green and blue.")
    }
    return try JPEGEncoder(quality: quality).encode(
      rgb: rgb, width: width, height: height, subsampling: subsampling(of: layout))
  }

  /// The picture that a frame without padding is, in a layout that libav knows.
  static func picture(
    of frame: Span<UInt8>, _ codec: VideoCodec, _ layout: PixelLayout, _ width: Int, _ height: Int,
    _ color: ColorDescription
  ) throws(MediaError) -> Picture {
    if case .packed(let packing) = codec {
      var unpacker = try PixelUnpacker(packing, width: width, height: height, color: color)
      return try frame.bytes.withUnsafeBytes { bytes throws(MediaError) in try unpacker.unpack(bytes) }
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
    // Chroma is interpolated and rounded with care: there is but one picture.
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
