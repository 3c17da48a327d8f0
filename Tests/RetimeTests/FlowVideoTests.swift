import FrameJudge
import Foundation
import Media
import Platform
import SystemPackage
import Testing
import Timebase

@testable import Retime

/// Videos of which every second frame was captured: the others are computed from motion, and compared with
/// the true ones.
@Suite("Optical flow on difficult sources", .tags(.program), .timeLimit(.minutes(1))) struct FlowVideoTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let width = 240
  private static let height = 144
  private static let count = 13

  /// Waves of several lengths in all directions.
  private static func waves(_ x: Double, _ y: Double) -> Double {
    128 + 40 * sin(x / 5) * cos(y / 7) + 30 * sin(x / 13 + y / 11) + 20 * cos(x / 29 - y / 17)
  }

  /// From 0 to 1, the same each time.
  private static func random(_ x: Double, _ y: Double) -> Double {
    let value = sin(x * 12.9898 + y * 78.233) * 43758.5453
    return value - value.rounded(.down)
  }

  /// Bars of half a repetition each.
  private static func isBar(_ x: Double, every repetition: Double = 16) -> Bool {
    let place = x / repetition
    return place - place.rounded(.down) < 0.5
  }

  /// The luma of a video at a place and an instant, in frames.
  struct Hard: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let luma: @Sendable (_ x: Double, _ y: Double, _ n: Double) -> Double

    init(_ name: String, _ luma: @escaping @Sendable (Double, Double, Double) -> Double) {
      (testDescription, self.luma) = (name, luma)
    }
  }

  static let videos: [Hard] =
    [3.0, 4, 5, 6, 7].map { speed in
      Hard("a fence that moves \(Int(speed)) of 16 pixels a frame before what stands still") { x, y, n in
        y >= 40 && isBar(x - speed * n) ? 200 : waves(x, y)
      }
    } + [
      Hard("a fence that the camera passes") { x, y, n in
        (50..<100).contains(y) && isBar(x + 5 * n) ? 200 : waves(x + 5 * n, y)
      },
      Hard("bars that fill the picture") { x, _, n in isBar(x - 5 * n) ? 200 : 60 },
      Hard("a cut") { x, y, n in
        n < 5 ? waves(x + 2 * n, y + n) : 255 - waves(2 * y - 3 * n, 3 * x / 2 + n)
      },
      Hard("a flash") { x, y, n in
        let luma = waves(x + 2 * n, y + n)
        return n == 6 || n == 7 ? luma * 0.4 + 150 : luma
      },
      Hard("a lamp that switches in a part of the picture") { x, y, n in
        let luma = waves(x + 2 * n, y + n)
        let isLit = (Int(n) / 3).isMultiple(of: 2) && (60..<180).contains(x) && (30..<110).contains(y)
        return isLit ? min(255, luma * 1.2 + 60) : luma
      },
      Hard("rain") { x, y, n in
        let start = random(x, 1)
        guard start < 0.35 else { return waves(x, y) }
        let fall = (start * 3000 + n * (14 + 6 * random(x, 2))).truncatingRemainder(dividingBy: 190) - 30
        return (fall..<fall + 12).contains(y) ? 220 : waves(x, y)
      },
      Hard("a ball faster than its own width") { x, y, n in
        let (dx, dy) = (x - 20 - 18 * n, y - 72 - 20 * sin(n / 4))
        return dx * dx + dy * dy < 64 ? 235 : waves(x, y)
      },
      Hard("a wheel that nearly repeats") { x, y, n in
        let (dx, dy) = (x - 120, y - 72)
        guard dx * dx + dy * dy < 60 * 60 else { return waves(x, y) }
        return cos(8 * (atan2(dy, dx) + n * 21.5 * .pi / 180)) > 0.6 ? 220 : 40
      },
      Hard("text that scrolls") { x, y, n in
        random((x / 4).rounded(.down), ((y + 6 * n) / 5).rounded(.down)) > 0.6 ? 230 : 20
      },
    ]

  private func frame(_ video: Hard, _ n: Int) -> [UInt8] {
    (0..<Self.width * Self.height).map { at in
      let luma = video.luma(Double(at % Self.width), Double(at / Self.width), Double(n))
      return UInt8(min(255, max(0, luma.rounded())))
    }
  }

  /// Writes frames with luma only, 25 a second.
  private func write(_ frames: [[UInt8]], to path: String) throws {
    var muxer = try Muxer(
      to: OutputFile(FilePath(path)), container: .nut,
      video: VideoTrack(codec: .raw(.yuv420p), width: Self.width, height: Self.height), timescale: 25,
      metadata: ["comment": "Overcrank, speed 1"])
    let chroma = [UInt8](repeating: 128, count: Self.width * Self.height / 2)
    for (number, frame) in frames.enumerated() {
      try (frame + chroma).span.bytes.withUnsafeBytes { bytes throws(OvercrankError) in
        try muxer.write(bytes, timestamp: Int64(number), duration: 1)
      }
    }
    try muxer.finish()
  }

  private func squares(_ one: [UInt8], _ other: [UInt8]) -> Double {
    var sum = 0
    for (a, b) in zip(one, other) { sum += (Int(a) - Int(b)) * (Int(a) - Int(b)) }
    return Double(sum)
  }

  @Test(
    "is at most half a decibel worse than repeated frames, and changes no captured frame", arguments: videos)
  func likeness(video: Hard) async throws {
    let truth = (0..<Self.count).map { frame(video, $0) }
    let captured = stride(from: 0, to: Self.count, by: 2).map { truth[$0] }
    let (path, clip) = (folder.path("half.nut"), folder.path("clip.mkv"))
    try write(captured, to: path)
    var options = RenderSpec(
      speed: SpeedCurve(try Speed(text: "1")), outputRate: FrameRate(whole: 50), fill: .flow)
    options.codec = .ffv1
    _ = try await ClipRenderer(ClipSource(FilePath(path)), spec: options).render(
      to: OutputFile(FilePath(clip)), container: .mkv)
    let output = try Program.run(
      "ffmpeg",
      [
        "-v", "error", "-nostdin", "-i", clip, "-fps_mode", "passthrough", "-vf", "extractplanes=y", "-f",
        "rawvideo", "-",
      ]
    ).output
    let size = Self.width * Self.height
    let shown = stride(from: 0, to: output.count, by: size).map { [UInt8](output.dropFirst($0).prefix(size)) }
    try #require(shown.count >= Self.count)
    for (number, frame) in captured.enumerated() {
      #expect(shown[2 * number] == frame, "captured frame \(number)")
    }
    var (ours, held) = (0.0, 0.0)
    for number in stride(from: 1, to: Self.count, by: 2) {
      ours += squares(shown[number], truth[number])
      held += squares(truth[number - 1], truth[number])
    }
    #expect(ours <= held * 1.122, "\(10 * log10(held / max(ours, 1))) dB over held ones")
  }
}
