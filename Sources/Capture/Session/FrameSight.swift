public import Timebase

/// The newest frame of a stream, and how many came before it.
public struct FrameSight: Hashable, Sendable {
  /// The camera's number of the frame.
  public var sequence: UInt32
  /// When it was captured, on the camera's clock.
  public var timestamp: Instant
  /// How many frames have come since the stream was opened, this one included.
  public var count: Int64
  /// How many were lost since then: numbers that the camera left out, and frames that found no room.
  public var lost: Int64
}
