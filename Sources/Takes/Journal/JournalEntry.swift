import FoundationEssentials
import Timebase

/// A journal's entry for a frame, for audio, or for a run of lost frames, in the order in which they left the
/// ring; the first may be for the start of the take.
struct JournalEntry: Hashable {
  enum Content: Hashable {
    /// A frame whose bytes are in the part from `offset` on, with their checksum `sum`. Its time is that of
    /// its receipt if `isTimedAtDequeue`.
    case frame(
      offset: Int64, byteCount: UInt32, sum: ContentChecksum, timestampNanoseconds: Int64,
      isTimedAtDequeue: Bool)
    /// A run of `count` lost frames.
    case lost(count: UInt32, stage: LossStage)
    /// Audio whose bytes are in the part from `offset` on, with their checksum `sum`. Its first sample was
    /// heard at `time`; without a time it is silence in place of lost samples.
    case audio(offset: Int64, byteCount: UInt32, sum: ContentChecksum, time: Instant?)
    /// The date of the take, in nanoseconds since 1970.
    case start(nanoseconds: Int64)
  }

  /// The lowest 32 bits of the camera's number of the frame, or of the first lost one; for audio, of the
  /// number of its first sample in the master.
  var sequence: UInt32
  var content: Content

  /// Bytes of an entry in a journal.
  static let size = 40

  /// Returns the bytes of the entry at place `index` of its journal, with numbers in little-endian order:
  ///
  /// | bytes | content |
  /// |---|---|
  /// | 0-3 | `index` |
  /// | 4 | 1 for a frame, 2 for a loss, 3 for audio, 4 for the start |
  /// | 5 | loss: stage, in the order of ``LossStage``; frame: 1 if timed at receipt; audio: 1 if silence |
  /// | 6 | frame or audio: 1 if the checksum covers all bytes, 0 for the first and last 32 |
  /// | 7 | zero |
  /// | 8-11 | sequence |
  /// | 12-15 | the size of a frame or audio in bytes, or the number of lost frames |
  /// | 16-23 | the offset of a frame or audio in the part |
  /// | 24-31 | the time of a frame or audio in nanoseconds; the date of the start in nanoseconds since 1970 |
  /// | 32-35 | the checksum of a frame or audio: ``ContentChecksum`` |
  /// | 36-39 | CRC-32 of all the bytes before |
  func encoded(at index: UInt32) -> [UInt8] {
    var bytes = LittleEndianBytes()
    bytes.append(index)
    switch content {
    case .frame(let offset, let byteCount, let sum, let timestamp, let isTimedAtDequeue):
      bytes.append(UInt32(1 | (isTimedAtDequeue ? 1 : 0) << 8) | Self.flag(of: sum))
      bytes.append(sequence)
      bytes.append(byteCount)
      bytes.append(offset)
      bytes.append(timestamp)
      bytes.append(sum.value)
    case .lost(let count, let stage):
      bytes.append(UInt32(2 | (LossStage.allCases.firstIndex(of: stage) ?? 0) << 8))
      bytes.append(sequence)
      bytes.append(count)
      bytes.append(Int64(0))
      bytes.append(Int64(0))
      bytes.append(UInt32(0))
    case .audio(let offset, let byteCount, let sum, let time):
      bytes.append(UInt32(3 | (time == nil ? 1 : 0) << 8) | Self.flag(of: sum))
      bytes.append(sequence)
      bytes.append(byteCount)
      bytes.append(offset)
      bytes.append(time?.nanoseconds ?? 0)
      bytes.append(sum.value)
    case .start(let nanoseconds):
      bytes.append(UInt32(4))
      bytes.append(sequence)
      bytes.append(UInt32(0))
      bytes.append(Int64(0))
      bytes.append(nanoseconds)
      bytes.append(UInt32(0))
    }
    bytes.append(Checksum.crc32(bytes.all))
    return bytes.all
  }

  /// Reads the entry at place `index`; `nil` if it is damaged.
  init?(_ bytes: ArraySlice<UInt8>, at index: UInt32) {
    var reader = LittleEndianReader(bytes)
    guard bytes.count == Self.size,
      let place = reader.next(UInt32.self), let kind = reader.next(UInt32.self),
      let sequence = reader.next(UInt32.self), let amount = reader.next(UInt32.self),
      let offset = reader.next(Int64.self), let timestamp = reader.next(Int64.self),
      let value = reader.next(UInt32.self), let own = reader.next(UInt32.self),
      own == Checksum.crc32(bytes.dropLast(4)), place == index
    else { return nil }
    self.sequence = sequence
    let sum = ContentChecksum(value, isOfEnds: kind >> 16 & 0xff == 0)
    switch (kind & 0xff, LossStage.allCases.dropFirst(Int(kind >> 8 & 0xff)).first) {
    case (1, _):
      content = .frame(
        offset: offset, byteCount: amount, sum: sum, timestampNanoseconds: timestamp,
        isTimedAtDequeue: kind >> 8 & 1 != 0)
    // No recording writes a loss of zero frames.
    case (2, let stage?) where amount > 0: content = .lost(count: amount, stage: stage)
    case (3, _):
      content = .audio(
        offset: offset, byteCount: amount, sum: sum,
        time: kind >> 8 & 1 == 0 ? Instant(nanoseconds: timestamp) : nil)
    case (4, _): content = .start(nanoseconds: timestamp)
    default: return nil
    }
  }

  private static func flag(of sum: ContentChecksum) -> UInt32 { sum.isOfEnds ? 0 : 1 << 16 }

  init(sequence: UInt32, _ content: Content) {
    self.sequence = sequence
    self.content = content
  }

  /// Creates the entry for the start of a take at `date`.
  init(start date: Date) {
    self.init(
      sequence: 0, .start(nanoseconds: Int64(clamping: (date.timeIntervalSince1970 * 1e9).rounded())))
  }

  /// The date of the take; `nil` for any other entry.
  var start: Date? {
    guard case .start(let nanoseconds) = content else { return nil }
    return Date(timeIntervalSince1970: Double(nanoseconds) / 1e9)
  }
}

/// The bytes of numbers in little-endian order.
struct LittleEndianBytes {
  private(set) var all: [UInt8] = []

  mutating func append(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { all.append(contentsOf: $0) }
  }
}

/// A reader of ``LittleEndianBytes``.
struct LittleEndianReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// Returns the next number; `nil` at the end.
  mutating func next<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
    let size = MemoryLayout<Number>.size
    guard rest.count >= size else { return nil }
    defer { rest = rest.dropFirst(size) }
    return rest.prefix(size).reversed().reduce(0) { $0 << 8 | Number($1) }
  }
}

/// CRC-32 as in Ethernet, zlib and ZIP (polynomial 0xEDB88320 reflected).
package enum Checksum {
  private static let table: [UInt32] = (0..<256).map { (byte: UInt32) in
    (0..<8).reduce(byte) { value, _ in value >> 1 ^ (value & 1 == 0 ? 0 : 0xedb8_8320) }
  }

  /// Returns the checksum of `bytes`, continued from `start`, the checksum of the bytes before them.
  static func crc32(_ bytes: some Sequence<UInt8>, from start: UInt32 = 0) -> UInt32 {
    ~bytes.reduce(~start) { table[Int(($0 ^ UInt32($1)) & 0xff)] ^ $0 >> 8 }
  }

  /// Returns the checksum of `bytes`, continued from `start`, the checksum of the bytes before them.
  ///
  /// For other modules, where the generic function would be slow.
  package static func crc32(of bytes: [UInt8], from start: UInt32) -> UInt32 { crc32(bytes, from: start) }
}
