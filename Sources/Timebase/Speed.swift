/// The speed at which a clip plays: 1/8 plays eight times slower than real time.
public struct Speed: Hashable, Sendable, CustomStringConvertible {
  /// Capture seconds per second of the clip; above zero.
  public let factor: Fraction

  /// Creates a speed of `factor`; `nil` outside ``slowest``...``fastest``.
  public init?(_ factor: Fraction) {
    guard factor >= Self.slowest, factor <= Self.fastest else { return nil }
    self.factor = factor
  }

  /// Real time.
  public static let normal = Speed(unchecked: Fraction(1))
  /// A ten-thousandth of real time: a second of capture fills almost three hours.
  public static let slowest = Fraction(1, 10_000)
  /// A hundred times real time.
  public static let fastest = Fraction(100)

  private init(unchecked factor: Fraction) { self.factor = factor }

  /// Reads `1/8`, `0.125`, `12.5%`, `8x-slower` or `2x-faster`.
  ///
  /// - Throws: `QuantityError`, also for `8x`, which could mean either slower or faster.
  public init(text: String) throws(QuantityError) {
    if let times = Self.times(text), times > Fraction(1) {
      let number = times.decimal(places: 4)
      throw QuantityError(
        text,
        expected: "clear: write 1/\(number) or \(number)x-slower for \(number) times slower, "
          + "\(number)x-faster for \(number) times faster")
    }
    guard let factor = Self.factor(text), let speed = Speed(factor) else {
      throw QuantityError(
        text, expected: "a speed from 1/10000 to 100; 1/8, 0.125, 12.5% and 8x-slower all play 8 times slower"
      )
    }
    self = speed
  }

  private static func factor(_ text: String) -> Fraction? {
    if text.hasSuffix("%") {
      return Fraction(text: text.dropLast()).map { $0 / Fraction(100) }
    }
    let words = text.lowercased()
    if ["x-slower", "x slower"].contains(where: words.hasSuffix) {
      return Fraction(text: text.dropLast(8)).flatMap { $0.numerator == 0 ? nil : $0.reciprocal }
    }
    if ["x-faster", "x faster"].contains(where: words.hasSuffix) { return Fraction(text: text.dropLast(8)) }
    // A factor of at most 1, such as 0.5x or 1/8x, is not ambiguous.
    return times(text) ?? Fraction(text: text)
  }

  /// Returns the number in `8x` or `x8`.
  private static func times(_ text: String) -> Fraction? {
    let signs: Set<Character> = ["x", "X", "\u{d7}"]
    if let last = text.last, signs.contains(last) { return Fraction(text: text.dropLast()) }
    if let first = text.first, signs.contains(first) { return Fraction(text: text.dropFirst()) }
    return nil
  }

  /// The exact speed: `1/8` or `0.4`.
  public var text: String { factor.numerator == 1 ? factor.description : factor.exactText }

  /// The speed as a unit fraction such as `1/8`, otherwise as at most four decimals, such as `0.4`.
  public var description: String {
    factor.numerator == 1 ? factor.description : factor.decimal(places: 4)
  }
}
