import Histogram
import Takes
import Timebase

/// How far apart in time frames came, by the driver's timestamps. All figures are in nanoseconds.
///
/// Only neighbours count, frames whose numbers follow each other: a gap in the numbers is a loss, not an interval.
/// Jitter is how far an interval strays, to either side, from the mean interval.
public struct IntervalStatistics: Hashable, Sendable {
  /// The shortest interval.
  public let shortest: Int64
  /// The mean.
  public let mean: Double
  /// The longest.
  public let longest: Int64
  /// Half of the intervals stray from the mean by no more.
  public let jitterMedian: Int64
  /// 99 of 100 intervals stray by no more.
  public let jitterP99: Int64
  /// 999 of 1000 do.
  public let jitterP999: Int64
  /// None strays by more.
  public let jitterMost: Int64

  /// The statistics of `accounting`'s frames; `nil` where no two are neighbours.
  init?(_ accounting: FrameAccounting) {
    let intervals = accounting.intervals
    guard let shortest = intervals.min(), let longest = intervals.max() else { return nil }
    let mean = Double(intervals.reduce(Int128(0)) { $0 + Int128($1) }) / Double(intervals.count)
    // Three digits: a jitter of 123.4 us is told as 123 us.
    var jitter = Histogram<UInt64>(
      highestTrackableValue: Self.mostJitter, numberOfSignificantValueDigits: .three)
    var most: UInt64 = 0
    for interval in intervals {
      let stray = min(UInt64(clamping: (Double(interval) - mean).magnitude), Self.mostJitter)
      jitter.record(stray)
      most = max(most, stray)
    }
    self.shortest = shortest
    self.mean = mean
    self.longest = longest
    // A histogram answers with the upper end of a step; nothing strays by more than what strayed most.
    func percentile(_ percent: Double) -> Int64 { Int64(min(jitter.valueAtPercentile(percent), most)) }
    jitterMedian = percentile(50)
    jitterP99 = percentile(99)
    jitterP999 = percentile(99.9)
    jitterMost = Int64(most)
  }

  /// An hour: more than any camera strays that is still there.
  private static let mostJitter: UInt64 = 3_600_000_000_000
}

extension FrameAccounting {
  /// Nanoseconds from each frame to the next where nothing was lost between them, in order.
  var intervals: [Int64] {
    let frames = zip(sequences, timestamps)
    return zip(frames, frames.dropFirst()).compactMap { last, next in
      next.0 == last.0 + 1 ? next.1 &- last.1 : nil
    }
  }
}
