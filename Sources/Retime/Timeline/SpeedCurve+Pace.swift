import Timebase

extension SpeedCurve {
  /// Returns the curve in the time of a source that plays `pace` capture seconds per second; `nil` if a speed
  /// gets out of range.
  func relative(to pace: Fraction) -> SpeedCurve? {
    guard pace != Fraction(1) else { return self }
    var points: [Point] = []
    for point in self.points {
      guard let speed = Speed(point.speed.factor / pace) else { return nil }
      points.append(Point(time: point.time.relative(to: pace), speed: speed, isEased: point.isEased))
    }
    return try? SpeedCurve(
      points: points,
      freezes: freezes.map { Freeze(time: $0.time.relative(to: pace), duration: $0.duration) })
  }
}

extension ClipSpan {
  /// Returns the part in the time of a source that plays `pace` capture seconds per second.
  func relative(to pace: Fraction) -> ClipSpan {
    ClipSpan(start: start.relative(to: pace), end: end?.relative(to: pace))
  }
}

extension Duration {
  /// Returns a capture time in the time of a source that plays `pace` capture seconds per second.
  func relative(to pace: Fraction) -> Duration {
    pace == Fraction(1) ? self : Duration(seconds: inSeconds / pace)
  }
}
