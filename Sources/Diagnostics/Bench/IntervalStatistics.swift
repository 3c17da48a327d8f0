import Histogram
import Takes
import Timebase

/// Statistics of the intervals between frames, by the driver's timestamps.
///
/// Only frames with consecutive sequence numbers count: a gap in the numbers is a loss, not an interval.
/// Jitter is an interval's absolute deviation from the mean.
public struct IntervalStatistics: Hashable, Sendable {
  /// The shortest interval.
  public let shortest: Duration
  /// The mean interval.
  public let mean: Duration
  /// The longest interval.
  public let longest: Duration
  /// The median jitter.
  public let jitterMedian: Duration
  /// The 99th percentile of the jitter.
  public let jitterP99: Duration
  /// The 99.9th percentile of the jitter.
  public let jitterP999: Duration
  /// The largest jitter.
  public let jitterMost: Duration

  /// Creates the statistics of `accounting`'s frames; `nil` if no two are consecutive.
  init?(_ accounting: FrameAccounting) {
    let intervals = accounting.intervals
    guard let shortest = intervals.min(), let longest = intervals.max() else { return nil }
    let mean = Double(intervals.reduce(Int128(0)) { $0 + Int128($1) }) / Double(intervals.count)
    // Three significant digits: a jitter of 123.4 us is reported as 123 us.
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
    // The histogram returns a bucket's upper end, which may exceed the largest deviation.
    func percentile(_ percent: Double) -> Duration {
      .nanoseconds(min(jitter.valueAtPercentile(percent), most))
    }
    jitterMedian = percentile(50)
    jitterP99 = percentile(99)
    jitterP999 = percentile(99.9)
    jitterMost = .nanoseconds(most)
  }

  /// An hour, longer than any jitter of a working camera.
  private static let mostJitter: UInt64 = 3_600_000_000_000
}

extension FrameAccounting {
  /// Nanoseconds between consecutive frames, in order; frames with a loss between them are left out.
  var intervals: [Int64] {
    let frames = zip(sequences, timestamps.lazy.map(\.nanoseconds))
    return zip(frames, frames.dropFirst()).compactMap { last, next in
      next.0 == last.0 + 1 ? next.1 &- last.1 : nil
    }
  }
}
