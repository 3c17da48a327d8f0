import Benchmark
import Foundation
import Media
import Synchronization

/// The JPEGs of the master that `OVERCRANK_BENCH_MASTER` names (`script/bench jpeg` makes one), decoded by libturbojpeg,
/// with libavcodec's decoder beside it: the ratios are what counts.
let benchmarks: @Sendable () -> Void = {
  guard let path = ProcessInfo.processInfo.environment["OVERCRANK_BENCH_MASTER"],
    let master = try? Master(path)
  else { return }
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock, .framesPerSecond], warmupIterations: 1, maxDuration: .seconds(20), maxIterations: 5)

  Benchmark("libavcodec, one thread") { benchmark in
    try master.measure(benchmark) { try master.decodeWithLibAVCodec() }
  }
  Benchmark("libturbojpeg, one thread") { benchmark in
    try master.measure(benchmark) { try master.decode(from: 0, by: 1) }
  }
  Benchmark("libturbojpeg, two threads") { benchmark in
    try master.measure(benchmark) {
      DispatchQueue.concurrentPerform(iterations: 2) { start in try? master.decode(from: start, by: 2) }
    }
  }
}

private struct Master: Sendable {
  let track: VideoTrack
  let frames: [Packet]

  init(_ path: String) throws {
    var film = try Demuxer(path)
    var frames: [Packet] = []
    while let packet = try film.nextPacket() { frames.append(packet) }
    track = film.track
    self.frames = frames
  }

  func measure(_ benchmark: Benchmark, _ body: () throws -> Void) rethrows {
    let start = ContinuousClock.now
    try body()
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    benchmark.measurement(.framesPerSecond, Int(Double(frames.count) / seconds))
  }

  /// Every `step`th frame.
  func decode(from start: Int, by step: Int) throws {
    var decoder = try JPEGDecoder()
    for index in stride(from: start, to: frames.count, by: step) {
      blackHole(try frames[index].withBytes { bytes throws(MediaError) in try decoder.decode(bytes) })
    }
  }

  func decodeWithLibAVCodec() throws {
    var decoder = try VideoDecoder(track)
    for frame in frames {
      try decoder.send(frame)
      while let picture = try decoder.nextPicture() { blackHole(picture) }
    }
  }
}

extension BenchmarkMetric {
  fileprivate static let framesPerSecond = BenchmarkMetric.custom("frames/s", polarity: .prefersLarger)
}
