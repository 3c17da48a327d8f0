import Timebase

extension FrameRate {
  /// The rate of a clip for which nobody named one: 30 frames per second, or the one that shows
  /// every captured frame once, where that is from 24 to 60.
  ///
  /// - Parameters:
  ///   - interval: seconds from one captured frame to the next; `nil` where they are not known.
  ///   - speed: how fast the clip plays; `nil` shows every frame once at any rate.
  static func usual(forFramesEvery interval: Fraction?, at speed: SpeedCurve?) -> FrameRate {
    let thirty = FrameRate(whole: 30)
    guard let factor = speed?.constant?.factor, let interval, interval > Fraction(0) else { return thirty }
    let once = factor / interval
    let distances = common.map { ($0, ($0.framesPerSecond - once).magnitude) }
    if let (rate, distance) = distances.min(by: { $0.1 < $1.1 }), distance * tolerance <= once { return rate }
    guard (Fraction(24)...Fraction(60)).contains(once) else { return thirty }
    // A measured rate has more digits than a container has room for.
    let isShort = max(once.numerator, once.denominator) <= 120_000
    return FrameRate(isShort ? once : Fraction((once * Fraction(1000)).rounded, 1000)) ?? thirty
  }

  /// One frame in so many may be held or left out for the sake of a common rate.
  private static let tolerance = Fraction(500)

  /// The rates of film and television.
  private static let common =
    [24, 25, 30, 48, 50, 60].map { FrameRate(whole: $0) }
    + [24_000, 30_000, 60_000].compactMap { FrameRate(Fraction($0, 1001)) }
}
