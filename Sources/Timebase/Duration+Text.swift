extension Duration {
  /// The longest duration that text may specify, in seconds: a week.
  private static let longest = Fraction(7 * 24 * 3600)

  /// Reads `3s`, `250ms`, `1m30s`, `2h`, `500us`, plain seconds such as `2.5`, clock times such as
  /// `00:01:30.5` or `1:30`, and longer unit names, as in `3sec` or `2minutes`.
  public init(text: String) throws(QuantityError) {
    guard let seconds = Self.seconds(text), seconds <= Self.longest else {
      throw QuantityError(
        text, expected: "a duration of at most a week, such as 3s, 250ms, 1m30s, 2.5 or 00:01:30")
    }
    self.init(seconds: seconds)
  }

  private static let units: [(names: Set<String>, seconds: Fraction)] = [
    (["h", "hr", "hrs", "hour", "hours"], Fraction(3600)),
    (["m", "min", "mins", "minute", "minutes"], Fraction(60)),
    (["s", "sec", "secs", "second", "seconds"], Fraction(1)),
    (["ms", "msec", "msecs", "millisecond", "milliseconds"], Fraction(1, 1000)),
    (["us", "\u{b5}s", "\u{3bc}s", "usec", "usecs", "microsecond", "microseconds"], Fraction(1, 1_000_000)),
  ]

  private static func seconds(_ text: String) -> Fraction? {
    // Any sensible duration is far shorter, so longer text is not parsed.
    guard text.utf8.count <= 100 else { return nil }
    if text.contains(":") { return clock(text) }
    if let plain = Fraction(text: text), !text.contains("/") { return plain }
    var rest = text[...]
    var total = Fraction(0)
    var lastUnit = -1
    while !rest.isEmpty {
      let number = rest.prefix { $0.isNumber || $0 == "." }
      rest = rest.dropFirst(number.count)
      let name = rest.prefix { $0.isLetter }
      rest = rest.dropFirst(name.count)
      // Units must descend, each at most once: 1m30s, never 30s1m.
      guard let value = Fraction(text: number),
        let unit = units.firstIndex(where: { $0.names.contains(name.lowercased()) }), unit > lastUnit
      else { return nil }
      lastUnit = unit
      total = total + value * units[unit].seconds
      guard total <= longest else { return nil }
    }
    return lastUnit >= 0 ? total : nil
  }

  /// Parses `1:30` or `00:01:30.5`, minutes and seconds with optional hours, into seconds.
  private static func clock(_ text: String) -> Fraction? {
    let terms = text.split(separator: ":", omittingEmptySubsequences: false).map { Fraction(text: $0) }
    guard (2...3).contains(terms.count), !text.contains("/") else { return nil }
    var total = Fraction(0)
    for (place, term) in terms.enumerated() {
      // Only the last term may have decimals; every term but the first must be below 60.
      guard let term, place == terms.count - 1 || term.denominator == 1, place == 0 || term < Fraction(60),
        term <= longest
      else { return nil }
      total = total * Fraction(60) + term
    }
    return total
  }
}
