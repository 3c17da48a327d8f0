import Testing

@testable import Capture

@Suite("The ring")
struct RingTests {
  private func frame(_ sequence: UInt32) -> RingRecord {
    RingRecord(kind: .frame, sequence: sequence, timestampNanoseconds: Int64(sequence) * 1000)
  }

  @Test("returns frames of any size in order, each in one piece, even across the end of the arena")
  func order() throws {
    var ends = try Ring.make(minimumCapacity: 1 << 16)
    var random = SystemRandomNumberGenerator()
    for sequence in 0..<UInt32(5000) {
      let size = Int.random(in: 0...9000, using: &random)
      let pushed = ends.producer.push(frame(sequence), payloadBytes: size) { memory in
        memory.initializeMemory(as: UInt8.self, repeating: UInt8(truncatingIfNeeded: sequence), count: size)
      }
      #expect(pushed)
      let popped: Bool? = ends.consumer.pop { record, payload in
        record == frame(sequence) && payload.count == size
          && payload.allSatisfy { $0 == UInt8(truncatingIfNeeded: sequence) }
      }
      #expect(popped == true)
    }
    let none = ends.consumer.pop { _, _ in true }
    #expect(none == nil)
    let fill = ends.consumer.fillBytes
    #expect(fill == 0)
  }

  @Test("refuses a frame that does not fit, keeps those it has, and accepts more after a pop")
  func full() throws {
    var ends = try Ring.make(minimumCapacity: 1 << 16)
    var taken: UInt32 = 0
    while ends.producer.push(frame(taken), payloadBytes: 4000, fill: { _ in }) { taken += 1 }
    // 65536 bytes, less the headroom, in records of 64 + 4032 bytes.
    #expect(taken == 12)
    let tookMore = ends.producer.push(frame(taken), payloadBytes: 4000, fill: { _ in })
    #expect(!tookMore)
    let oldest = ends.consumer.pop { record, _ in record.sequence }
    #expect(oldest == 0)
    let tookAgain = ends.producer.push(frame(taken), payloadBytes: 4000, fill: { _ in })
    #expect(tookAgain)
    var rest: [UInt32] = []
    while ends.consumer.pop({ record, _ in rest.append(record.sequence) }) != nil {}
    #expect(rest == Array(1...taken))
  }

  @Test("keeps headroom for records without payload, which report losses when it is full")
  func headroom() throws {
    var ends = try Ring.make(minimumCapacity: 1 << 16)
    var sequence: UInt32 = 0
    while ends.producer.push(frame(sequence), payloadBytes: 4000, fill: { _ in }) { sequence += 1 }
    let loss = RingRecord(kind: .lostInRing, sequence: sequence, count: 7, timestampNanoseconds: 0)
    let toldLoss = ends.producer.push(loss, payloadBytes: 0, fill: { _ in })
    #expect(toldLoss)
  }

  @Test("refuses a frame larger than itself")
  func huge() throws {
    var ends = try Ring.make(minimumCapacity: 1 << 16)
    let tookHuge = ends.producer.push(frame(0), payloadBytes: 1 << 20, fill: { _ in })
    #expect(!tookHuge)
    let tookSmall = ends.producer.push(frame(1), payloadBytes: 1 << 10, fill: { _ in })
    #expect(tookSmall)
  }

  @Test("reports its close after everything pushed before")
  func close() throws {
    let ends = try Ring.make(minimumCapacity: 1 << 16)
    var producer = ends.producer
    var consumer = ends.consumer
    let pushed = producer.push(frame(3), payloadBytes: 10, fill: { _ in })
    #expect(pushed)
    let wasClosed = consumer.isClosed
    #expect(!wasClosed)
    producer.close()
    let isClosed = consumer.isClosed
    #expect(isClosed)
    let last = consumer.pop { record, _ in record.sequence }
    #expect(last == 3)
  }

  @Test("throws an error if there is not enough memory")
  func noMemory() {
    let error = #expect(throws: CaptureError.self) { _ = try Ring.make(minimumCapacity: 1 << 55) }
    #expect(error?.description.contains("MiB") == true)
  }

  @Test("has its full capacity again after it was emptied at any position")
  func rewind() throws {
    var ends = try Ring.make(minimumCapacity: 1 << 16)
    var sequence: UInt32 = 0
    var expected: UInt32 = 0
    var isInOrder = true
    for round in 1...40 {
      // Filled to a different position each time, then emptied.
      for _ in 0..<round % 12 {
        guard ends.producer.push(frame(sequence), payloadBytes: 3000, fill: { _ in }) else { continue }
        sequence += 1
      }
      while ends.consumer.pop({ record, _ in isInOrder = isInOrder && record.sequence == expected }) != nil {
        expected += 1
      }
      var taken = 0
      while ends.producer.push(frame(sequence), payloadBytes: 4000, fill: { _ in }) {
        sequence += 1
        taken += 1
      }
      #expect(taken == 12)
      while ends.consumer.pop({ record, _ in isInOrder = isInOrder && record.sequence == expected }) != nil {
        expected += 1
      }
    }
    #expect(isInOrder)
    #expect(expected == sequence)
  }
}
