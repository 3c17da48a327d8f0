import Timebase

/// A number as rounded by `printf`: `119.880`, or `inf` and `nan` from a division by zero.
package struct PrintedNumber: Hashable {
  /// The printed number; `nil` for `inf` and `nan`.
  let value: Fraction?
  let isInfinite: Bool
  /// Half a unit of the last place.
  private let slack: Fraction

  package init?(_ text: Substring) {
    isInfinite = text == "inf"
    guard !isInfinite, text != "nan" else {
      (value, slack) = (nil, Fraction(0))
      return
    }
    guard !text.contains("/"), let number = Fraction(text: text) else { return nil }
    value = number
    let decimals = text.split(separator: ".", omittingEmptySubsequences: false).dropFirst().first ?? ""
    slack = decimals.reduce(Fraction(1, 2)) { unit, _ in unit * Fraction(1, 10) }
  }

  /// Returns whether `number` would have been printed like this.
  func stands(for number: Fraction) -> Bool {
    guard let value else { return false }
    return value - slack <= number && number <= value + slack
  }
}
