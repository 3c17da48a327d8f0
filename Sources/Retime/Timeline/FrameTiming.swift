public import Timebase

/// When one frame of a master was captured.
public struct FrameTiming: Hashable, Sendable {
  /// The sensor's number of the frame, unwrapped; `nil` where nobody counted. A gap is a lost frame.
  public var sequence: Int64?
  /// When it was captured, on any clock.
  public var timestamp: Instant

  /// A frame captured at this time.
  public init(sequence: Int64? = nil, timestamp: Instant) {
    self.sequence = sequence
    self.timestamp = timestamp
  }
}
