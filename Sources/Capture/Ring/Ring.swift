import Timebase

/// The lock-free memory between the capture thread and the writer: frames of any size, in order.
///
/// One producer, one consumer: neither value can be copied, so a second of either does not compile. A full
/// ring refuses a frame and reports that; it never waits and never overwrites. Not for several readers.
public enum Ring {
  /// The two ends of a ring.
  @frozen
  public struct Ends: ~Copyable, Sendable {
    /// The capture thread's end.
    public var producer: RingProducer
    /// The writer's end.
    public var consumer: RingConsumer
  }

  /// Creates a ring of at least `minimumCapacity` bytes, rounded up to a multiple of 64 KiB, or of 2 MiB from
  /// 16 MiB on. All of its memory is allocated at once.
  ///
  /// - Parameters:
  ///   - minimumCapacity: The least size in bytes.
  ///   - isStopped: Called repeatedly, because gigabytes take seconds to allocate; if it returns `true`, the
  ///     rest is allocated when it is used.
  /// - Throws: ``CaptureError/ring(byteCount:answer:)`` if there is not enough memory.
  public static func make(
    minimumCapacity: Int, unless isStopped: () -> Bool = { false }
  ) throws(CaptureError) -> Ends {
    let memory = try RingMemory(minimumCapacity: minimumCapacity, unless: isStopped)
    return Ends(producer: RingProducer(memory), consumer: RingConsumer(memory))
  }
}

/// The header of each payload in the ring.
public struct RingRecord: BitwiseCopyable, Hashable, Sendable {
  /// The kind of a record.
  public enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// The payload is a frame.
    case frame
    /// `count` frames from `sequence` on found the ring full. No payload.
    case lostInRing
    /// `count` frames from `sequence` on were damaged. No payload.
    case lostCorrupt
    /// `count` frames from `sequence` on were overwritten in the driver's buffer. No payload.
    case lostInDriver
  }

  /// The kind of the record.
  public var kind: Kind
  /// The camera's sequence number of the frame, or of the first lost frame.
  public var sequence: UInt32
  /// The number of frames that the record describes.
  public var count: UInt32
  /// The capture time, in nanoseconds.
  public var timestampNanoseconds: Int64
  /// Whether the timestamp is the time of receipt, because the driver's was implausible.
  public var isTimedAtDequeue: Bool

  /// Creates a record.
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
  /// The capture time as an instant; the frame path itself counts nanoseconds.
  var timestamp: Instant { Instant(nanoseconds: timestampNanoseconds) }
}

/// The layout of records in the arena: a header of one cache line, the payload, padding to the next line.
enum RingLayout {
  static let headerBytes = 64

  struct Header: BitwiseCopyable {
    var payloadBytes: Int
    var record: RingRecord
  }

  static func recordBytes(payload: Int) -> Int { headerBytes + (payload + 63) & ~63 }
}
