extension Duration {
  /// Creates a duration of `seconds`, rounded to the nanosecond and clamped to 292 years.
  public init(seconds: Fraction) {
    self = .nanoseconds(seconds.scaling(1_000_000_000))
  }

  /// The whole nanoseconds in this duration, rounded towards zero; saturates at 292 years.
  public var wholeNanoseconds: Int64 { Int64(clamping: nanoseconds) }

  /// The duration in seconds, exact to the nanosecond.
  public var inSeconds: Fraction { Fraction(reducing: nanoseconds, 1_000_000_000) }

  /// The seconds with nine decimals: `0.050000000`.
  package var secondsText: String {
    let nanoseconds = wholeNanoseconds
    let fraction = "\(nanoseconds.magnitude % 1_000_000_000)"
    return (nanoseconds < 0 ? "-" : "") + "\(nanoseconds.magnitude / 1_000_000_000)."
      + String(repeating: "0", count: 9 - fraction.count) + fraction
  }

  /// The whole nanoseconds in this duration, rounded towards zero; every duration fits.
  var nanoseconds: Int128 { attoseconds / 1_000_000_000 }

  /// The milliseconds in this duration, rounded up, for calls such as poll(2): 0 if the duration is negative,
  /// and at most `Int32.max`, 24 days.
  package var pollMilliseconds: Int32 {
    let (milliseconds, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000)
    return Int32(clamping: max(0, milliseconds + (rest > 0 ? 1 : 0)))
  }
}
