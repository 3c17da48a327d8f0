/// An exact fraction of two 64-bit integers, always in lowest terms with a positive denominator.
///
/// Rates, intervals and speeds are fractions, so 120000/1001 stays exact and a sum of a million intervals
/// does not drift. Arithmetic uses 128 bits. If a result's terms exceed 62 bits even in lowest terms, both
/// are halved until they fit. Values from users and drivers never get that large; the limit keeps values from
/// damaged files from trapping.
public struct Fraction: Hashable, Sendable {
  /// The signed numerator.
  public let numerator: Int64
  /// The denominator; at least 1.
  public let denominator: Int64

  /// Creates a whole number, clamped to 62 bits.
  public init(_ whole: Int64) {
    self.numerator = min(max(whole, -Int64(Self.largestWhole)), Int64(Self.largestWhole))
    self.denominator = 1
  }

  /// Creates `numerator / denominator` in lowest terms.
  ///
  /// - Precondition: `denominator` is not zero.
  public init(_ numerator: Int64, _ denominator: Int64) {
    self.init(reducing: Int128(numerator), Int128(denominator))
  }

  /// Creates `numerator / denominator` in lowest terms; halves both terms until they fit 62 bits.
  package init(reducing numerator: Int128, _ denominator: Int128) {
    precondition(denominator != 0, "a fraction's denominator must not be zero")
    var (a, b) = (numerator.magnitude, denominator.magnitude)
    while b != 0 { (a, b) = (b, a % b) }
    let divisor = Int128(a) * (denominator < 0 ? -1 : 1)
    var (top, bottom) = (numerator / divisor, denominator / divisor)
    while max(top.magnitude, bottom.magnitude) > Self.mostExact {
      top /= 2
      bottom /= 2
    }
    // Any larger value becomes the largest fraction.
    if bottom == 0 { (top, bottom) = (top < 0 ? -Self.largestWhole : Self.largestWhole, 1) }
    self.numerator = Int64(top)
    self.denominator = Int64(bottom)
  }

  /// 62 bits, so that the sum of two products of terms fits 128 bits.
  private static let mostExact: Int128.Magnitude = 1 << 62
  private static let largestWhole: Int128 = 1 << 62

  /// The nearest `Double`, for display and for statistics; never for comparing.
  public var doubleValue: Double { Double(numerator) / Double(denominator) }

  /// The reciprocal.
  ///
  /// - Precondition: The fraction is not zero.
  public var reciprocal: Fraction { Fraction(denominator, numerator) }

  /// The largest whole number that is not above this fraction.
  public var floor: Int64 {
    let quotient = numerator / denominator
    return numerator % denominator < 0 ? quotient - 1 : quotient
  }

  /// The nearest whole number; halves round up.
  public var rounded: Int64 {
    (self + Fraction(1, 2)).floor
  }

  /// Returns `value` times this fraction, rounded to the nearest whole number (halves round up) and clamped
  /// to 64 bits.
  public func scaling(_ value: Int64) -> Int64 {
    let doubled = Int128(value) * Int128(numerator) * 2 + Int128(denominator)
    let divisor = Int128(denominator) * 2
    let quotient = doubled / divisor
    return Int64(clamping: doubled % divisor < 0 ? quotient - 1 : quotient)
  }
}

extension Fraction: Comparable {
  /// Returns whether `left` is smaller; the comparison is exact, in 128 bits.
  public static func < (left: Fraction, right: Fraction) -> Bool {
    Int128(left.numerator) * Int128(right.denominator) < Int128(right.numerator) * Int128(left.denominator)
  }
}

extension Fraction {
  /// Returns the exact sum.
  public static func + (left: Fraction, right: Fraction) -> Fraction {
    Fraction(
      reducing: Int128(left.numerator) * Int128(right.denominator)
        + Int128(right.numerator) * Int128(left.denominator),
      Int128(left.denominator) * Int128(right.denominator))
  }

  /// Returns the exact difference.
  public static func - (left: Fraction, right: Fraction) -> Fraction {
    left + Fraction(-right.numerator, right.denominator)
  }

  /// Returns the exact product.
  public static func * (left: Fraction, right: Fraction) -> Fraction {
    Fraction(
      reducing: Int128(left.numerator) * Int128(right.numerator),
      Int128(left.denominator) * Int128(right.denominator))
  }

  /// Returns the exact quotient; traps if `right` is zero.
  public static func / (left: Fraction, right: Fraction) -> Fraction {
    left * right.reciprocal
  }

  /// The absolute value.
  public var magnitude: Fraction { numerator < 0 ? Fraction(-numerator, denominator) : self }
}

extension Fraction: CustomStringConvertible {
  /// `240` or `120000/1001`.
  public var description: String {
    denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)"
  }
}
