import Benchmark
import Capture
import Foundation
import Synchronization

/// Frames of 100 kB through the ring, with a plain copy into memory of the same size beside it: the ring's
/// price is the difference.
let benchmarks: @Sendable () -> Void = {
  let frameBytes = 100_000
  let framesPerRun = 5000
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock, .throughput, .gigabytesPerSecond], warmupIterations: 1, maxDuration: .seconds(5),
    maxIterations: 20)

  Benchmark("memcpy of 100 kB frames, one thread") { benchmark in
    let source = UnsafeMutableRawPointer.allocate(byteCount: frameBytes, alignment: 64)
    let arena = UnsafeMutableRawPointer.allocate(byteCount: 32 << 20, alignment: 64)
    defer {
      source.deallocate()
      arena.deallocate()
    }
    source.initializeMemory(as: UInt8.self, repeating: 7, count: frameBytes)
    arena.initializeMemory(as: UInt8.self, repeating: 0, count: 32 << 20)
    let places = (32 << 20) / frameBytes
    benchmark.startMeasurement()
    let start = ContinuousClock.now
    for frame in 0..<framesPerRun {
      (arena + frame % places * frameBytes).copyMemory(from: source, byteCount: frameBytes)
    }
    benchmark.measurement(.gigabytesPerSecond, rate(framesPerRun * frameBytes, since: start))
    benchmark.stopMeasurement()
    blackHole(arena)
  }

  Benchmark("100 kB frames through the ring, two threads") { benchmark in
    guard let ends = try? Ring.make(minimumCapacity: 32 << 20) else { return }
    var consumer = ends.consumer
    let producer = Handover(ends.producer)
    let thread = Thread {
      guard var producer = producer.take() else { return }
      let source = UnsafeMutableRawPointer.allocate(byteCount: frameBytes, alignment: 64)
      defer { source.deallocate() }
      source.initializeMemory(as: UInt8.self, repeating: 7, count: frameBytes)
      var sent: UInt32 = 0
      while sent < framesPerRun {
        let record = RingRecord(kind: .frame, sequence: sent, timestampNanoseconds: 0)
        if producer.push(
          record, payloadBytes: frameBytes, fill: { $0.copyMemory(from: source, byteCount: frameBytes) })
        {
          sent += 1
        }
      }
      producer.close()
    }
    benchmark.startMeasurement()
    let start = ContinuousClock.now
    thread.start()
    var received = 0
    while received < framesPerRun {
      received += consumer.pop { _, payload in blackHole(payload[0]) } == nil ? 0 : 1
    }
    benchmark.measurement(.gigabytesPerSecond, rate(framesPerRun * frameBytes, since: start))
    benchmark.stopMeasurement()
  }
}

extension BenchmarkMetric {
  /// Hundredths of 10^9 bytes a second, as the library knows whole numbers alone.
  fileprivate static let gigabytesPerSecond = BenchmarkMetric.custom("GB/s x 100", polarity: .prefersLarger)
}

private func rate(_ bytes: Int, since start: ContinuousClock.Instant) -> Int {
  let seconds = (ContinuousClock.now - start) / .seconds(1)
  return Int(Double(bytes) / seconds / 1e7)
}

/// Hands a ring's end, which cannot be copied, to a thread.
private final class Handover<End: ~Copyable & Sendable>: Sendable {
  private let end: Mutex<End?>
  init(_ end: consuming End) { self.end = Mutex(end) }
  func take() -> End? { end.withLock { $0.take() } }
}
