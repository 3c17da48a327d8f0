/// An exact fraction of two 64-bit integers, always in lowest terms with a positive denominator.
///
/// Rates, intervals, speeds and instants are fractions, so that 120000/1001 stays what it is and a
/// sum of a million intervals has no drift. Arithmetic goes through 128 bits. A result whose terms do not fit
/// 62 bits even in lowest terms has both cut down until they do: what a person or a driver writes never gets
/// there, and what a damaged file claims must not stop the program.
public struct Fraction: Hashable, Sendable {
  /// The signed term above the line.
  public let numerator: Int64
  /// The term below the line; at least 1.
  public let denominator: Int64

  /// A whole number, held to 62 bits.
  public init(_ whole: Int64) {
    self.numerator = min(max(whole, -Int64(Self.largestWhole)), Int64(Self.largestWhole))
    self.denominator = 1
  }

  /// `numerator / denominator`, reduced.
  ///
  /// - Precondition: `denominator` is not zero.
  public init(_ numerator: Int64, _ denominator: Int64) {
    self.init(reducing: Int128(numerator), Int128(denominator))
  }

  /// `numerator / denominator`, reduced, and cut down where that does not fit.
  package init(reducing numerator: Int128, _ denominator: Int128) {
    precondition(denominator != 0, "a fraction's denominator is not zero")
    var (a, b) = (numerator.magnitude, denominator.magnitude)
    while b != 0 { (a, b) = (b, a % b) }
    let divisor = Int128(a) * (denominator < 0 ? -1 : 1)
    var (top, bottom) = (numerator / divisor, denominator / divisor)
    while max(top.magnitude, bottom.magnitude) > Self.mostExact {
      top /= 2
      bottom /= 2
    }
    // Larger than any fraction of 62 bits: the largest stands for it.
    if bottom == 0 { (top, bottom) = (top < 0 ? -Self.largestWhole : Self.largestWhole, 1) }
    self.numerator = Int64(top)
    self.denominator = Int64(bottom)
  }

  /// 62 bits, so that the sum of two products of terms fits 128.
  private static let mostExact: Int128.Magnitude = 1 << 62
  private static let largestWhole: Int128 = 1 << 62

  /// The nearest `Double`, for display and for statistics; never for comparing.
  public var doubleValue: Double { Double(numerator) / Double(denominator) }

  /// One over this fraction.
  ///
  /// - Precondition: it is not zero.
  public var reciprocal: Fraction { Fraction(denominator, numerator) }

  /// The largest whole number not above this fraction.
  public var floor: Int64 {
    let quotient = numerator / denominator
    return numerator % denominator < 0 ? quotient - 1 : quotient
  }

  /// The nearest whole number, halves upwards.
  public var rounded: Int64 {
    (self + Fraction(1, 2)).floor
  }

  /// `value` times this fraction, to the nearest whole number, halves upwards; held to 64 bits.
  public func scaling(_ value: Int64) -> Int64 {
    let doubled = Int128(value) * Int128(numerator) * 2 + Int128(denominator)
    let divisor = Int128(denominator) * 2
    let quotient = doubled / divisor
    return Int64(clamping: doubled % divisor < 0 ? quotient - 1 : quotient)
  }
}

extension Fraction: Comparable {
  /// Compares exactly, through 128 bits.
  public static func < (left: Fraction, right: Fraction) -> Bool {
    Int128(left.numerator) * Int128(right.denominator) < Int128(right.numerator) * Int128(left.denominator)
  }
}

extension Fraction {
  /// The exact sum.
  public static func + (left: Fraction, right: Fraction) -> Fraction {
    Fraction(
      reducing: Int128(left.numerator) * Int128(right.denominator)
        + Int128(right.numerator) * Int128(left.denominator),
      Int128(left.denominator) * Int128(right.denominator))
  }

  /// The exact difference.
  public static func - (left: Fraction, right: Fraction) -> Fraction {
    left + Fraction(-right.numerator, right.denominator)
  }

  /// The exact product.
  public static func * (left: Fraction, right: Fraction) -> Fraction {
    Fraction(
      reducing: Int128(left.numerator) * Int128(right.numerator),
      Int128(left.denominator) * Int128(right.denominator))
  }

  /// The exact quotient; traps where `right` is zero.
  public static func / (left: Fraction, right: Fraction) -> Fraction {
    left * right.reciprocal
  }

  /// The distance from zero.
  public var magnitude: Fraction { numerator < 0 ? Fraction(-numerator, denominator) : self }
}

extension Fraction: CustomStringConvertible {
  /// `240` or `120000/1001`.
  public var description: String {
    denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)"
  }
}
