import Timebase

/// The conversion of a source's ticks into those of a clip at another speed.
struct ClipClock {
  private enum Rule {
    /// A constant speed: an exact timescale instead of arithmetic on times, so that nothing is rounded.
    case constant(ticksPerTick: Fraction)
    /// A curve, rounded to the nearest microsecond.
    case curve(SpeedIntegral, timeBase: Fraction)
  }

  /// Ticks per second of the clip.
  let timescale: Int32
  private let rule: Rule

  /// The coarsest timescale: players expect at least this many ticks per second.
  private static let coarsest: Int64 = 1000

  init(_ timeBase: Fraction, _ speed: SpeedCurve) {
    guard let constant = speed.constant else {
      timescale = 1_000_000
      rule = .curve(SpeedIntegral(speed), timeBase: timeBase)
      return
    }
    let stretched = timeBase / constant.factor
    let finer = (Self.coarsest - 1) / stretched.denominator + 1
    // A denominator too large for containers is reduced; times are then rounded to the nearest tick.
    let coarser = (stretched.denominator - 1) / Int64(Int32.max) + 1
    let ticksPerSecond = stretched.denominator * finer / coarser
    timescale = Int32(ticksPerSecond)
    rule = .constant(
      ticksPerTick: Fraction(
        reducing: Int128(stretched.numerator) * Int128(ticksPerSecond), Int128(stretched.denominator)))
  }

  /// Returns the clip's ticks for `ticks` of the source from its first frame, in a clip that begins at
  /// `start` of those.
  func ticks(_ ticks: Int64, from start: Int64 = 0) -> Int64 {
    switch rule {
    case .constant(let ticksPerTick):
      return ticksPerTick.scaling(ticks - start)
    case .curve(let integral, let timeBase):
      let moments = [ticks, start].map {
        integral(SpeedIntegral.moment(Int128($0) * Int128(timeBase.numerator), Int128(timeBase.denominator)))
      }
      let half = Int128(1) << (SpeedIntegral.fractionBits - 1)
      return Int64(
        clamping: ((moments[0] - moments[1]) * Int128(timescale) + half) >> SpeedIntegral.fractionBits)
    }
  }
}
