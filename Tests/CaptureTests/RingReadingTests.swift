import Foundation
import Testing

@testable import Capture

@Suite("Records in a ring")
struct RingReadingTests {
  private func frame(_ sequence: UInt32) -> RingRecord {
    RingRecord(kind: .frame, sequence: sequence, timestampNanoseconds: 0)
  }

  /// Returns the payload bytes of a record that takes up `size` bytes.
  private func payload(_ size: Int) -> Int { size - RingLayout.recordBytes(payload: 0) }

  @Test("do not exist at first")
  func empty() throws {
    var ends = try Ring.make(minimumCapacity: 1 << 16)
    let (oldest, scanned) = (ends.consumer.peek(), ends.consumer.scan()?.record)
    #expect(oldest == nil && scanned == nil)
    var count = 0
    ends.consumer.forEach { _, _ in count += 1 }
    #expect(count == 0)
  }

  @Test("are each scanned once, and never after they were popped")
  func scan() throws {
    var ends = try Ring.make(minimumCapacity: 1 << 16)
    for sequence in 0..<UInt32(4) {
      let pushed = ends.producer.push(frame(sequence), payloadBytes: 100, fill: { _ in })
      #expect(pushed)
    }
    _ = ends.consumer.pop { _, _ in }
    var told: [UInt32?] = []
    for _ in 0..<2 { told.append(ends.consumer.scan()?.record.sequence) }
    for _ in 0..<2 { _ = ends.consumer.pop { _, _ in } }
    for _ in 0..<2 { told.append(ends.consumer.scan()?.record.sequence) }
    #expect(told == [1, 2, 3, nil])
  }

  @Test("are found at the start of the arena, after the producer wrapped around")
  func rewound() throws {
    var ends = try Ring.make(minimumCapacity: 1 << 16)
    for sequence in 0..<UInt32(20) {
      let pushed = ends.producer.push(frame(sequence), payloadBytes: 9000, fill: { _ in })
      #expect(pushed)
      let scanned = ends.consumer.scan()?.record.sequence
      #expect(scanned == sequence)
      let popped = ends.consumer.pop { record, _ in record.sequence }
      #expect(popped == sequence)
    }
  }

  @Test("are visited in order until the body throws")
  func forEach() throws {
    struct Enough: Error {}
    var ends = try Ring.make(minimumCapacity: 1 << 16)
    for sequence in 0..<UInt32(4) {
      let pushed = ends.producer.push(frame(sequence), payloadBytes: 100, fill: { _ in })
      #expect(pushed)
    }
    var seen: [UInt32] = []
    let error = #expect(throws: Enough.self) {
      try ends.consumer.forEach { record, _ in
        seen.append(record.sequence)
        if record.sequence == 2 { throw Enough() }
      }
    }
    #expect(error != nil && seen == [0, 1, 2])
  }

  @Test("may fill the ring up to the headroom, to the byte, before and after a read")
  func exactly() throws {
    var ends = try Ring.make(minimumCapacity: 1 << 16)
    let all = ends.producer.capacity - RingProducer.headroom
    let whole = ends.producer.push(frame(0), payloadBytes: payload(all), fill: { _ in })
    #expect(whole)
    var parts = try Ring.make(minimumCapacity: 1 << 16)
    for sequence in 0..<UInt32(2) {
      let pushed = parts.producer.push(frame(sequence), payloadBytes: payload(all / 3), fill: { _ in })
      #expect(pushed)
    }
    let tooEarly = parts.producer.push(frame(2), payloadBytes: payload(all / 3 * 2), fill: { _ in })
    #expect(!tooEarly)
    _ = parts.consumer.pop { _, _ in }
    let inTime = parts.producer.push(frame(2), payloadBytes: payload(all / 3 * 2), fill: { _ in })
    #expect(inTime)
  }

  @Test(
    "have whole pages of memory, or huge pages if these are small in comparison",
    arguments: [
      (1, 1 << 16), (1 << 16, 1 << 16), (1 << 16 + 1, 2 << 16), (16 << 20 - 1, 16 << 20),
      (16 << 20, 16 << 20), (16 << 20 + 1, 18 << 20), (25 << 20, 26 << 20),
    ] as [(Int, Int)])
  func capacity(_ minimum: Int, _ capacity: Int) throws {
    let ends = try Ring.make(minimumCapacity: minimum)
    let (written, read) = (ends.producer.capacity, ends.consumer.capacity)
    #expect(written == capacity && read == capacity)
  }

  @Test("are read to the last one after the close, even at the start of the arena")
  func closed() throws {
    let ends = try Ring.make(minimumCapacity: 1 << 16)
    var producer = ends.producer
    var consumer = ends.consumer
    for sequence in 0..<UInt32(2) {
      let pushed = producer.push(frame(sequence), payloadBytes: 9000, fill: { _ in })
      #expect(pushed)
      if sequence == 0 { _ = consumer.pop { _, _ in } }
    }
    producer.close()
    let (last, isClosed) = (consumer.pop { record, _ in record.sequence }, consumer.isClosed)
    #expect(last == 1 && isClosed)
  }

  @Test("are refused memory that the system cannot give")
  func memory() {
    let error = #expect(throws: CaptureError.self) {
      _ = try RingMemory(minimumCapacity: 5 << 20, available: 3 << 20)
    }
    #expect(error?.description.contains("only 3 MiB are available") == true)
  }

  @Test("lose their memory with the last end of the ring", arguments: [1 << 16, 16 << 20])
  func freed(_ capacity: Int) throws {
    /// Returns the start of each mapping of this process, and the inode of its file, which is unique.
    func mappings() throws -> [(start: UInt?, file: Substring)] {
      // The kernel returns one page at a time, which a read of the whole file would take for the end.
      let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/maps"))
      let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
      return text.split(separator: "\n").map { $0.split(separator: " ") }.map {
        (UInt($0[0].prefix { $0 != "-" }, radix: 16), $0[4])
      }
    }
    var memory: RingMemory? = try RingMemory(minimumCapacity: capacity)
    let start = (memory?.arena).map { UInt(bitPattern: $0) }
    let file = try #require(mappings().first { $0.start == start }?.file)
    #expect(try mappings().count { $0.file == file } == 2)
    memory = nil
    #expect(try !mappings().contains { $0.file == file })
  }

  @Test("is locked as far as the system allows, unless its creation is stopped")
  func locked() throws {
    #expect(try RingMemory(minimumCapacity: 1 << 20).lockErrno != ECANCELED)
    #expect(try RingMemory(minimumCapacity: 1 << 20, unless: { true }).lockErrno == ECANCELED)
  }
}
