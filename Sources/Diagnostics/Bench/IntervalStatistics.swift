import Histogram
import Takes
import Timebase

/// How far apart in time frames came, by the driver's timestamps.
///
/// Only neighbours count, frames whose numbers follow each other: a gap in the numbers is a loss, not an interval.
/// Jitter is how far an interval strays, to either side, from the mean interval.
public struct IntervalStatistics: Hashable, Sendable {
  /// The shortest interval.
  public let shortest: Duration
  /// The mean.
  public let mean: Duration
  /// The longest.
  public let longest: Duration
  /// Half of the intervals stray from the mean by no more.
  public let jitterMedian: Duration
  /// 99 of 100 intervals stray by no more.
  public let jitterP99: Duration
  /// 999 of 1000 do.
  public let jitterP999: Duration
  /// None strays by more.
  public let jitterMost: Duration

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
    self.shortest = .nanoseconds(shortest)
    self.mean = .nanoseconds(mean)
    self.longest = .nanoseconds(longest)
    // A histogram answers with the upper end of a step; nothing strays by more than what strayed most.
    func percentile(_ percent: Double) -> Duration {
      .nanoseconds(min(jitter.valueAtPercentile(percent), most))
    }
    jitterMedian = percentile(50)
    jitterP99 = percentile(99)
    jitterP999 = percentile(99.9)
    jitterMost = .nanoseconds(most)
  }

  /// An hour: more than any camera strays that is still there.
  private static let mostJitter: UInt64 = 3_600_000_000_000
}

extension FrameAccounting {
  /// Nanoseconds from each frame to the next where nothing was lost between them, in order.
  var intervals: [Int64] {
    let frames = zip(sequences, timestamps.lazy.map(\.nanoseconds))
    return zip(frames, frames.dropFirst()).compactMap { last, next in
      next.0 == last.0 + 1 ? next.1 &- last.1 : nil
    }
  }
}
