import Timebase

/// How a film's ticks become those of a clip that plays at another speed.
struct ClipClock {
  private enum Rule {
    /// One speed throughout: a timescale of its own rather than arithmetic on times, so that nothing is rounded.
    case constant(ticksPerTick: Fraction)
    /// By a curve, to the nearest microsecond.
    case curve(SpeedIntegral, timeBase: Fraction)
  }

  /// Ticks per second of the clip.
  let timescale: Int32
  private let rule: Rule

  /// Ticks finer than this are what players expect.
  private static let coarsest: Int64 = 1000

  init(_ timeBase: Fraction, _ speed: SpeedCurve) {
    guard let constant = speed.constant else {
      timescale = 1_000_000
      rule = .curve(SpeedIntegral(speed), timeBase: timeBase)
      return
    }
    let stretched = timeBase / constant.factor
    let finer = (Self.coarsest - 1) / stretched.denominator + 1
    // A denominator that no container can hold is cut down; times are rounded to the nearest tick then.
    let coarser = (stretched.denominator - 1) / Int64(Int32.max) + 1
    let ticksPerSecond = stretched.denominator * finer / coarser
    timescale = Int32(ticksPerSecond)
    rule = .constant(
      ticksPerTick: Fraction(
        reducing: Int128(stretched.numerator) * Int128(ticksPerSecond), Int128(stretched.denominator)))
  }

  /// The clip's ticks for `ticks` of the film from its first frame, in a clip that begins at `start` of those.
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
