public import Platform
internal import CLibAV
internal import CTurboJPEG

/// Decodes JPEGs to planar luma and chroma in the JPEG's own subsampling, without a detour by RGB.
///
/// JPEGs without Huffman tables, as many webcams send them, are decoded with the standard's. Use from one thread at a
/// time; a decoder each on as many threads as there are cores is how to be fast.
public struct JPEGDecoder: ~Copyable {
  private var decompressor: tjhandle
  private let color: ColorDescription
  private let reduction: Int32
  private var pool = PicturePool()

  /// A decoder of JPEGs in these colours, which JPEGs themselves do not tell.
  ///
  /// - Parameters:
  ///   - color: the colours of the JPEGs.
  ///   - reduction: by how much pictures are made smaller as they are decoded, 1, 2, 4 or 8, which
  ///     saves as much of the work; an odd row or column is rounded up.
  /// - Throws: `unsupported` where TurboJPEG cannot be set up.
  public init(color: ColorDescription = .jpeg, reduction: Int = 1) throws(OvercrankError) {
    precondition([1, 2, 4, 8].contains(reduction), "TurboJPEG has no short way to 1/\(reduction)")
    guard let decompressor = tjInitDecompress() else {
      throw OvercrankError(.unsupported, "TurboJPEG gave no decompressor: \(turboJPEGReason(nil))")
    }
    self.decompressor = decompressor
    self.color = color
    self.reduction = Int32(reduction)
  }

  deinit { tjDestroy(decompressor) }

  /// Decodes one JPEG; bytes behind its end are ignored.
  ///
  /// - Throws: `badData` where it is no JPEG, or damaged: half a picture is never given.
  public mutating func decode(_ bytes: UnsafeRawBufferPointer) throws(OvercrankError) -> Picture {
    do {
      return try decodeWhole(bytes)
    } catch {
      // TurboJPEG stays where a damaged header stopped it, and would read the next JPEG from there.
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
      // Some cameras leave the end marker out. With one put there, a picture that lacks nothing else is whole.
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
    // A warning may come of what follows the header, or of there being none.
    guard result == 0 || tjGetErrorCode(decompressor) == TJERR_WARNING.rawValue, width > 0 else {
      throw Self.damaged(bytes, turboJPEGReason(decompressor))
    }
    guard let layout = Self.layout(subsampling, colorspace) else {
      throw OvercrankError(
        .unsupported, "a JPEG of \(width)x\(height) has a subsampling or colours that no camera sends.")
    }
    // Each 8 x 8 samples take two bits at the very least: a damaged header must not claim gigabytes.
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
    // The first warning ends it, and tells of its cause: a later one would only tell of what came of it.
    let result = tjDecompressToYUVPlanes(
      decompressor, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt(bytes.count), &planes,
      Int32(picture.width), &strides, Int32(picture.height), TJFLAG_STOPONWARNING)
    guard result != 0 else { return .whole }
    let words = turboJPEGReason(decompressor)
    // TurboJPEG has no code for its warnings. Padding in front of the end marker comes after the last pixel.
    if words.hasSuffix("extraneous bytes before marker 0xd9") { return .whole }
    return words.contains("Premature end of JPEG file") ? .cutOff(words) : .damaged(words)
  }

  /// Whether a decoder takes the subsampling and the colours of JPEGs like `bytes`, as far as their header can be read.
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
