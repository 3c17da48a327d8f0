/// An exact frame rate above zero.
public struct FrameRate: Hashable, Sendable, Comparable, CodedAsText, CustomStringConvertible {
  /// Frames per second.
  public let framesPerSecond: Fraction

  /// Creates a rate of `framesPerSecond`; `nil` unless it is above zero.
  public init?(_ framesPerSecond: Fraction) {
    guard framesPerSecond.numerator > 0 else { return nil }
    self.framesPerSecond = framesPerSecond
  }

  /// Creates a rate of a whole number of frames per second.
  ///
  /// - Precondition: `framesPerSecond` is at least 1.
  public init(whole framesPerSecond: Int64) {
    precondition(framesPerSecond > 0, "a rate must be above zero")
    self.framesPerSecond = Fraction(framesPerSecond)
  }

  /// The highest rate that text may specify, in frames per second.
  public static let highest = Fraction(1_000_000)

  /// Reads `240`, `119.88` or `120000/1001`, each with an optional unit, as in `240fps` or `240Hz`.
  public init(text: String) throws(QuantityError) {
    let unit = ["fps", "hz"].first { text.lowercased().hasSuffix($0) }
    guard let fraction = Fraction(text: text.dropLast(unit?.count ?? 0)), fraction <= Self.highest,
      let rate = FrameRate(fraction)
    else {
      throw QuantityError(
        text,
        expected: "a rate above 0 and at most a million frames per second, such as 240, 119.88 or "
          + "120000/1001")
    }
    self = rate
  }

  /// The exact rate as text: `240`, `119.88` or `120000/1001`.
  public var text: String { framesPerSecond.exactText }

  /// Seconds from one frame to the next.
  public var interval: Fraction { framesPerSecond.reciprocal }

  /// Returns whether `left` is the lower rate; the comparison is exact.
  public static func < (left: FrameRate, right: FrameRate) -> Bool {
    left.framesPerSecond < right.framesPerSecond
  }

  /// The rate to at most two decimals: `240`, `119.88`; a rate too low for them as it is: `1/3600`.
  public var description: String {
    let text = framesPerSecond.decimal(places: 2)
    return text == "0" ? framesPerSecond.exactText : text
  }

  /// Text that ``init(text:)`` reads as exactly this rate: ``description`` if that is exact, otherwise a
  /// fraction.
  public var exactDescription: String {
    Fraction(text: description) == framesPerSecond ? description : framesPerSecond.description
  }
}

extension Fraction {
  /// Returns the value rounded to at most `places` decimals, without trailing zeros.
  public func decimal(places: Int) -> String {
    var unit: Int64 = 1
    for _ in 0..<places { unit *= 10 }
    let scaled = (magnitude * Fraction(unit)).rounded
    var decimals = String(scaled % unit)
    decimals = String(repeating: "0", count: max(0, places - decimals.count)) + decimals
    while decimals.hasSuffix("0") { decimals.removeLast() }
    let sign = numerator < 0 && scaled != 0 ? "-" : ""
    return sign + String(scaled / unit) + (decimals.isEmpty ? "" : "." + decimals)
  }
}

extension FrameRate {
  /// Returns a measured rate as text, with at most two decimals; one too low for them as it is.
  public static func text(_ framesPerSecond: Double) -> String {
    guard let hundredths = Int64(exactly: (framesPerSecond * 100).rounded()),
      hundredths > 0 || framesPerSecond == 0
    else {
      return "\(framesPerSecond)"
    }
    return Fraction(hundredths, 100).decimal(places: 2)
  }
}
