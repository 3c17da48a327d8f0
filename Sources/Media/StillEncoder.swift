internal import CLibAV
internal import CTurboJPEG

/// Makes a JPEG of one uncompressed frame of a camera, in the colours that viewers expect: full range, BT.601.
///
/// Frames of luma alone keep their numbers: cameras without colour use the full range, whatever their drivers' default says.
public enum StillEncoder {
  /// How faithful, from 1 to 100: nothing that an eye finds is lost.
  private static let quality: Int32 = 95

  /// The JPEG of a frame of `layout` whose rows have no padding.
  ///
  /// - Throws: ``MediaError/Code/badData`` where there are too few bytes for it,
  ///   ``MediaError/Code/unsupported`` where its layout or size cannot be had.
  public static func jpeg(
    of frame: Span<UInt8>, layout: PixelLayout, width: Int, height: Int, color: ColorDescription
  ) throws(MediaError) -> [UInt8] {
    guard let planes = layout.planes(width: width, height: height),
      let byteCount = layout.byteCount(width: width, height: height), max(width, height) <= 65_500
    else { throw MediaError(.unsupported, "a JPEG of \(width)x\(height) \(layout) is not possible.") }
    guard frame.count >= byteCount else {
      throw MediaError(
        .badData, "a frame of \(width)x\(height) \(layout) has \(byteCount) bytes; \(frame.count) are there.")
    }
    var rgb = [UInt8](repeating: 0, count: 3 * width * height)
    let isConverted = frame.withUnsafeBufferPointer { source in
      let bases = planes.map { UnsafePointer<UInt8>?.some(source.baseAddress.unsafelyUnwrapped + $0.offset) }
      return convert(
        bases, planes.map { Int32($0.bytesPerRow) }, layout, Int32(width), Int32(height), color, to: &rgb)
    }
    guard isConverted else {
      throw MediaError(.unsupported, "libswscale cannot convert \(layout) to red, green and blue.")
    }
    return try compress(rgb, width: Int32(width), height: Int32(height), subsampling(of: layout))
  }

  private static func convert(
    _ bases: [UnsafePointer<UInt8>?], _ strides: [Int32], _ layout: PixelLayout, _ width: Int32,
    _ height: Int32, _ color: ColorDescription, to rgb: inout [UInt8]
  ) -> Bool {
    _ = LibAVLog.silenced
    // Chroma is interpolated and rounded with care: there is but one picture.
    let flags = SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT
    guard
      let context = sws_getContext(
        width, height, layout.format, width, height, AV_PIX_FMT_RGB24, flags, nil, nil, nil)
    else { return false }
    defer { sws_freeContext(context) }
    let matrix = sws_getCoefficients(Int32(color.matrix.rawValue))
    let one: Int32 = 1 << 16
    sws_setColorspaceDetails(context, matrix, color.range == .full ? 1 : 0, matrix, 1, 0, one, one)
    return rgb.withUnsafeMutableBufferPointer { target in
      sws_scale(
        context, bases + [nil, nil, nil], strides + [0, 0, 0], 0, height, [target.baseAddress], [3 * width])
        == height
    }
  }

  private static func subsampling(of layout: PixelLayout) -> TJSAMP {
    guard let descriptor = av_pix_fmt_desc_get(layout.format) else { return TJSAMP_444 }
    if descriptor.pointee.nb_components < 3 { return TJSAMP_GRAY }
    return descriptor.pointee.log2_chroma_w == 0 ? TJSAMP_444 : TJSAMP_422
  }

  private static func compress(
    _ rgb: [UInt8], width: Int32, height: Int32, _ subsampling: TJSAMP
  ) throws(MediaError) -> [UInt8] {
    guard let compressor = tjInitCompress() else {
      throw MediaError(.unsupported, "TurboJPEG gave no compressor.")
    }
    defer { tjDestroy(compressor) }
    let capacity = Int(tjBufSize(width, height, Int32(subsampling.rawValue)))
    var status: Int32 = 0
    let jpeg = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      var target = buffer.baseAddress
      var size = UInt(capacity)
      status = tjCompress2(
        compressor, rgb, width, 3 * width, height, Int32(TJPF_RGB.rawValue), &target, &size,
        Int32(subsampling.rawValue), quality, TJFLAG_NOREALLOC | TJFLAG_ACCURATEDCT)
      count = status == 0 ? Int(size) : 0
    }
    guard status == 0 else {
      throw MediaError(.badData, "TurboJPEG did not encode \(width)x\(height).")
    }
    return jpeg
  }
}
