import Timebase

/// The lock-free memory between the capture thread and the writer: frames of any size, in order.
///
/// One producer, one consumer, each a value that cannot be copied, so a second of either does not compile.
/// A full ring refuses a frame and says so; it never waits and never overwrites. Not for several readers.
public enum Ring {
  /// The two ends of one ring.
  @frozen
  public struct Ends: ~Copyable, Sendable {
    /// For the capture thread.
    public var producer: RingProducer
    /// For the writer.
    public var consumer: RingConsumer
  }

  /// A ring of at least `minimumCapacity` bytes, rounded up to 64 KiB, or 2 MiB from 16 MiB on, all of which is taken from the
  /// system at once.
  ///
  /// - Throws: ``CaptureError/ring(byteCount:answer:)`` where there is no memory for it.
  public static func make(minimumCapacity: Int) throws(CaptureError) -> Ends {
    let memory = try RingMemory(minimumCapacity: minimumCapacity)
    return Ends(producer: RingProducer(memory), consumer: RingConsumer(memory))
  }
}

/// What stands before each payload in the ring.
public struct RingRecord: BitwiseCopyable, Hashable, Sendable {
  /// What a record says of a frame.
  public enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// The payload is a frame.
    case frame
    /// `count` frames from `sequence` on found the ring full. No payload.
    case lostInRing
    /// `count` frames from `sequence` on came damaged. No payload.
    case lostCorrupt
    /// `count` frames from `sequence` on were written over in the driver's buffer. No payload.
    case lostInDriver
  }

  /// What the record is.
  public var kind: Kind
  /// The camera's number of the frame, or of the first of those lost.
  public var sequence: UInt32
  /// How many frames the record speaks of.
  public var count: UInt32
  /// When the frame was captured, in nanoseconds.
  public var timestampNanoseconds: Int64
  /// Whether that is the time of its receipt, as the driver's timestamp cannot be true.
  public var isTimedAtDequeue: Bool

  /// A record of these parts.
  public init(
    kind: Kind, sequence: UInt32, count: UInt32 = 1, timestampNanoseconds: Int64,
    isTimedAtDequeue: Bool = false
  ) {
    self.kind = kind
    self.sequence = sequence
    self.count = count
    self.timestampNanoseconds = timestampNanoseconds
    self.isTimedAtDequeue = isTimedAtDequeue
  }
}

extension RingRecord {
  /// When the frame was captured: the border of the frame path, which counts nanoseconds.
  var timestamp: Instant { Instant(nanoseconds: timestampNanoseconds) }
}

/// How records lie in the arena: a header of one cache line, the payload, padding to the next line.
enum RingLayout {
  static let headerBytes = 64

  struct Header: BitwiseCopyable {
    var payloadBytes: Int
    var record: RingRecord
  }

  static func recordBytes(payload: Int) -> Int { headerBytes + (payload + 63) & ~63 }
}
