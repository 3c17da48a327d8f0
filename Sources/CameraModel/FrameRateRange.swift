public import Timebase

/// The frame rates of a format at a size, from the slowest to the fastest.
public struct FrameRateRange: Hashable, Sendable {
  /// The slowest rate.
  public let minFrameRate: FrameRate
  /// The fastest rate.
  public let maxFrameRate: FrameRate

  /// Creates the range from `minFrameRate` to `maxFrameRate`.
  public init(from minFrameRate: FrameRate, to maxFrameRate: FrameRate) {
    self.minFrameRate = minFrameRate
    self.maxFrameRate = maxFrameRate
  }

  /// Returns whether `rate` is in the range, within a hundredth: 119.88 frames per second count as 120.
  public func contains(_ rate: FrameRate) -> Bool {
    let (asked, tolerance) = (rate.framesPerSecond, Fraction(1, 100))
    return asked * (Fraction(1) + tolerance) >= minFrameRate.framesPerSecond
      && asked * (Fraction(1) - tolerance) <= maxFrameRate.framesPerSecond
  }
}

extension ModeRow {
  /// The rates that the driver lists: a range of one rate for each that it lists by itself. Empty if it lists
  /// none; then no rate is promised.
  public var frameRateRanges: [FrameRateRange] {
    intervals.compactMap(\.rate).map { FrameRateRange(from: $0, to: $0) }
      + ranges.compactMap { range in
        guard let fastest = range.min.rate, let slowest = range.max.rate, slowest <= fastest else {
          return nil
        }
        return FrameRateRange(from: slowest, to: fastest)
      }
  }

  /// Returns the mode of this format and size, the largest of a range of sizes, with the listed rate nearest
  /// to `rate`; `nil` if ``frameRateRanges`` do not contain it.
  public func mode(at rate: FrameRate) -> Mode? {
    guard frameRateRanges.contains(where: { $0.contains(rate) }) else { return nil }
    return ModeRanking.Offer.merging([self]).first?.mode(nearest: rate)
  }
}
