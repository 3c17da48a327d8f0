public import Timebase

/// The capture time of one frame of a master.
public struct FrameTiming: Hashable, Sendable {
  /// The sensor's number of the frame, unwrapped; `nil` if frames are not numbered. A gap is a lost frame.
  public var sequence: Int64?
  /// The capture time, on any clock.
  public var timestamp: Instant

  /// Creates the timing of a frame captured at this time.
  public init(sequence: Int64? = nil, timestamp: Instant) {
    self.sequence = sequence
    self.timestamp = timestamp
  }
}
