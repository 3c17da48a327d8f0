import CV4L2

/// V4L2's `V4L2_BUF_FLAG_*`.
public struct BufferFlags: OptionSet, Hashable, Sendable {
  /// The kernel's bits.
  public let rawValue: UInt32

  /// The flags in `rawValue`, known or not.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The data may be damaged; the stream goes on.
  public static let error = BufferFlags(rawValue: UInt32(V4L2_BUF_FLAG_ERROR))
  /// A compressed frame that needs no other.
  public static let keyFrame = BufferFlags(rawValue: UInt32(V4L2_BUF_FLAG_KEYFRAME))
  /// The last buffer of the stream, as codecs mark it.
  public static let last = BufferFlags(rawValue: UInt32(V4L2_BUF_FLAG_LAST))

  /// Which clock stamped the buffer.
  public var timestampClock: TimestampClock {
    switch Int32(bitPattern: rawValue) & Int32(V4L2_BUF_FLAG_TIMESTAMP_MASK) {
    case Int32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC): .monotonic
    case Int32(V4L2_BUF_FLAG_TIMESTAMP_COPY): .copied
    default: .unknown
    }
  }

  /// Which moment of the frame the timestamp is of.
  public var timestampSource: TimestampSource {
    switch Int32(bitPattern: rawValue) & Int32(V4L2_BUF_FLAG_TSTAMP_SRC_MASK) {
    case Int32(V4L2_BUF_FLAG_TSTAMP_SRC_SOE): .startOfExposure
    default: .endOfFrame
    }
  }
}

/// The clock of a buffer's timestamp, as its flags tell.
public enum TimestampClock: Hashable, Sendable {
  /// `CLOCK_MONOTONIC`.
  case monotonic
  /// Copied from the buffer that was fed in.
  case copied
  /// The driver does not say.
  case unknown
}

/// The moment of a frame that its timestamp is of.
public enum TimestampSource: Hashable, Sendable {
  /// When its last pixel came in.
  case endOfFrame
  /// When its exposure began.
  case startOfExposure
}
