import Benchmark
import Capture

/// What the simulated camera costs a frame, and what a choice among many modes costs.
let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock, .throughput], warmupIterations: 1, scalingFactor: .kilo, maxDuration: .seconds(3))

  for (format, width, height) in [(PixelFormat.mjpeg, 1280, 720), (.mjpeg, 1920, 1080), (.yuyv, 640, 480)] {
    Benchmark("Compose \(width)x\(height) \(format)") { benchmark in
      guard var picture = try? SimulatedPicture(format: format, width: width, height: height) else { return }
      benchmark.startMeasurement()
      for number in benchmark.scaledIterations {
        picture.compose(frame: UInt32(number)) { blackHole($0.count) }
      }
      benchmark.stopMeasurement()
    }
  }

  Benchmark("Choose among 400 modes") { benchmark in
    let rows = (1...400).map { index in
      ModeRow(
        fourcc: index % 2 == 0 ? "MJPG" : "YUYV",
        size: .discrete(width: UInt32(160 + index % 50 * 16), height: UInt32(120 + index % 40 * 8)),
        intervals: [30, 60, 120, 240].prefix(1 + index % 4).map { FrameInterval(1, $0) })
    }
    let table = CameraTable(rows: rows)
    benchmark.startMeasurement()
    for _ in 0..<10 {
      blackHole(ModeChoice(from: table, for: .init(rate: FrameRate(whole: 120))))
    }
    benchmark.stopMeasurement()
  }
}
