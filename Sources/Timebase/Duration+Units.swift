extension Duration {
  /// So many seconds, rounded to the nanosecond; held to 292 years.
  public init(seconds: Fraction) {
    self = .nanoseconds(seconds.scaling(1_000_000_000))
  }

  /// The whole nanoseconds in this duration, rounded towards zero; saturates at 292 years.
  public var wholeNanoseconds: Int64 { Int64(clamping: nanoseconds) }

  /// The seconds in this duration, in whole nanoseconds.
  public var inSeconds: Fraction { Fraction(reducing: nanoseconds, 1_000_000_000) }

  /// The seconds with all nine digits of nanoseconds: `0.050000000`.
  package var secondsText: String {
    let nanoseconds = wholeNanoseconds
    let fraction = "\(nanoseconds.magnitude % 1_000_000_000)"
    return (nanoseconds < 0 ? "-" : "") + "\(nanoseconds.magnitude / 1_000_000_000)."
      + String(repeating: "0", count: 9 - fraction.count) + fraction
  }

  /// The whole nanoseconds in this duration, rounded towards zero; no duration has too many.
  var nanoseconds: Int128 { attoseconds / 1_000_000_000 }

  /// The whole milliseconds in this duration, rounded up, for calls that wait: 0 where it is
  /// negative, and at most what those calls take, 24 days.
  package var pollMilliseconds: Int32 {
    let (milliseconds, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000)
    return Int32(clamping: max(0, milliseconds + (rest > 0 ? 1 : 0)))
  }
}
