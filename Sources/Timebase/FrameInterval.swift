/// Seconds per frame, with the two terms as the driver reported them.
///
/// Corresponds to V4L2's `struct v4l2_fract`. Drivers report zero terms and unreduced fractions; both are
/// kept, so that a table shows exactly what the driver reported. Use ``rate`` for calculations.
public struct FrameInterval: Hashable, Sendable {
  /// The numerator, in seconds.
  public let numerator: UInt32
  /// The denominator, in frames.
  public let denominator: UInt32

  /// Creates an interval of `numerator / denominator` seconds per frame.
  public init(_ numerator: UInt32, _ denominator: UInt32) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// Creates the interval of `rate`, in lowest terms; `nil` if a term does not fit 32 bits.
  public init?(_ rate: FrameRate) {
    guard let numerator = UInt32(exactly: rate.interval.numerator),
      let denominator = UInt32(exactly: rate.interval.denominator)
    else { return nil }
    self.init(numerator, denominator)
  }

  /// The rate in frames per second; `nil` if a term is zero.
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
        in: terms, debugDescription: "a frame interval must have two terms, as in [1, 240]")
    }
  }

  /// Writes `[1, 240]`.
  public func encode(to encoder: any Encoder) throws {
    var terms = encoder.unkeyedContainer()
    try terms.encode(numerator)
    try terms.encode(denominator)
  }
}
