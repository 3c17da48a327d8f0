import Timebase

extension FrameRate {
  /// Returns the default rate of a clip: 30 frames per second, or the rate that shows every captured frame
  /// once, if that is from 24 to 60.
  ///
  /// - Parameters:
  ///   - interval: seconds between captured frames; `nil` if unknown.
  ///   - speed: the speed of the clip; `nil` shows every frame once at any rate.
  static func usual(forFramesEvery interval: Fraction?, at speed: SpeedCurve?) -> FrameRate {
    let thirty = FrameRate(whole: 30)
    guard let factor = speed?.constant?.factor, let interval, interval > Fraction(0) else { return thirty }
    let once = factor / interval
    let distances = common.map { ($0, ($0.framesPerSecond - once).magnitude) }
    if let (rate, distance) = distances.min(by: { $0.1 < $1.1 }), distance * tolerance <= once { return rate }
    guard (Fraction(24)...Fraction(60)).contains(once) else { return thirty }
    // A measured rate may have more digits than a container can hold.
    let isShort = max(once.numerator, once.denominator) <= 120_000
    return FrameRate(isShort ? once : Fraction((once * Fraction(1000)).rounded, 1000)) ?? thirty
  }

  /// Returns this rate, or the highest whole part of it that is at most `most` frames per second.
  func limited(to most: Int) -> FrameRate {
    let parts = framesPerSecond / Fraction(Int64(most))
    let count = (parts.numerator + parts.denominator - 1) / parts.denominator
    return count > 1 ? FrameRate(framesPerSecond / Fraction(count)) ?? self : self
  }

  /// For a common rate, one frame in this many may be held or skipped.
  private static let tolerance = Fraction(500)

  /// The rates of cinema and television.
  private static let common =
    [24, 25, 30, 48, 50, 60].map { FrameRate(whole: $0) }
    + [24_000, 30_000, 60_000].compactMap { FrameRate(Fraction($0, 1001)) }
}
