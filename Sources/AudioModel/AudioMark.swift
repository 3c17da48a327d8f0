public import Timebase

/// A reading of an audio device's clock: how many samples it had heard at a moment.
public struct AudioMark: Hashable, Sendable {
  /// The moment, on `CLOCK_MONOTONIC`.
  public var time: Instant
  /// How many samples had been heard until then.
  public var sampleCount: Int64

  /// A reading at `time`.
  public init(time: Instant, sampleCount: Int64) {
    self.time = time
    self.sampleCount = sampleCount
  }
}
