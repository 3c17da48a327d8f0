import Benchmark
import Capture
import Foundation

/// The JPEGs of the master that `OVERCRANK_BENCH_MASTER` names (`script/bench jpeg` makes one) to planar YUV, by
/// libavcodec's decoder, which has one thread, and by ours on one and on all cores, in turn: the ratios are what counts.
let benchmarks: @Sendable () -> Void = {
  guard let path = ProcessInfo.processInfo.environment["OVERCRANK_BENCH_MASTER"] else { return }
  Benchmark.defaultConfiguration = .init(
    metrics: [.libavcodec, .oneThread, .allCores, .ratioOfOneThread, .ratioOfAllCores], warmupIterations: 1,
    maxDuration: .seconds(60), maxIterations: 15)

  Benchmark("JPEG to planar YUV") { benchmark in
    let master = try Master(path)
    let reference = try master.rate { try master.decodeWithLibAVCodec() }
    let one = try master.rate { try master.decode(from: 0, by: 1) }
    let all = master.rate(master.decodeOnAllCores)
    benchmark.measurement(.libavcodec, Int(reference))
    benchmark.measurement(.oneThread, Int(one))
    benchmark.measurement(.allCores, Int(all))
    benchmark.measurement(.ratioOfOneThread, Int(100 * one / reference))
    benchmark.measurement(.ratioOfAllCores, Int(100 * all / reference))
  }
}

/// A video in memory.
private struct Master: Sendable {
  let track: VideoTrack
  let frames: [Packet]

  init(_ path: String) throws {
    var video = try Demuxer(FilePath(path))
    var frames: [Packet] = []
    while let packet = try video.nextPacket() { frames.append(packet) }
    track = video.track
    self.frames = frames
    try checkLikeness()
  }

  /// Frames a second that `body` decodes, which decodes all.
  func rate(_ body: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try body()
    return Double(frames.count) / ((ContinuousClock.now - start) / .seconds(1))
  }

  /// Every `step`th frame.
  func decode(from start: Int, by step: Int) throws {
    var decoder = try JPEGDecoder()
    for index in stride(from: start, to: frames.count, by: step) {
      blackHole(try frames[index].withBytes { bytes throws(OvercrankError) in try decoder.decode(bytes) })
    }
  }

  func decodeOnAllCores() {
    let count = ProcessInfo.processInfo.activeProcessorCount
    DispatchQueue.concurrentPerform(iterations: count) { start in
      do { try decode(from: start, by: count) } catch { fatalError("\(error)") }
    }
  }

  func decodeWithLibAVCodec() throws {
    var decoder = try VideoDecoder(track)
    var count = 0
    func takePictures() throws {
      while let picture = try decoder.nextPicture() {
        blackHole(picture)
        count += 1
      }
    }
    for frame in frames {
      try decoder.send(frame)
      try takePictures()
    }
    try decoder.finish()
    try takePictures()
    guard count == frames.count else {
      throw Unlike(description: "libavcodec decoded \(count) of \(frames.count)")
    }
  }

  /// Both decoders are to give the same: the first frame's size and layout, and luma that differs by rounding alone.
  private func checkLikeness() throws {
    guard let first = frames.first else { throw Unlike(description: "there is no frame") }
    var jpeg = try JPEGDecoder()
    var libav = try VideoDecoder(track)
    let ours = try first.withBytes { bytes throws(OvercrankError) in try jpeg.decode(bytes) }
    try libav.send(first)
    try libav.finish()
    guard let theirs = try libav.nextPicture(), (ours.width, ours.height) == (theirs.width, theirs.height),
      ours.layout.planes(width: ours.width, height: ours.height)
        == theirs.layout.planes(width: ours.width, height: ours.height)
    else { throw Unlike(description: "the decoders' pictures have different layouts") }
    var difference = 0
    for row in 0..<ours.height {
      let (one, other) = (samples(of: row, ours), samples(of: row, theirs))
      difference += zip(one, other).reduce(0) { $0 + abs($1.0 - $1.1) }
    }
    guard difference < ours.width * ours.height else {
      throw Unlike(description: "the decoders' pictures differ")
    }
  }

  private func samples(of row: Int, _ picture: Picture) -> [Int] {
    picture.withRow(row, plane: 0) { samples in samples.indices.map { Int(samples[$0]) } }
  }
}

private struct Unlike: Error, CustomStringConvertible {
  let description: String
}

extension BenchmarkMetric {
  fileprivate static let libavcodec = custom(
    "libavcodec's mjpeg, one thread (frames/s)", polarity: .prefersLarger)
  fileprivate static let oneThread = custom("ours, one thread (frames/s)", polarity: .prefersLarger)
  fileprivate static let allCores = custom("ours, all cores (frames/s)", polarity: .prefersLarger)
  fileprivate static let ratioOfOneThread = custom(
    "ours on one thread to libavcodec's (%)", polarity: .prefersLarger)
  fileprivate static let ratioOfAllCores = custom(
    "ours on all cores to libavcodec's (%)", polarity: .prefersLarger)
}
