package import Timebase

extension ModeRanking {
  /// All that a table offers of one format at one size: its rows of that kind, merged.
  package struct Offer {
    private let row: ModeRow
    /// The index among the offers, in the driver's order.
    private let order: Int

    package var fourcc: String { row.fourcc }
    /// Pixels across; for a range of sizes, those of its largest.
    package var width: UInt32 { row.size.largest.width }
    /// Pixels down.
    package var height: UInt32 { row.size.largest.height }
    /// The listed intervals, and the fastest of each range.
    package var intervals: [FrameInterval] { row.intervals + row.ranges.map(\.min) }

    /// The slowest to the fastest rate of a range; `nil` if there is no range.
    package var rateRange: ClosedRange<FrameRate>? {
      guard let range = row.continuous ?? row.stepwise, let fastest = range.min.rate,
        let slowest = range.max.rate, slowest <= fastest
      else { return nil }
      return slowest...fastest
    }

    /// Merges a table's rows, each format and size once, in the driver's order; empty sizes and codes are
    /// left out.
    package static func merging(_ rows: [ModeRow]) -> [Offer] {
      struct Key: Hashable {
        var fourcc: String
        var size: Dimensions
        var isBinned: Bool
        var isLimited: Bool
      }
      let real = rows.filter { row in
        row.size.largest.width > 0 && row.size.largest.height > 0
          && row.fourcc.contains { $0 != " " && $0 != "\0" }
      }
      let merged = real.merged { row in
        Key(
          fourcc: row.fourcc, size: row.size.largest, isBinned: row.isBinned, isLimited: row.isLimited)
      }
      return merged.enumerated().map { Offer(row: $1, order: $0) }
    }

    /// Returns the mode with the listed rate nearest to `rate`; `nil` if none is listed.
    func mode(nearest rate: FrameRate) -> Mode? {
      var choices = intervals + row.ranges.map(\.max)
      if let rateRange, rateRange.contains(rate), let exact = FrameInterval(rate) { choices.append(exact) }
      let nearest = choices.filter { $0.rate != nil }.min { one, other in
        guard let one = one.rate, let other = other.rate else { return false }
        return distance(one, rate) < distance(other, rate)
      }
      return nearest.map(mode(at:))
    }

    /// Returns the mode with the rate nearest to that of `request` and not below `floor`; `nil` if there is
    /// none.
    func candidate(for request: ModeChoice.Request, atLeast floor: Fraction) -> Candidate? {
      let rate = request.rate
      var choices = row.intervals
      for range in row.ranges {
        guard let fastest = range.min.rate, let slowest = range.max.rate else { continue }
        if fastest >= rate, slowest <= rate, let exact = FrameInterval(rate) { choices.append(exact) }
        choices += [range.min, range.max]
      }
      var best: (interval: FrameInterval, rate: FrameRate)?
      for interval in choices {
        guard let claimed = interval.rate else { continue }
        // A measurement overrides the driver's claim.
        let given = row.measured(of: claimed) ?? claimed
        guard given.framesPerSecond >= floor else { continue }
        if let best, distance(best.rate, rate) <= distance(given, rate) { continue }
        best = (interval, given)
      }
      guard let best else { return nil }
      return Candidate(
        mode: mode(at: best.interval), rate: best.rate, distance: distance(best.rate, rate),
        preference: request.criteria.preference == .unbinned ? row.readout.binnedness : 0,
        isBinned: row.isBinned, isLimited: row.isLimited, family: row.family, order: order)
    }

    /// Returns the mode with `interval`, and all that is known about it.
    func mode(at interval: FrameInterval) -> Mode {
      var mode = Mode(
        fourcc: fourcc, width: width, height: height, interval: interval, readout: row.readout,
        range: row.range
      )
      mode.measuredFramesPerSecond =
        interval.rate.flatMap { row.measured(of: $0) }?.framesPerSecond.doubleValue
      return mode
    }

    private func distance(_ left: FrameRate, _ right: FrameRate) -> Fraction {
      (left.framesPerSecond - right.framesPerSecond).magnitude
    }
  }
}

extension Readout {
  /// The rank: known to be unbinned, unknown, known to be binned.
  fileprivate var binnedness: Int {
    switch isBinned {
    case false: 0
    case nil: 1
    case true: 2
    }
  }
}
