import Timebase

extension CameraTable {
  /// Every mode that promises a rate: each format and size with each of its listed intervals, and with the fastest of
  /// each range; in the driver's order, without repetitions.
  public var modes: [Mode] {
    var seen: Set<Mode> = []
    return ModeRanking.Offer.merging(rows).flatMap { offer in
      offer.intervals.compactMap { interval in
        guard let rate = interval.rate, rate.framesPerSecond > Fraction(0) else { return nil }
        return offer.mode(at: interval)
      }
    }.filter { seen.insert($0).inserted }
  }
}
