/// When one frame of a master was captured.
public struct CapturedFrame: Hashable, Sendable {
  /// The sensor's number of the frame, unwrapped; `nil` where nobody counted. A gap is a lost frame.
  public var sequence: Int64?
  /// When it was captured, in nanoseconds on any clock.
  public var timestampNanoseconds: Int64

  /// A frame captured at this time.
  public init(sequence: Int64? = nil, timestampNanoseconds: Int64) {
    self.sequence = sequence
    self.timestampNanoseconds = timestampNanoseconds
  }
}
