public import Platform
internal import CLibAV
internal import CTurboJPEG

/// A decoder from JPEG to planar luma and chroma in the JPEG's own subsampling, without a conversion to RGB.
///
/// JPEGs without Huffman tables, which many webcams send, are decoded with the standard's. Use from one
/// thread at a time; for speed, use one decoder per core.
public struct JPEGDecoder: ~Copyable {
  private var decompressor: tjhandle
  private let color: ColorDescription
  private let reduction: Int32
  private var pool: PicturePool

  /// Creates a decoder of JPEGs in these colours, which JPEGs themselves do not state.
  ///
  /// - Parameters:
  ///   - color: the colours of the JPEGs.
  ///   - reduction: the factor by which pictures are reduced during decoding, 1, 2, 4 or 8, which saves as
  ///     much of the work; an odd row or column is rounded up.
  /// - Throws: `unsupported` if TurboJPEG cannot be set up.
  public init(color: ColorDescription = .jpeg, reduction: Int = 1) throws(OvercrankError) {
    precondition([1, 2, 4, 8].contains(reduction), "TurboJPEG cannot decode at 1/\(reduction)")
    guard let decompressor = tjInitDecompress() else {
      throw OvercrankError(.unsupported, "TurboJPEG could not create a decompressor: \(turboJPEGReason(nil))")
    }
    self.decompressor = decompressor
    self.color = color
    self.reduction = Int32(reduction)
    pool = PicturePool()
  }

  deinit { tjDestroy(decompressor) }

  /// Decodes one JPEG; bytes after its end are ignored.
  ///
  /// - Throws: `badData` if it is not a JPEG, or damaged: an incomplete picture is never returned.
  public mutating func decode(_ bytes: UnsafeRawBufferPointer) throws(OvercrankError) -> Picture {
    do {
      return try decodeWhole(bytes)
    } catch {
      // After a damaged header, TurboJPEG keeps its state, and would misread the next JPEG.
      if let fresh = tjInitDecompress() {
        tjDestroy(decompressor)
        decompressor = fresh
      }
      throw error
    }
  }

  private mutating func decodeWhole(_ bytes: UnsafeRawBufferPointer) throws(OvercrankError) -> Picture {
    let picture = try emptyPicture(for: bytes)
    switch fill(picture, from: bytes) {
    case .whole:
      return picture
    case .cutOff(let words):
      // Some cameras omit the end marker. If the picture decodes with one appended, nothing else is missing.
      let ended = Array(bytes) + [0xff, 0xd9]
      guard case .whole = ended.withUnsafeBytes({ fill(picture, from: $0) }) else {
        throw Self.damaged(bytes, words)
      }
      return picture
    case .damaged(let words):
      throw Self.damaged(bytes, words)
    }
  }

  private mutating func emptyPicture(for bytes: UnsafeRawBufferPointer) throws(OvercrankError) -> Picture {
    var (width, height, subsampling, colorspace) = (Int32(0), Int32(0), Int32(0), Int32(0))
    let result = tjDecompressHeader3(
      decompressor, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt(bytes.count), &width,
      &height, &subsampling, &colorspace)
    // A warning may concern data after the header, or its absence.
    guard result == 0 || tjGetErrorCode(decompressor) == TJERR_WARNING.rawValue, width > 0 else {
      throw Self.damaged(bytes, turboJPEGReason(decompressor))
    }
    guard let layout = Self.layout(subsampling, colorspace) else {
      throw OvercrankError(
        .unsupported,
        "a JPEG of \(width)x\(height) has chroma subsampling or a colour space that no camera sends.")
    }
    // Each block of 8 x 8 samples takes at least two bits: a damaged header must not claim gigabytes.
    guard Int(width) * Int(height) <= 256 * bytes.count else {
      throw OvercrankError(.badData, "a JPEG of \(bytes.count) bytes cannot be \(width)x\(height).")
    }
    let (reducedWidth, reducedHeight) = ((width - 1) / reduction + 1, (height - 1) / reduction + 1)
    return try pool.picture(
      layout: layout, width: Int(reducedWidth), height: Int(reducedHeight), color: color)
  }

  private enum Outcome {
    case whole
    case cutOff(String)
    case damaged(String)
  }

  private borrowing func fill(_ picture: Picture, from bytes: UnsafeRawBufferPointer) -> Outcome {
    var planes = Array(picture.planeBases.prefix(3))
    var strides = Array(picture.planeStrides.prefix(3))
    // Stop at the first warning, which names the cause: a later one would only name a consequence.
    let result = tjDecompressToYUVPlanes(
      decompressor, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt(bytes.count), &planes,
      Int32(picture.width), &strides, Int32(picture.height), TJFLAG_STOPONWARNING)
    guard result != 0 else { return .whole }
    let words = turboJPEGReason(decompressor)
    // TurboJPEG has no codes for its warnings. Padding before the end marker comes after the last pixel.
    if words.hasSuffix("extraneous bytes before marker 0xd9") { return .whole }
    return words.contains("Premature end of JPEG file") ? .cutOff(words) : .damaged(words)
  }

  /// Returns whether a decoder supports the subsampling and colours of JPEGs like `bytes`, as far as the
  /// header is readable.
  static func knowsColors(of bytes: UnsafeRawBufferPointer) -> Bool {
    guard let decompressor = tjInitDecompress() else { return true }
    defer { tjDestroy(decompressor) }
    var (width, height, subsampling, colorspace) = (Int32(0), Int32(0), Int32(0), Int32(0))
    let result = tjDecompressHeader3(
      decompressor, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt(bytes.count), &width,
      &height, &subsampling, &colorspace)
    return result != 0 || layout(subsampling, colorspace) != nil
  }

  private static func layout(_ subsampling: Int32, _ colorspace: Int32) -> PixelLayout? {
    switch (TJSAMP(UInt32(bitPattern: subsampling)), TJCS(UInt32(bitPattern: colorspace))) {
    case (TJSAMP_GRAY, TJCS_GRAY): .gray
    case (TJSAMP_420, TJCS_YCbCr): .yuv420p
    case (TJSAMP_422, TJCS_YCbCr): .yuv422p
    case (TJSAMP_444, TJCS_YCbCr): .yuv444p
    case (TJSAMP_440, TJCS_YCbCr): PixelLayout(AV_PIX_FMT_YUV440P)
    case (TJSAMP_411, TJCS_YCbCr): PixelLayout(AV_PIX_FMT_YUV411P)
    default: nil
    }
  }

  private static func damaged(_ bytes: UnsafeRawBufferPointer, _ words: String) -> OvercrankError {
    OvercrankError(.badData, "a JPEG of \(bytes.count) bytes is damaged: \(words).")
  }
}
