package import Platform
internal import CLibAV
internal import CTurboJPEG

/// An encoder of baseline JPEGs from planar 4:2:2 pictures, the layout that webcams send.
///
/// Pictures of one encoder share their quantization tables and the standard's Huffman tables, so that their
/// entropy-coded data may be joined.
package struct JPEGEncoder: ~Copyable {
  private let compressor: tjhandle
  private let quality: Int32

  /// Creates an encoder at `quality`, from 1 (small) to 100 (faithful).
  ///
  /// - Throws: `OvercrankError` if TurboJPEG cannot be set up.
  package init(quality: Int) throws(OvercrankError) {
    precondition((1...100).contains(quality), "a JPEG's quality must be in 1...100")
    guard let compressor = tjInitCompress() else {
      throw OvercrankError(.unsupported, "TurboJPEG could not create a compressor: \(turboJPEGReason(nil))")
    }
    self.compressor = compressor
    self.quality = Int32(quality)
  }

  deinit { tjDestroy(compressor) }

  /// The possible lengths of a picture's side: `JPEG_MAX_DIMENSION` of libjpeg.
  static let sides = 1...65_500

  /// Returns the luma samples per row of a picture of `width`: those of a whole number of chroma samples.
  package static func lumaStride(width: Int) -> Int { (width + 1) / 2 * 2 }

  /// Encodes one picture; full-range luma and chroma, as in JFIF.
  ///
  /// - Parameters:
  ///   - luma: `height` rows of ``lumaStride(width:)`` samples.
  ///   - blue: Cb; `height` rows of half as many samples.
  ///   - red: Cr; laid out as `blue`.
  ///   - width: the pixels per row.
  ///   - height: the number of rows.
  /// - Throws: `OvercrankError` if no JPEG can have the picture's size.
  package borrowing func encode(
    luma: Span<UInt8>, blue: Span<UInt8>, red: Span<UInt8>, width: Int, height: Int
  ) throws(OvercrankError) -> [UInt8] {
    let stride = Self.lumaStride(width: width)
    precondition(
      luma.count >= stride * height && min(blue.count, red.count) >= stride / 2 * height,
      "the planes must hold the whole picture")
    return try compress(width: width, height: height, TJSAMP_422) { target, size in
      luma.withUnsafeBufferPointer { luma in
        blue.withUnsafeBufferPointer { blue in
          red.withUnsafeBufferPointer { red in
            var planes = [luma.baseAddress, blue.baseAddress, red.baseAddress]
            let strides = [Int32(stride), Int32(stride / 2), Int32(stride / 2)]
            return tjCompressFromYUVPlanes(
              compressor, &planes, Int32(width), strides, Int32(height), Int32(TJSAMP_422.rawValue), &target,
              &size, quality, TJFLAG_NOREALLOC)
          }
        }
      }
    }
  }

  /// Encodes a picture of red, green and blue bytes, of luma alone, or of planar luma and chroma in JFIF's
  /// matrix and range, as returned by ``JPEGDecoder`` and `ReducedDecoder`.
  ///
  /// - Throws: `unsupported` for other layouts, and for sizes that no JPEG can have.
  package borrowing func encode(_ picture: Picture) throws(OvercrankError) -> [UInt8] {
    let (width, height) = (Int32(picture.width), Int32(picture.height))
    let bases = picture.planeBases
    if picture.layout == .rgb24 {
      return try compress(width: picture.width, height: picture.height, TJSAMP_420) { target, size in
        tjCompress2(
          compressor, bases[0], width, picture.planeStrides[0], height, Int32(TJPF_RGB.rawValue), &target,
          &size, Int32(TJSAMP_420.rawValue), quality, TJFLAG_NOREALLOC)
      }
    }
    guard let subsampling = Self.subsamplings[picture.layout] else {
      throw OvercrankError(.unsupported, "a picture of \(picture.layout) cannot be written as a JPEG.")
    }
    var planes = bases.prefix(3).map { UnsafePointer($0) }
    return try compress(width: picture.width, height: picture.height, subsampling) { target, size in
      tjCompressFromYUVPlanes(
        compressor, &planes, width, Array(picture.planeStrides.prefix(3)), height,
        Int32(subsampling.rawValue), &target, &size, quality, TJFLAG_NOREALLOC)
    }
  }

  private static let subsamplings: [PixelLayout: TJSAMP] = [
    .gray: TJSAMP_GRAY, .yuv420p: TJSAMP_420, .yuv422p: TJSAMP_422, .yuv444p: TJSAMP_444,
    PixelLayout(AV_PIX_FMT_YUV440P): TJSAMP_440, PixelLayout(AV_PIX_FMT_YUV411P): TJSAMP_411,
  ]

  /// Encodes one picture of red, green and blue bytes, rows without padding.
  ///
  /// - Precondition: `rgb` holds the whole picture.
  /// - Throws: `OvercrankError` if no JPEG can have the picture's size.
  borrowing func encode(
    rgb: [UInt8], width: Int, height: Int, subsampling: TJSAMP
  ) throws(OvercrankError) -> [UInt8] {
    precondition(rgb.count >= 3 * width * height, "the bytes must hold the whole picture")
    return try compress(width: width, height: height, subsampling) { target, size in
      tjCompress2(
        compressor, rgb, Int32(width), 3 * Int32(width), Int32(height), Int32(TJPF_RGB.rawValue), &target,
        &size, Int32(subsampling.rawValue), quality, TJFLAG_NOREALLOC | TJFLAG_ACCURATEDCT)
    }
  }

  /// Returns the JPEG that `body` lets TurboJPEG write to memory large enough for any JPEG of this size.
  private borrowing func compress(
    width: Int, height: Int, _ subsampling: TJSAMP,
    _ body: (inout UnsafeMutablePointer<UInt8>?, inout UInt) -> Int32
  ) throws(OvercrankError) -> [UInt8] {
    guard Self.sides.contains(width), Self.sides.contains(height) else {
      throw OvercrankError(.unsupported, "a JPEG cannot be \(width)x\(height): the maximum is 65500x65500")
    }
    let capacity = Int(tjBufSize(Int32(width), Int32(height), Int32(subsampling.rawValue)))
    var status: Int32 = 0
    let jpeg = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      var target = buffer.baseAddress
      var size = UInt(capacity)
      status = body(&target, &size)
      count = status == 0 ? Int(size) : 0
    }
    guard status == 0 else {
      throw OvercrankError(
        .badData, "TurboJPEG could not encode \(width)x\(height): \(turboJPEGReason(compressor))")
    }
    return jpeg
  }
}

/// Returns TurboJPEG's reason for its last failure.
func turboJPEGReason(_ handle: tjhandle?) -> String {
  tjGetErrorStr2(handle).map { String(cString: $0) } ?? "no reason given"
}
