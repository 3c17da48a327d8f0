import Timebase

extension SpeedCurve {
  /// The same in the time of a film in whose second `pace` capture seconds pass; `nil` where a speed is none then.
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
  /// The same in the time of a film in whose second `pace` capture seconds pass.
  func relative(to pace: Fraction) -> ClipSpan {
    ClipSpan(start: start.relative(to: pace), end: end?.relative(to: pace))
  }
}

extension Duration {
  /// A time of capture in the time of a film in whose second `pace` capture seconds pass.
  func relative(to pace: Fraction) -> Duration {
    pace == Fraction(1) ? self : Duration(seconds: inSeconds / pace)
  }
}
