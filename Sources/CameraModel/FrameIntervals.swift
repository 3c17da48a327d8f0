public import Timebase

/// Frame intervals of a format at a size; V4L2's `struct v4l2_frmivalenum`.
public enum FrameIntervals: Hashable, Sendable {
  /// One interval.
  case discrete(FrameInterval)
  /// Every interval from `min` (the fastest) to `max` by `step`.
  case stepwise(min: FrameInterval, max: FrameInterval, step: FrameInterval)
  /// Every interval from `min` (the fastest) to `max`.
  case continuous(min: FrameInterval, max: FrameInterval)
}

/// A range of frame intervals: `min` is the shortest, which is the fastest.
public struct IntervalRange: Hashable, Sendable, Codable {
  /// The shortest interval.
  public var min: FrameInterval
  /// The longest interval.
  public var max: FrameInterval
  /// The distance between neighbours; `nil` for a continuous range.
  public var step: FrameInterval?

  /// Creates a range from `min` to `max`.
  public init(min: FrameInterval, max: FrameInterval, step: FrameInterval? = nil) {
    self.min = min
    self.max = max
    self.step = step
  }
}
