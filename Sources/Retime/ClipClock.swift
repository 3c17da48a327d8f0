import Timebase

/// How a film's ticks become those of a clip that plays at another speed: by a timescale of its own rather than by
/// arithmetic on times, so that nothing is rounded.
struct ClipClock {
  /// Ticks per second of the clip.
  let timescale: Int32
  private let ticksPerTick: Fraction

  /// Ticks finer than this are what players expect.
  private static let coarsest: Int64 = 1000

  init(_ timeBase: Fraction, _ speed: Speed) {
    let stretched = timeBase / speed.factor
    let finer = (Self.coarsest - 1) / stretched.denominator + 1
    // A denominator that no container can hold is cut down; times are rounded to the nearest tick then.
    let coarser = (stretched.denominator - 1) / Int64(Int32.max) + 1
    let ticksPerSecond = stretched.denominator * finer / coarser
    timescale = Int32(ticksPerSecond)
    ticksPerTick = Fraction(
      reducing: Int128(stretched.numerator) * Int128(ticksPerSecond), Int128(stretched.denominator))
  }

  /// The clip's ticks for `ticks` of the film.
  func ticks(_ ticks: Int64) -> Int64 { ticksPerTick.scaling(ticks) }
}
