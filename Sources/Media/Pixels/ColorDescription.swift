internal import CLibAV

/// The meaning of a picture's values as colours, in the code points of ITU-T H.273, which containers, codecs
/// and libav share.
public struct ColorDescription: Hashable, Sendable {
  /// The chromaticities of red, green and blue.
  public struct Primaries: RawRepresentable, Hashable, Sendable {
    /// The code point.
    public let rawValue: UInt32
    /// Creates the primaries with this code point.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Not specified.
    public static let unspecified = Primaries(rawValue: 2)
    /// BT.709 and sRGB.
    public static let bt709 = Primaries(rawValue: 1)
    /// BT.601 of 525 lines; SMPTE 170M.
    public static let smpte170m = Primaries(rawValue: 6)
    /// BT.2020.
    public static let bt2020 = Primaries(rawValue: 9)
  }

  /// The transfer function from light to values.
  public struct Transfer: RawRepresentable, Hashable, Sendable {
    /// The code point.
    public let rawValue: UInt32
    /// Creates the transfer with this code point.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Not specified.
    public static let unspecified = Transfer(rawValue: 2)
    /// BT.709.
    public static let bt709 = Transfer(rawValue: 1)
    /// BT.601.
    public static let smpte170m = Transfer(rawValue: 6)
    /// Linear.
    public static let linear = Transfer(rawValue: 8)
    /// sRGB; IEC 61966-2-1.
    public static let srgb = Transfer(rawValue: 13)
    /// SMPTE ST 2084, the PQ of BT.2100.
    public static let pq = Transfer(rawValue: 16)
    /// The HLG of BT.2100.
    public static let hlg = Transfer(rawValue: 18)

    /// Whether it is a transfer of high dynamic range, which shows banding in 8 bits.
    public var isHDR: Bool { self == .pq || self == .hlg }
  }

  /// The conversion from red, green and blue to luma and chroma.
  public struct Matrix: RawRepresentable, Hashable, Sendable {
    /// The code point.
    public let rawValue: UInt32
    /// Creates the matrix with this code point.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// None: the samples are red, green and blue.
    public static let rgb = Matrix(rawValue: 0)
    /// Not specified.
    public static let unspecified = Matrix(rawValue: 2)
    /// BT.709.
    public static let bt709 = Matrix(rawValue: 1)
    /// BT.601.
    public static let bt601 = Matrix(rawValue: 6)
    /// SMPTE 240M.
    public static let smpte240m = Matrix(rawValue: 7)
    /// BT.2020 with constant gamma.
    public static let bt2020 = Matrix(rawValue: 9)
    /// BT.2020 with constant luminance.
    public static let bt2020ConstantLuminance = Matrix(rawValue: 10)
  }

  /// The values of black and white.
  public enum Range: UInt32, Hashable, Sendable {
    /// Not specified.
    case unspecified = 0
    /// Luma 16 to 235, as in video.
    case limited = 1
    /// Luma 0 to 255, as in JPEG.
    case full = 2
  }

  /// The chromaticities of red, green and blue.
  public var primaries: Primaries
  /// The transfer function from light to values.
  public var transfer: Transfer
  /// The conversion from red, green and blue to luma and chroma.
  public var matrix: Matrix
  /// The values of black and white.
  public var range: Range

  /// Creates a description of these four parts.
  public init(
    primaries: Primaries = .unspecified, transfer: Transfer = .unspecified, matrix: Matrix = .unspecified,
    range: Range = .unspecified
  ) {
    self.primaries = primaries
    self.transfer = transfer
    self.matrix = matrix
    self.range = range
  }

  /// Nothing is specified.
  public static let unspecified = ColorDescription()
  /// JPEG as in JFIF, and V4L2's `V4L2_COLORSPACE_JPEG`: sRGB through the full-range BT.601 matrix.
  public static let jpeg = ColorDescription(primaries: .bt709, transfer: .srgb, matrix: .bt601, range: .full)
  /// High-definition video.
  public static let bt709 = ColorDescription(
    primaries: .bt709, transfer: .bt709, matrix: .bt709, range: .limited)
  /// Standard-definition video.
  public static let bt601 = ColorDescription(
    primaries: .smpte170m, transfer: .smpte170m, matrix: .bt601, range: .limited)
}

extension ColorDescription {
  /// The key of ``codePoints`` in a file's metadata.
  static let metadataKey = "h273_color"

  /// Primaries, transfer, matrix and range, such as `1/13/6/2`; the range in libav's numbers.
  var codePoints: String {
    "\(primaries.rawValue)/\(transfer.rawValue)/\(matrix.rawValue)/\(range.rawValue)"
  }

  /// Parses ``codePoints``; `nil` if `text` is invalid.
  init?(codePoints text: String) {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { UInt32($0) }
    guard numbers.count == 4, let primaries = numbers[0], let transfer = numbers[1], let matrix = numbers[2],
      let range = numbers[3].flatMap(Range.init), max(primaries, transfer, matrix) < 256
    else { return nil }
    self.init(
      primaries: Primaries(rawValue: primaries), transfer: Transfer(rawValue: transfer),
      matrix: Matrix(rawValue: matrix), range: range)
  }

  init(
    _ primaries: AVColorPrimaries, _ transfer: AVColorTransferCharacteristic, _ matrix: AVColorSpace,
    _ range: AVColorRange
  ) {
    self.init(
      primaries: Primaries(rawValue: primaries.rawValue), transfer: Transfer(rawValue: transfer.rawValue),
      matrix: Matrix(rawValue: matrix.rawValue), range: Range(rawValue: range.rawValue) ?? .unspecified)
  }

  var libavPrimaries: AVColorPrimaries { AVColorPrimaries(primaries.rawValue) }
  var libavTransfer: AVColorTransferCharacteristic { AVColorTransferCharacteristic(transfer.rawValue) }
  var libavMatrix: AVColorSpace { AVColorSpace(matrix.rawValue) }
  var libavRange: AVColorRange { AVColorRange(range.rawValue) }
}
