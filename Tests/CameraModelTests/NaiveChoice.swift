import Timebase

@testable import CameraModel

/// A naive version of the mode rule, written from its statement. It shares nothing with ``ModeChoice``.
struct NaiveChoice {
  /// One format at one size, with all its promised rates.
  private struct Entry {
    var fourcc: String
    var width: UInt32
    var height: UInt32
    var binned: Bool
    var limited: Bool
    var intervals: [FrameInterval]
    var stepwise: IntervalRange?
    var continuous: IntervalRange?
  }

  private struct Rate {
    var value: Fraction
    /// The listed interval; `nil` if the rate comes from a range.
    var interval: FrameInterval?
  }

  struct Answer: Hashable {
    var fourcc: String
    var width: UInt32
    var height: UInt32
    var rate: Fraction
    var interval: FrameInterval?
  }

  /// Returns the mode of `rows` to choose at `asked` frames per second.
  static func answer(_ rows: [ModeRow], at asked: Int64) -> Answer? {
    var best: (entry: Entry, rate: Rate)?
    for entry in entries(rows) {
      guard let rate = nearest(entry, to: Fraction(asked)) else { continue }
      // The first of equal modes stays: the driver's order is the last criterion.
      if let standing = best, !beats((entry, rate), standing, asked: Fraction(asked)) { continue }
      best = (entry, rate)
    }
    return best.map {
      Answer(
        fourcc: $0.entry.fourcc, width: $0.entry.width, height: $0.entry.height, rate: $0.rate.value,
        interval: $0.rate.interval)
    }
  }

  private static func beats(_ one: (Entry, Rate), _ other: (Entry, Rate), asked: Fraction) -> Bool {
    let ((left, leftRate), (right, rightRate)) = (one, other)
    if left.width != right.width { return left.width > right.width }
    if left.height != right.height { return left.height > right.height }
    let (near, far) = (distance(leftRate.value, asked), distance(rightRate.value, asked))
    if near != far { return near < far }
    if left.binned != right.binned { return right.binned }
    if left.limited != right.limited { return right.limited }
    return weight(left.fourcc) < weight(right.fourcc)
  }

  private static func entries(_ rows: [ModeRow]) -> [Entry] {
    var entries: [Entry] = []
    for row in rows {
      let width: UInt32
      let height: UInt32
      switch row.size {
      case .discrete(let across, let down): (width, height) = (across, down)
      case .stepwise(_, let max, _): (width, height) = (max.width, max.height)
      case .continuous(_, let max): (width, height) = (max.width, max.height)
      }
      if width == 0 || height == 0 { continue }
      if row.fourcc.unicodeScalars.allSatisfy({ $0 == " " || $0 == "\0" }) { continue }
      let entry = Entry(
        fourcc: row.fourcc, width: width, height: height, binned: row.readout.isBinned == true,
        limited: row.range == "limited", intervals: row.intervals, stepwise: row.stepwise,
        continuous: row.continuous)
      let same = entries.firstIndex {
        $0.fourcc == entry.fourcc && $0.width == entry.width && $0.height == entry.height
          && $0.binned == entry.binned && $0.limited == entry.limited
      }
      guard let same else {
        entries.append(entry)
        continue
      }
      entries[same].intervals += entry.intervals
      if let range = entry.stepwise { entries[same].stepwise = range }
      if let range = entry.continuous { entries[same].continuous = range }
    }
    return entries
  }

  /// Returns the rate nearest to `asked` among those of at least 99 % of it.
  private static func nearest(_ entry: Entry, to asked: Fraction) -> Rate? {
    var rates = entry.intervals.compactMap { interval in
      fraction(interval).map { Rate(value: $0, interval: interval) }
    }
    for range in [entry.stepwise, entry.continuous] {
      guard let range, let high = fraction(range.min), let low = fraction(range.max) else { continue }
      if low <= asked, asked <= high { rates.append(Rate(value: asked)) }
      rates += [Rate(value: high), Rate(value: low)]
    }
    var best: Rate?
    for rate in rates where rate.value >= asked * Fraction(99, 100) {
      if let standing = best, distance(standing.value, asked) <= distance(rate.value, asked) { continue }
      best = rate
    }
    return best
  }

  private static func fraction(_ interval: FrameInterval) -> Fraction? {
    interval.numerator == 0 || interval.denominator == 0
      ? nil : Fraction(Int64(interval.denominator), Int64(interval.numerator))
  }

  private static func distance(_ left: Fraction, _ right: Fraction) -> Fraction {
    left > right ? left - right : right - left
  }

  private static func weight(_ fourcc: String) -> Int {
    switch fourcc {
    case "MJPG", "JPEG": 0
    case "H264", "HEVC", "VP80", "VP90", "MPG1", "MPG2", "MPG4", "H263", "DVSD": 2
    default: 1
    }
  }
}
