import Timebase

extension FrameInterval {
  /// Creates the interval that was printed as `seconds`, and also as frames per second if that was printed.
  ///
  /// Of two roundings, the one with more digits decides. If several rates are still possible, the order is:
  /// whole rates, then those of television (`119.880` is 120000/1001), then seconds that agree with the rate,
  /// then the rate as printed. Zero terms of a driver are kept as zero terms.
  package init(printed seconds: PrintedNumber, framesPerSecond: PrintedNumber? = nil) {
    guard let time = seconds.value else {
      self.init(seconds.isInfinite ? 1 : 0, 0)
      return
    }
    let inverse = time.numerator > 0 ? time.reciprocal : nil
    let found =
      if let framesPerSecond {
        Self.rate(printed: framesPerSecond, inverse: inverse)
      } else {
        Self.usualRates.first { seconds.stands(for: $0.reciprocal) } ?? inverse
      }
    guard let rate = found.flatMap(FrameRate.init) else {
      self.init(0, 1)
      return
    }
    self = FrameInterval(rate) ?? FrameInterval(1, UInt32(clamping: rate.framesPerSecond.rounded))
  }

  /// Rates that cameras have; of those that agree to a millisecond, the likeliest first.
  private static let usualRates: [Fraction] =
    [30, 60, 120, 240, 15, 25, 90, 50, 10, 5, 20, 24, 100, 200, 180, 150, 75, 300, 480, 1000].map {
      Fraction($0)
    } + [Fraction(15, 2), Fraction(25, 2)]

  private static func rate(printed: PrintedNumber, inverse: Fraction?) -> Fraction? {
    guard let value = printed.value else { return nil }
    if value < Fraction(1) { return inverse }
    if value.denominator == 1 { return value }
    let television = Fraction((value * Fraction(1001, 1000)).rounded * 1000, 1001)
    if printed.stands(for: television) { return television }
    if let inverse, printed.stands(for: inverse) { return inverse }
    return value
  }
}
