/// Seconds per frame in the two terms that a driver gave, kept as they came.
///
/// V4L2's `struct v4l2_fract`. Drivers give zero terms and unreduced fractions; both survive here, so
/// that a table shows what the driver said. Use ``rate`` for reckoning.
public struct FrameInterval: Hashable, Sendable {
  /// Seconds above the line.
  public let numerator: UInt32
  /// Frames below the line.
  public let denominator: UInt32

  /// `numerator / denominator` seconds per frame.
  public init(_ numerator: UInt32, _ denominator: UInt32) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// The interval of `rate`, in lowest terms; `nil` where a term does not fit 32 bits.
  public init?(_ rate: FrameRate) {
    guard let numerator = UInt32(exactly: rate.interval.numerator),
      let denominator = UInt32(exactly: rate.interval.denominator)
    else { return nil }
    self.init(numerator, denominator)
  }

  /// Frames per second; `nil` where a term is zero, which promises no rate.
  public var rate: FrameRate? {
    guard numerator > 0, denominator > 0 else { return nil }
    return FrameRate(Fraction(Int64(denominator), Int64(numerator)))
  }
}

extension FrameInterval: Codable {
  /// Reads `[1, 240]`.
  public init(from decoder: any Decoder) throws {
    var terms = try decoder.unkeyedContainer()
    self.init(try terms.decode(UInt32.self), try terms.decode(UInt32.self))
    guard terms.isAtEnd else {
      throw DecodingError.dataCorruptedError(
        in: terms, debugDescription: "a frame interval has two terms, as in [1, 240]")
    }
  }

  /// Writes `[1, 240]`.
  public func encode(to encoder: any Encoder) throws {
    var terms = encoder.unkeyedContainer()
    try terms.encode(numerator)
    try terms.encode(denominator)
  }
}
