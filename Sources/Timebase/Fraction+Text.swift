extension Fraction {
  /// The largest denominator accepted in text, as in the 32-bit fields of V4L2 and of containers; numerators
  /// may be 1000 times larger.
  static let largestTerm: Int64 = 1 << 32

  /// Reads `240`, `119.88` (exactly 2997/25) or `120000/1001`; accepts no sign and no exponent.
  package init?(text: some StringProtocol) {
    if let slash = text.firstIndex(of: "/") {
      guard let top = Fraction(decimal: text[..<slash]),
        let bottom = Fraction(decimal: text[text.index(after: slash)...]),
        bottom.numerator != 0
      else { return nil }
      self = top / bottom
      guard numerator <= Self.largestTerm * 1000, denominator <= Self.largestTerm else { return nil }
    } else {
      self.init(decimal: text)
    }
  }

  private init?(decimal text: some StringProtocol) {
    var digits: Int64 = 0
    var scale: Int64 = 1
    var sawPoint = false
    var sawDigit = false
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        sawDigit = true
        digits = digits * 10 + Int64(byte - UInt8(ascii: "0"))
        if sawPoint { scale *= 10 }
        guard digits <= Self.largestTerm * 1000, scale <= 1_000_000_000 else { return nil }
      case UInt8(ascii: ".") where !sawPoint:
        sawPoint = true
      default:
        return nil
      }
    }
    guard sawDigit else { return nil }
    self.init(digits, scale)
    guard numerator <= Self.largestTerm * 1000, denominator <= Self.largestTerm else { return nil }
  }
}
