import Benchmark
import Capture
import Foundation
import Synchronization

/// Frames of 100 kB through the ring between two threads, and plain copies into the same arena by one thread just before:
/// the ring's price is the difference. The consumer touches no payload.
let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.plainCopy, .throughRing, .share], warmupIterations: 1, maxDuration: .seconds(20),
    maxIterations: 20)

  Benchmark("100 kB frames, the ring emptied at once") { benchmark in
    race(benchmark, keepsBytes: 0)
  }

  Benchmark("100 kB frames, the ring kept half full, as before a trigger") { benchmark in
    race(benchmark, keepsBytes: 16 << 20)
  }
}

private let frameBytes = 100_000
private let frameCount = 10_000

/// One run of each.
private func race(_ benchmark: Benchmark, keepsBytes: Int) {
  guard let ends = try? Ring.make(minimumCapacity: 32 << 20) else { return }
  let source = UnsafeMutableRawPointer.allocate(byteCount: frameBytes, alignment: 64)
  defer { source.deallocate() }
  source.initializeMemory(as: UInt8.self, repeating: 7, count: frameBytes)
  var producer = ends.producer
  let plain = plainCopies(of: source, into: &producer)
  let ring = throughRing(producer, ends.consumer, of: source, keepsBytes: keepsBytes)
  benchmark.measurement(.plainCopy, Int(plain / 1e7))
  benchmark.measurement(.throughRing, Int(ring / 1e7))
  benchmark.measurement(.share, Int(100 * ring / plain))
}

/// Bytes per second of copies one behind the other, all through the arena of the ring that `producer` writes to.
private func plainCopies(of source: UnsafeMutableRawPointer, into producer: inout RingProducer) -> Double {
  let record = RingRecord(kind: .frame, sequence: 0, timestampNanoseconds: 0)
  var arena: UnsafeMutableRawPointer?
  _ = producer.write(record, payloadBytes: frameBytes) { arena = $0 }
  guard let arena else { return 0 }
  let places = producer.capacity / frameBytes
  let start = ContinuousClock.now
  for frame in 0..<frameCount {
    (arena + frame % places * frameBytes).copyMemory(from: source, byteCount: frameBytes)
  }
  return rate(since: start)
}

/// Bytes per second from one thread to another, of which the second lets go of the oldest beyond `keepsBytes`.
private func throughRing(
  _ producer: consuming RingProducer, _ consumer: consuming RingConsumer, of source: UnsafeMutableRawPointer,
  keepsBytes: Int
) -> Double {
  let handover = Handover(producer)
  let payload = UInt(bitPattern: source)
  let started = Mutex<ContinuousClock.Instant?>(nil)
  let thread = Thread {
    guard var producer = handover.take(), let source = UnsafeRawPointer(bitPattern: payload) else { return }
    started.withLock { $0 = .now }
    var sent: UInt32 = 0
    while sent < frameCount {
      let record = RingRecord(kind: .frame, sequence: sent, timestampNanoseconds: 0)
      if producer.push(
        record, payloadBytes: frameBytes, fill: { $0.copyMemory(from: source, byteCount: frameBytes) })
      {
        sent += 1
      }
    }
    producer.close()
  }
  thread.start()
  var received = 0
  while received < frameCount {
    let isDue = consumer.fillBytes > keepsBytes || consumer.isClosed
    if isDue, consumer.pop({ record, _ in blackHole(record.sequence) }) != nil {
      received += 1
    } else {
      // As the writer does, if for shorter: an emptied ring is looked into again after a while.
      usleep(100)
    }
  }
  return started.withLock { $0 }.map(rate) ?? 0
}

private func rate(since start: ContinuousClock.Instant) -> Double {
  Double(frameCount * frameBytes) / ((ContinuousClock.now - start) / .seconds(1))
}

// The library knows whole numbers alone.
extension BenchmarkMetric {
  fileprivate static let plainCopy = BenchmarkMetric.custom("memcpy, GB/s x 100", polarity: .prefersLarger)
  fileprivate static let throughRing = BenchmarkMetric.custom("ring, GB/s x 100", polarity: .prefersLarger)
  fileprivate static let share = BenchmarkMetric.custom("ring / memcpy, %", polarity: .prefersLarger)
}

/// Hands a ring's end, which cannot be copied, to a thread.
private final class Handover<End: ~Copyable & Sendable>: Sendable {
  private let end: Mutex<End?>
  init(_ end: consuming End) { self.end = Mutex(end) }
  func take() -> End? { end.withLock { $0.take() } }
}
