public import Timebase

/// A time without frames that is out of proportion to the other intervals of a source: a recorder that paused, or a
/// wrong time of a frame. The two cannot be told apart.
public struct SourceGap: Hashable, Sendable {
  /// The time from the source's first frame to the last one before the gap, in seconds of capture time.
  public var start: Fraction
  /// The time from that frame to the next, in seconds of capture time.
  public var length: Fraction

  /// The shortest gap that is reported, in nanoseconds.
  private static let shortest: Int64 = 10_000_000_000
  /// The number of usual intervals in the shortest gap that is reported; those of time-lapses are long.
  private static let leastIntervals: Int64 = 100

  /// Finds the longest gap that begins within `part`, if it is out of proportion; otherwise `nil`.
  ///
  /// - Parameters:
  ///   - frames: the frames of the source, in the order in which they are shown.
  ///   - part: the part of the source that is shown.
  package init?(in frames: [FrameTiming], of part: ClipSpan) {
    let times = frames.map(\.timestamp.nanoseconds)
    guard let first = times.first else { return nil }
    let intervals = zip(times, times.dropFirst()).map { $1.subtracting(clamping: $0) }
    let usual = intervals.sorted().dropFirst(intervals.count / 2).first ?? 0
    let least = max(Self.shortest, usual.multiplied(clamping: Self.leastIntervals))
    let shown = zip(times, intervals).filter { time, length in
      let start = Duration.nanoseconds(time.subtracting(clamping: first))
      return start + .nanoseconds(length) > part.start && part.end.map { start < $0 } ?? true
    }
    guard let (time, length) = shown.max(by: { $0.1 < $1.1 }), length >= least else { return nil }
    start = Duration.nanoseconds(time.subtracting(clamping: first)).inSeconds
    self.length = Duration.nanoseconds(length).inSeconds
  }
}
