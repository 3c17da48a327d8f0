internal import CLibAV

/// What the numbers of a picture mean as colours, in the code points of ITU-T H.273, which containers,
/// codecs and libav share.
public struct ColorDescription: Hashable, Sendable {
  /// Which red, green and blue.
  public struct Primaries: RawRepresentable, Hashable, Sendable {
    /// The code point.
    public let rawValue: UInt32
    /// The primaries with this code point.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Nobody said.
    public static let unspecified = Primaries(rawValue: 2)
    /// BT.709 and sRGB.
    public static let bt709 = Primaries(rawValue: 1)
    /// BT.601 of 525 lines; SMPTE 170M.
    public static let smpte170m = Primaries(rawValue: 6)
    /// BT.2020.
    public static let bt2020 = Primaries(rawValue: 9)
  }

  /// How light becomes a number.
  public struct Transfer: RawRepresentable, Hashable, Sendable {
    /// The code point.
    public let rawValue: UInt32
    /// The transfer with this code point.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Nobody said.
    public static let unspecified = Transfer(rawValue: 2)
    /// BT.709.
    public static let bt709 = Transfer(rawValue: 1)
    /// BT.601.
    public static let smpte170m = Transfer(rawValue: 6)
    /// In proportion.
    public static let linear = Transfer(rawValue: 8)
    /// sRGB; IEC 61966-2-1.
    public static let srgb = Transfer(rawValue: 13)
    /// SMPTE ST 2084, the PQ of BT.2100.
    public static let pq = Transfer(rawValue: 16)
    /// The HLG of BT.2100.
    public static let hlg = Transfer(rawValue: 18)

    /// Whether it is one of those of high dynamic range, of which 8 bits show the steps.
    public var isHDR: Bool { self == .pq || self == .hlg }
  }

  /// How red, green and blue become luma and chroma.
  public struct Matrix: RawRepresentable, Hashable, Sendable {
    /// The code point.
    public let rawValue: UInt32
    /// The matrix with this code point.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Not at all: the samples are red, green and blue.
    public static let rgb = Matrix(rawValue: 0)
    /// Nobody said.
    public static let unspecified = Matrix(rawValue: 2)
    /// BT.709.
    public static let bt709 = Matrix(rawValue: 1)
    /// BT.601.
    public static let bt601 = Matrix(rawValue: 6)
    /// BT.2020 with constant gamma.
    public static let bt2020 = Matrix(rawValue: 9)
  }

  /// Which numbers black and white have.
  public enum Range: UInt32, Hashable, Sendable {
    /// Nobody said.
    case unspecified = 0
    /// Luma 16 to 235, as video has it.
    case limited = 1
    /// Luma 0 to 255, as JPEG has it.
    case full = 2
  }

  /// Which red, green and blue.
  public var primaries: Primaries
  /// How light becomes a number.
  public var transfer: Transfer
  /// How red, green and blue become luma and chroma.
  public var matrix: Matrix
  /// Which numbers black and white have.
  public var range: Range

  /// Colours of these four parts.
  public init(
    primaries: Primaries = .unspecified, transfer: Transfer = .unspecified, matrix: Matrix = .unspecified,
    range: Range = .unspecified
  ) {
    self.primaries = primaries
    self.transfer = transfer
    self.matrix = matrix
    self.range = range
  }

  /// Nobody said anything.
  public static let unspecified = ColorDescription()
  /// What JFIF means by a JPEG, and V4L2 by its `V4L2_COLORSPACE_JPEG`: sRGB through the full-range BT.601 matrix.
  public static let jpeg = ColorDescription(primaries: .bt709, transfer: .srgb, matrix: .bt601, range: .full)
  /// High-definition video.
  public static let bt709 = ColorDescription(
    primaries: .bt709, transfer: .bt709, matrix: .bt709, range: .limited)
  /// Standard-definition video.
  public static let bt601 = ColorDescription(
    primaries: .smpte170m, transfer: .smpte170m, matrix: .bt601, range: .limited)
}

extension ColorDescription {
  /// Under what a file's metadata has ``codePoints``.
  static let metadataKey = "h273_color"

  /// Primaries, transfer, matrix and range, such as `1/13/6/2`; the range as libav counts it.
  var codePoints: String {
    "\(primaries.rawValue)/\(transfer.rawValue)/\(matrix.rawValue)/\(range.rawValue)"
  }

  /// Reads ``codePoints``; `nil` where `text` is none.
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
