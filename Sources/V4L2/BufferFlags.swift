import CV4L2

/// V4L2's `V4L2_BUF_FLAG_*`.
public struct BufferFlags: OptionSet, Hashable, Sendable {
  /// The kernel's bits.
  public let rawValue: UInt32

  /// Creates a set of the flags in `rawValue`, known or not.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The data may be damaged; the stream goes on.
  public static let error = BufferFlags(rawValue: UInt32(V4L2_BUF_FLAG_ERROR))
  /// A compressed frame that can be decoded by itself.
  public static let keyFrame = BufferFlags(rawValue: UInt32(V4L2_BUF_FLAG_KEYFRAME))
  /// The last buffer of the stream, as marked by codecs.
  public static let last = BufferFlags(rawValue: UInt32(V4L2_BUF_FLAG_LAST))

  /// The clock that stamped the buffer.
  public var timestampClock: TimestampClock {
    switch Int32(bitPattern: rawValue) & Int32(V4L2_BUF_FLAG_TIMESTAMP_MASK) {
    case Int32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC): .monotonic
    case Int32(V4L2_BUF_FLAG_TIMESTAMP_COPY): .copied
    default: .unknown
    }
  }

  /// The moment of the frame to which the timestamp refers.
  public var timestampSource: TimestampSource {
    switch Int32(bitPattern: rawValue) & Int32(V4L2_BUF_FLAG_TSTAMP_SRC_MASK) {
    case Int32(V4L2_BUF_FLAG_TSTAMP_SRC_SOE): .startOfExposure
    default: .endOfFrame
    }
  }
}

/// The clock of a buffer's timestamp, according to its flags.
public enum TimestampClock: Hashable, Sendable {
  /// `CLOCK_MONOTONIC`.
  case monotonic
  /// Copied from the input buffer.
  case copied
  /// The driver does not say.
  case unknown
}

/// The moment of a frame to which its timestamp refers.
public enum TimestampSource: Hashable, Sendable {
  /// The arrival of its last pixel.
  case endOfFrame
  /// The start of its exposure.
  case startOfExposure
}
