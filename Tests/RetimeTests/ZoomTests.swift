import CameraModel
import FrameJudge
import Foundation
import Media
import Platform
import SystemPackage
import Testing
import Timebase

@testable import Retime

@Suite("Zoom", .tags(.program), .timeLimit(.minutes(1))) struct ZoomTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A still video of a bright rectangle on a dark ground, 24 frames a second.
  private struct Chart {
    var width = 640
    var height = 360
    /// Columns and rows of the rectangle.
    var columns = 200..<440
    var rows = 100..<260
    var count = 13
    var bits = 8
    /// Whether the ground has stripes of single pixels.
    var isStriped = false

    func luma(_ x: Int, _ y: Int) -> Int {
      if isStriped, y % 3 != 0 { return x % 2 == 0 ? 60 : 180 }
      return columns.contains(x) && rows.contains(y) ? 200 : 50
    }

    func write(to path: String) throws {
      let layout = try #require(PixelLayout(name: bits > 8 ? "yuv420p\(bits)le" : "yuv420p"))
      var samples: [Int] = []
      for y in 0..<height { for x in 0..<width { samples.append(luma(x, y) << (bits - 8)) } }
      for y in 0..<height {
        for x in 0..<width / 2 where y % 2 == 0 { samples.append((90 + x % 50) << (bits - 8)) }
      }
      for y in 0..<height {
        for _ in 0..<width / 2 where y % 2 == 0 { samples.append((90 + y % 50) << (bits - 8)) }
      }
      let bytes =
        bits > 8
        ? samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        : samples.map { UInt8(truncatingIfNeeded: $0) }
      let codec = VideoCodec.raw(layout)
      var muxer = try Muxer(
        to: OutputFile(FilePath(path)), container: .nut,
        video: VideoTrack(codec: codec, width: width, height: height), timescale: 24,
        metadata: ["comment": "Overcrank, speed 1"])
      for number in 0..<count {
        try bytes.span.bytes.withUnsafeBytes { bytes throws(OvercrankError) in
          try muxer.write(bytes, timestamp: Int64(number), duration: 1)
        }
      }
      try muxer.finish()
    }
  }

  /// The luma of all frames of a clip from the source at `path`, lossless.
  private func clip(
    _ path: String, _ options: RenderSpec, named name: String = "clip.mkv"
  ) async throws -> (frames: [[Int]], width: Int, height: Int) {
    var options = options
    options.codec = .ffv1
    let clip = folder.path(name)
    _ = try await ClipRenderer(ClipSource(FilePath(path)), spec: options).render(
      to: OutputFile(FilePath(clip), replacing: true), container: .mkv)
    let stream = try #require(try Probe(clip).streams.first)
    let (width, height) = (try #require(stream.width), try #require(stream.height))
    let output = try Program.run(
      "ffmpeg",
      [
        "-v", "error", "-nostdin", "-i", clip, "-fps_mode", "passthrough", "-vf",
        "extractplanes=y,format=gray16le",
        "-f", "rawvideo", "-",
      ]
    ).output
    let samples = [UInt8](output)
    let size = 2 * width * height
    var frames: [[Int]] = []
    for start in stride(from: 0, to: samples.count, by: size) {
      frames.append(
        (0..<width * height).map { place -> Int in
          let at = start + 2 * place
          return Int(samples[at]) + 256 * Int(samples[at + 1])
        })
    }
    return (frames, width, height)
  }

  /// The places where a line of samples passes half way from dark to bright or back, in pixels from its
  /// start.
  private func edges(_ line: [Int], bits: Int) -> [Double] {
    // Half way between 50 and 200 of 8 bits, as ffmpeg scales them to 16.
    let half = bits == 8 ? 125.0 * 257 : 500.0 * 64 + 31
    return line.indices.dropLast().compactMap { place in
      let (one, next) = (Double(line[place]), Double(line[place + 1]))
      guard (one < half) != (next < half) else { return nil }
      return Double(place) + 0.5 + (half - one) / (next - one)
    }
  }

  /// The expected edges of the rectangle at a moment, computed only from the documentation.
  private func due(
    _ edges: Range<Int>, size: Int, place: Double, factor: Double, clipSize: Int
  ) -> [Double] {
    let part = Double(size) / factor
    let start = min(max(place * Double(size) - part / 2, 0), Double(size) - part)
    return [edges.lowerBound, edges.upperBound].map { (Double($0) - start) / part * Double(clipSize) }
  }

  @Test(
    "shows each edge where the curve places it, frame by frame, between captured frames too",
    arguments: [8, 10],
    [nil, 270])
  func course(_ bits: Int, _ degrees: Int?) async throws {
    let chart = Chart(bits: bits)
    let video = folder.path("chart.nut")
    try chart.write(to: video)
    var options = RenderSpec(
      speed: SpeedCurve(try Speed(text: "1/4")), outputRate: FrameRate(whole: 24),
      stages: .usual.with(
        ClipZoom(
          try ZoomCurve(text: "0s:1, ease 0.4s:2.5, 0.5s:1.5"),
          at: try ZoomPath(text: "0.4,0.45@0s ease 0.6,0.55@0.3s"))))
    options.stages[ClipScale.self] = ClipScale.ratio(Fraction(1, 2))
    options.stages[PictureTurn.self] = degrees.flatMap { PictureTurn(degrees: $0) }
    let (frames, width, height) = try await clip(video, options)
    #expect((width, height) == (degrees == nil ? (320, 180) : (180, 320)))
    #expect(frames.count == 52)
    var worst = 0.0
    var seen = 0
    for (number, frame) in frames.enumerated() {
      let time = Double(number) / 96
      let rise = time / 0.4
      let factor =
        time < 0.4
        ? 1 + 1.5 * rise * rise * (3 - 2 * rise) : max(1.5, 2.5 - (time - 0.4) * 10)
      let way = min(1, time / 0.3)
      let gone = way * way * (3 - 2 * way)
      let place = (x: 0.4 + 0.2 * gone, y: 0.45 + 0.1 * gone)
      // Rotated to the left, columns are rows from below.
      let (columns, rows, size) =
        degrees == nil
        ? (chart.columns, chart.rows, (640, 360))
        : (chart.rows, 640 - chart.columns.upperBound..<640 - chart.columns.lowerBound, (360, 640))
      let x = due(columns, size: size.0, place: place.x, factor: factor, clipSize: width)
      let y = due(rows, size: size.1, place: place.y, factor: factor, clipSize: height)
      // Through the middle of the visible part of the rectangle.
      let row = Int((max(0, y[0]) + min(Double(height), y[1])) / 2)
      let column = Int((max(0, x[0]) + min(Double(width), x[1])) / 2)
      let (beside, below) = (
        edges(Array(frame[row * width..<(row + 1) * width]), bits: bits),
        edges((0..<height).map { frame[$0 * width + column] }, bits: bits)
      )
      for (found, due, size) in [(beside, x, width), (below, y, height)] {
        // At the border of the picture itself, an edge is only partly visible.
        for edge in due where (3...Double(size) - 3).contains(edge) {
          worst = max(worst, found.map { abs($0 - edge) }.min() ?? .infinity)
          seen += 1
        }
      }
    }
    #expect(seen > 150)
    #expect(worst < 0.1, "an edge lies \(worst) pixels beside its place")
  }

  @Test("by 1 changes no byte, throughout or for a while")
  func whole() async throws {
    let video = folder.path("chart.nut")
    try Chart(isStriped: true).write(to: video)
    let plain = RenderSpec(speed: SpeedCurve(.normal), outputRate: FrameRate(whole: 24))
    var zoomed = plain
    zoomed.stages = .usual.with(
      ClipZoom(try ZoomCurve(text: "0s:1, 1s:1")), ClipScale.ratio(Fraction(1, 2)))
    var scaled = plain
    scaled.stages[ClipScale.self] = zoomed.stages[ClipScale.self]
    #expect(try await clip(video, zoomed).frames == clip(video, scaled).frames)
    var late = plain
    late.stages[ClipZoom.self] = ClipZoom(try ZoomCurve(text: "0.25s:1, 0.5s:2"))
    let (frames, due) = (try await clip(video, late).frames, try await clip(video, plain).frames)
    #expect(frames.prefix(7) == due.prefix(7))
    #expect(frames[8] != due[8])
  }

  @Test("shows the source's own pixels if the clip is smaller by the same factor")
  func ownPixels() async throws {
    let video = folder.path("chart.nut")
    try Chart(count: 3, isStriped: true).write(to: video)
    var options = RenderSpec(speed: SpeedCurve(.normal), outputRate: FrameRate(whole: 24))
    options.stages[ClipZoom.self] = ClipZoom(try ZoomCurve(text: "2"))
    options.stages[ClipScale.self] = ClipScale.ratio(Fraction(1, 2))
    var cropped = RenderSpec(speed: SpeedCurve(.normal), outputRate: FrameRate(whole: 24))
    cropped.stages[ClipCrop.self] = ClipCrop.centred(width: 320, height: 180)
    #expect(try await clip(video, options).frames == clip(video, cropped).frames)
  }

  @Test(
    "stays inside the picture", arguments: ["0,0", "1,1", "0,1", "1,0.5", "0.5,0.5", "0.999,0.001"],
    ["1.001", "3", "100"])
  func borders(_ place: String, _ factor: String) async throws {
    let video = folder.path("chart.nut")
    // Beyond the rectangle, which fills the picture, there would be nothing as bright.
    try Chart(width: 64, height: 36, columns: 0..<64, rows: 0..<36, count: 2).write(to: video)
    let zoom = ClipZoom(try ZoomCurve(text: factor), at: try ZoomPath(place: place))
    let options = RenderSpec(
      speed: SpeedCurve(.normal), outputRate: FrameRate(whole: 24), stages: .usual.with(zoom))
    let frames = try await clip(video, options).frames
    #expect(frames.count == 2)
    #expect(Set(frames.joined()).count == 1)
    let timing = try SourceTiming(of: ClipSource(FilePath(video)), in: Demuxer(FilePath(video)))
    let course = ZoomTrack(
      zoom, ClipMoments(timing, options, outputRate: FrameRate(whole: 24)), width: 64, height: 36)
    for number in [-1, 0, 1, 1000, .max >> 8] {
      let part = course.window(of: number)
      #expect(part.x >= 0 && part.y >= 0 && part.width > 0 && part.height > 0)
      #expect(part.x + part.width <= 64 + 1e-9 && part.y + part.height <= 36 + 1e-9)
    }
  }

  @Test("works with optical flow and with stamps")
  func together() async throws {
    let video = folder.path("chart.nut")
    try Chart(count: 5).write(to: video)
    var options = RenderSpec(
      speed: SpeedCurve(try Speed(text: "1/4")), outputRate: FrameRate(whole: 24), fill: .flow,
      stages: .usual.with(ClipZoom(try ZoomCurve(text: "0s:1, 0.15s:2"))))
    options.stages[ClipScale.self] = ClipScale.width(320)
    let (flow, width, _) = try await clip(video, options)
    options.fill = .hold
    let hold = try await clip(video, options).frames
    #expect(flow.count == hold.count)
    // A still scene is the same either way.
    for (one, other) in zip(flow, hold) {
      #expect(zip(one, other).allSatisfy { abs($0 - $1) <= 2 })
    }
    options.stages[FrameStamp.self] = FrameStamp()
    let stamped = try await clip(video, options).frames
    // A stamp is equally large in each frame, and outside it the picture is the same.
    for (one, other) in zip(stamped, hold) {
      #expect(one != other)
      #expect(one.prefix(140 * width) == other.prefix(140 * width))
    }
  }

  @Test(
    "refuses an invalid curve or place",
    arguments: [
      ("0.5", "from 1"), ("101", "from 1"), ("0s:0", "from 1 to 100"), ("nan", "from 1"),
      ("", "contains no zoom"),
      ("1s:2, 0.5s:3", "order of time"), ("ease 1s:2", "no point comes before"),
      ("1s:2, 1s:3, 1s:4", "third"),
      ("2s", "from 1"), ("0s:1, x:2", "has no valid time"), ("1000h:2", "a week"),
      ("0s:1, 2s", "is not a point"),
      ("1e999", "from 1"), ("0s:1/0", "from 1"),
    ])
  func refusedCurves(_ text: String, _ words: String) {
    #expect {
      try ZoomCurve(text: text)
    } throws: {
      "\($0)".contains(words)
    }
  }

  @Test(
    "refuses an invalid path",
    arguments: [
      ("0.5,0.5", "has no time"), ("2,0@0s", "is not a position"), ("0.5@1s", "is not a position"),
      ("0,0,0@1s", "is not a position"), ("0,0@x", "no valid time after"),
      ("0,0@2s 0,0@1s", "order of time"), ("ease 0,0@0s", "no point comes before"),
      ("", "contains no position"), ("0,0@0s ease", "contains no position"),
      ("-0.1,0@0s", "is not a position"),
    ])
  func refusedPaths(_ text: String, _ words: String) {
    #expect {
      try ZoomPath(text: text)
    } throws: {
      "\($0)".contains(words)
    }
  }

  @Test("reads what it writes", arguments: ["2", "0s:1, 1.2s:2.5, ease 3s:1", "0s:1, 1s:1, 1s:4"])
  func words(_ text: String) throws {
    let curve = try ZoomCurve(text: text)
    #expect(try ZoomCurve(text: curve.text) == curve)
  }
}
