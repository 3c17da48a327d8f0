internal import CTurboJPEG

/// Makes baseline JPEGs out of planar 4:2:2 pictures, the layout that webcams send.
///
/// Pictures of one encoder share their quantization tables and the standard's own Huffman tables, so that
/// the entropy-coded data of one may be joined to that of another.
public struct JPEGEncoder: ~Copyable {
  private let compressor: tjhandle
  private let quality: Int32

  /// An encoder at `quality`, from 1 (small) to 100 (faithful).
  ///
  /// - Throws: ``MediaError`` where TurboJPEG cannot be set up.
  public init(quality: Int) throws(MediaError) {
    precondition((1...100).contains(quality), "a JPEG's quality lies in 1...100")
    guard let compressor = tjInitCompress() else {
      throw MediaError(.unsupported, "TurboJPEG gave no compressor: \(Self.reason(nil))")
    }
    self.compressor = compressor
    self.quality = Int32(quality)
  }

  deinit { tjDestroy(compressor) }

  /// The samples in a row of luma for a picture `width` wide: a whole number of chroma samples' worth.
  public static func lumaStride(width: Int) -> Int { (width + 1) / 2 * 2 }

  /// Encodes one picture; full-range luma and chroma, as JFIF has them.
  ///
  /// - Parameters:
  ///   - luma: `height` rows of ``lumaStride(width:)`` samples.
  ///   - blue: Cb; `height` rows of half as many samples.
  ///   - red: Cr; laid out as `blue`.
  /// - Throws: ``MediaError`` where the picture has no size that a JPEG can have.
  public borrowing func encode(
    luma: Span<UInt8>, blue: Span<UInt8>, red: Span<UInt8>, width: Int, height: Int
  ) throws(MediaError) -> [UInt8] {
    let stride = Self.lumaStride(width: width)
    precondition(
      luma.count >= stride * height && min(blue.count, red.count) >= stride / 2 * height,
      "the planes hold the whole picture")
    guard (1...65_500).contains(width), (1...65_500).contains(height) else {
      throw MediaError(.unsupported, "a JPEG of \(width)x\(height) is not possible: at most 65500x65500")
    }
    let capacity = Int(tjBufSize(Int32(width), Int32(height), Int32(TJSAMP_422.rawValue)))
    var status: Int32 = 0
    let jpeg = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      var target = buffer.baseAddress
      var size = UInt(capacity)
      luma.withUnsafeBufferPointer { luma in
        blue.withUnsafeBufferPointer { blue in
          red.withUnsafeBufferPointer { red in
            var planes = [luma.baseAddress, blue.baseAddress, red.baseAddress]
            let strides = [Int32(stride), Int32(stride / 2), Int32(stride / 2)]
            status = tjCompressFromYUVPlanes(
              compressor, &planes, Int32(width), strides, Int32(height), Int32(TJSAMP_422.rawValue),
              &target, &size, quality, TJFLAG_NOREALLOC)
          }
        }
      }
      count = status == 0 ? Int(size) : 0
    }
    guard status == 0 else {
      throw MediaError(
        .badData, "TurboJPEG did not encode \(width)x\(height): \(Self.reason(compressor))")
    }
    return jpeg
  }

  private static func reason(_ compressor: tjhandle?) -> String {
    guard let text = tjGetErrorStr2(compressor) else { return "no reason given" }
    return String(cString: text)
  }
}
