// Two threads, one ring, frames of many sizes: every word of every payload states its frame and its place
// there, so a torn, stale or mixed frame is detected. Built with ThreadSanitizer in a release build, as debug
// builds hide wrong memory orders; script/test also plants one to check that it is found.

import Capture
import Foundation
import Synchronization

/// Passes a ring's end, which cannot be copied, to a thread.
final class Handover<End: ~Copyable & Sendable>: Sendable {
  private let end: Mutex<End?>
  init(_ end: consuming End) { self.end = Mutex(end) }
  func take() -> End? { end.withLock { $0.take() } }
}

/// One frame in 64 has up to 64 KiB, the others up to 512 bytes: the test is about the passage through the
/// ring.
func words(in sequence: UInt32) -> Int {
  let chance = sequence &* 2_654_435_761
  return 1 + Int(chance >> (sequence % 64 == 0 ? 19 : 26))
}

func word(_ index: Int, of sequence: UInt32) -> UInt64 { UInt64(sequence) << 32 | UInt64(index) }

/// A counter shared by threads.
final class Counter: Sendable {
  let value = Atomic<Int>(0)
}

/// Sends `frameCount` frames through a ring. Returns whether all arrived whole and in order.
func isWhole(after frameCount: UInt32) throws -> Bool {
  let ends = try Ring.make(minimumCapacity: 1 << 18)
  let handover = Handover(ends.producer)
  let refusals = Counter()
  let thread = Thread {
    guard var producer = handover.take() else { return }
    for sequence in 0..<frameCount {
      let count = words(in: sequence)
      let record = RingRecord(kind: .frame, sequence: sequence, timestampNanoseconds: Int64(sequence))
      while !producer.push(
        record, payloadBytes: 8 * count,
        fill: { memory in
          for index in 0..<count {
            memory.storeBytes(of: word(index, of: sequence), toByteOffset: 8 * index, as: UInt64.self)
          }
        })
      {
        refusals.value.add(1, ordering: .relaxed)
      }
    }
    producer.close()
  }
  thread.start()

  var consumer = ends.consumer
  var seen: UInt32 = 0
  var scanned: UInt32 = 0
  var torn = 0
  while true {
    let wasClosed = consumer.isClosed
    // Ahead of the frames popped, as the writer reads while takes wait for triggers.
    while let ahead = consumer.scan() {
      if ahead.record.sequence != scanned || ahead.payload.count != 8 * words(in: scanned) { torn += 1 }
      scanned += 1
    }
    let popped: Void? = consumer.pop { record, payload in
      let count = words(in: record.sequence)
      let isWhole =
        record.sequence == seen && payload.count == 8 * count
        && (0..<count).allSatisfy {
          payload.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self) == word($0, of: record.sequence)
        }
      if !isWhole { torn += 1 }
      seen += 1
      // Records that arrived after the look ahead and were popped are not read again.
      scanned = max(scanned, seen)
    }
    if popped == nil, wasClosed { break }
  }
  print(
    "\(seen) of \(frameCount) frames through the ring, \(torn) torn, \(refusals.value.load(ordering: .relaxed)) refusals"
  )
  return seen == frameCount && scanned == frameCount && torn == 0
}

let frameCount: UInt32 = CommandLine.arguments.count > 1 ? UInt32(CommandLine.arguments[1]) ?? 0 : 200_000
exit(try frameCount > 0 && isWhole(after: frameCount) ? 0 : 1)
