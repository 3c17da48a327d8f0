extension Duration {
  /// The longest duration that text may ask for, in seconds: a week.
  private static let longest = Fraction(7 * 24 * 3600)

  /// Reads `3s`, `250ms`, `1m30s`, `2h`, `500us` or plain seconds such as `2.5`.
  public init(text: String) throws(QuantityError) {
    guard let seconds = Self.seconds(text), seconds <= Self.longest else {
      throw QuantityError(text, expected: "a duration of at most a week, such as 3s, 250ms, 1m30s or 2.5")
    }
    self = .nanoseconds(seconds.scaling(1_000_000_000))
  }

  private static let units: [(suffix: String, seconds: Fraction)] = [
    ("h", Fraction(3600)), ("m", Fraction(60)), ("s", Fraction(1)), ("ms", Fraction(1, 1000)),
    ("us", Fraction(1, 1_000_000)),
  ]

  private static func seconds(_ text: String) -> Fraction? {
    if let plain = Fraction(text: text), !text.contains("/") { return plain }
    var rest = text[...]
    var total = Fraction(0)
    var lastUnit = -1
    while !rest.isEmpty {
      let number = rest.prefix { $0.isNumber || $0 == "." }
      rest = rest.dropFirst(number.count)
      let suffix = rest.prefix { $0.isLetter }
      rest = rest.dropFirst(suffix.count)
      // Units only fall, each at most once: 1m30s, never 30s1m.
      guard let value = Fraction(text: number),
        let unit = units.firstIndex(where: { $0.suffix == suffix }), unit > lastUnit
      else { return nil }
      lastUnit = unit
      total = total + value * units[unit].seconds
      guard total <= longest else { return nil }
    }
    return lastUnit >= 0 ? total : nil
  }

  /// The whole nanoseconds in this duration, rounded towards zero; saturates at 292 years.
  public var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return seconds < 0 ? .min : .max }
    let (sum, overflowed) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflowed ? (seconds < 0 ? .min : .max) : sum
  }
}
