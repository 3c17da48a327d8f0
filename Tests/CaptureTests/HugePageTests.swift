import FrameJudge
import Foundation
import Testing

@testable import Capture

/// These run only in the virtual machine, where a test may reserve memory and no other test runs.
@Suite("A ring in huge pages", .tags(.kernel), .enabled(if: KernelCameras.areExpected), .serialized)
struct HugePageTests {
  private let reserved: HugePages

  init() throws { reserved = try HugePages() }

  @Test("uses reserved pages for both halves, and gives them back")
  func reservedPages() throws {
    let before = HugePages.free
    do {
      var ends = try Ring.make(minimumCapacity: (15 << 20) + (1 << 20) + 1)
      #expect(ends.consumer.capacity == 18 << 20)
      #expect(HugePages.free == before - 9)
      // Past the end of the arena, where the second half begins.
      var popped: UInt32 = 0
      for sequence in 0..<UInt32(50) {
        let record = RingRecord(kind: .frame, sequence: sequence, timestampNanoseconds: 0)
        while !ends.producer.push(
          record, payloadBytes: 1_000_001,
          fill: { $0.initializeMemory(as: UInt8.self, repeating: UInt8(sequence), count: 1_000_001) })
        {
          let isWhole = ends.consumer.pop { record, payload in
            record.sequence == popped
              && [0, 500_000, 1_000_000].allSatisfy { payload[$0] == UInt8(record.sequence) }
          }
          try #require(isWhole == true)
          popped += 1
        }
      }
      #expect(popped > 30)
    }
    #expect(HugePages.free == before)
  }

  @Test("uses normal pages if there are too few")
  func tooFew() throws {
    let before = HugePages.free
    let ends = try Ring.make(minimumCapacity: (before + 1) * 2 << 20)
    #expect(HugePages.free == before)
    #expect(ends.producer.capacity == (before + 1) * 2 << 20)
  }

  @Test("is possible when no other memory is left")
  func noOtherMemory() throws {
    #expect(try RingMemory(minimumCapacity: 18 << 20, available: 0).capacity == 18 << 20)
    let tooMany = (HugePages.free + 1) * 2 << 20
    #expect(throws: CaptureError.ring(byteCount: tooMany, answer: "only 0 MiB are available")) {
      try RingMemory(minimumCapacity: tooMany, available: 0)
    }
  }
}

/// Pages of 2 MiB, reserved for a test.
private final class HugePages {
  private static let count = "/proc/sys/vm/nr_hugepages"
  private let countBefore: String

  init() throws {
    countBefore = try String(contentsOfFile: Self.count, encoding: .utf8)
    try Data("12".utf8).write(to: URL(filePath: Self.count))
    try #require(Self.free >= 9)
  }

  deinit { try? Data(countBefore.utf8).write(to: URL(filePath: Self.count)) }

  /// The number of reserved pages that are free.
  static var free: Int {
    let facts = (try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8)) ?? ""
    return facts.firstMatch(of: /HugePages_Free: +([0-9]+)/).flatMap { Int($0.1) } ?? 0
  }
}
