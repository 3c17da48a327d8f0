import FrameJudge
import Foundation
import Media
import Platform
import SystemPackage
import Testing
import Timebase

@testable import Retime

@Suite(.tags(.program), .timeLimit(.minutes(1))) struct CurveClipTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func master(_ video: NumberedVideo) throws -> ClipSource {
    let path = folder.path("master.\(Container.forMaster(video.codec).fileExtension)")
    try video.write(to: path)
    return ClipSource(FilePath(path), timing: video.timing, nominalInterval: Fraction(1, video.rate))
  }

  func render(
    _ source: ClipSource, _ options: RenderSpec, of part: ClipSpan = .whole, _ container: Container = .mp4
  ) async throws -> (path: String, report: ClipReport) {
    var options = options
    options.preset = .ultrafast
    let path = folder.path("clip.\(container.fileExtension)")
    let file = try OutputFile(FilePath(path))
    return (
      path, try await ClipRenderer(source, spec: options, of: part).render(to: file, container: container)
    )
  }

  static let losing: [UInt32] = (0..<60).filter { ![7, 8, 9, 30, 31, 44].contains($0) }

  @Test(
    "every frame's strip is the one that the timeline names, and every timestamp is exact",
    arguments: [
      "1/2", "1/3", "1/8", "1/13", "1/100", "2", "0s:1, 0.05s:1/8, 0.2s:1/8, 0.25s:1",
      "0s:1/16, ease 0.1s:2, 0.15s:freeze 0.5s, 0.2s:1/4",
    ], [Fill.hold, .skip])
  func strips(text: String, fill: Fill) async throws {
    let video = NumberedVideo(numbers: Self.losing)
    let curve = try SpeedCurve(text: text)
    let span = text == "1/100" ? ClipSpan(start: .milliseconds(20), end: .milliseconds(60)) : ClipSpan()
    let rate = try #require(FrameRate(Fraction(30_000, 1001)))
    let options = RenderSpec(speed: curve, outputRate: rate, fill: fill)
    let (path, report) = try await render(try master(video), options, of: span)
    let timeline = Timeline(
      video.timing, nominalInterval: Fraction(1, 240), speed: curve, outputRate: rate, fill: fill, span: span)
    #expect(try StripVideo(path).numbers == timeline.shown.map { video.numbers[$0] })
    #expect(report.shown == timeline.shownFrameCount && report.outputFrames == timeline.outputFrameCount)
    let probe = try Probe(path)
    #expect(
      probe.packets.compactMap(\.pts).sorted() == (0..<Int64(timeline.outputFrameCount)).map { $0 * 1001 })
    #expect(probe.streams.first?.time_base == "1/30000")
    #expect(probe.streams.first?.duration_ts == Int64(timeline.outputFrameCount) * 1001)
  }

  @Test("a part of a source with dependent frames is cut to the frame")
  func partOfH264() async throws {
    let source = try master(NumberedVideo(numbers: Array(0..<60), rate: 60))
    let video = folder.path("film.mp4")
    try Program.ffmpeg(
      "-r", "60", "-i", source.path.string, "-c:v", "libx264", "-bf", "2", "-pix_fmt", "yuv420p", "-r", "60",
      video)
    let (path, report) = try await render(
      ClipSource(FilePath(video)), RenderSpec(speed: try SpeedCurve(text: "1/2")),
      of: ClipSpan(start: .milliseconds(250), end: .milliseconds(750)))
    #expect(try StripVideo(path).numbers == Array(15..<45))
    #expect(report.damaged == 0 && report.shown == 30)
  }

  @Test("a part beyond the end of the source is refused, and the message states its length")
  func partBehindTheEnd() async throws {
    let source = try master(NumberedVideo(numbers: Array(0..<24)))
    let error = await #expect(throws: OvercrankError.self) {
      _ = try await render(source, RenderSpec(), of: ClipSpan(start: .milliseconds(100)))
    }
    #expect(error?.code == .outOfRange)
    #expect(error?.description.contains("lasts 0.1 s") == true)
  }

  @Test("a blend mixes the pixels of two frames in proportion to their distance")
  func blend() async throws {
    // Black, then white: a level between them shows its share.
    let path = folder.path("film.mov")
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "color=black:s=64x64:r=30:d=0.0333,format=yuvj422p", "-f", "lavfi", "-i",
      "color=white:s=64x64:r=30:d=0.0333,format=yuvj422p", "-filter_complex", "concat", "-c:v", "mjpeg",
      "-q:v", "2",
      path)
    let options = RenderSpec(speed: try SpeedCurve(text: "1/4"), fill: .blend, quality: 0)
    for codec in [VideoEncoder.Kind.h264, .prores] {
      var options = options
      options.codec = codec
      if codec == .prores { options.quality = nil }
      let (clip, report) = try await render(ClipSource(FilePath(path)), options, codec.usualContainer)
      #expect(report.interpolation.frames == 3 && report.held == 3)
      let decoded = try Program.run(
        "ffmpeg",
        ["-v", "error", "-i", clip, "-vf", "format=yuv420p,crop=2:2,format=gray", "-f", "rawvideo", "-"])
      let luma = stride(from: 0, to: decoded.output.count, by: 4).map { Int(decoded.output[$0]) }
      let expected = [0, 64, 128, 191, 255, 255, 255, 255]
      #expect(luma.count == expected.count)
      #expect(zip(luma, expected).allSatisfy { abs($0 - $1) <= 2 }, "\(codec) \(luma)")
    }
  }

  @Test("sizes: cropped, scaled, both", arguments: [(2, 1024), (1, 2560), (4, 1024)])
  func sizes(divisor: Int, width: Int) async throws {
    let video = NumberedVideo(numbers: Array(0..<6), width: width, height: 256)
    let source = try master(video)
    let options = RenderSpec(
      speed: try SpeedCurve(text: "1/8"),
      stages: .usual.with(
        ClipCrop.part(PictureCrop(width: width, height: 128)), try ClipScale(text: "1/\(divisor)")))
    let (path, _) = try await render(source, options)
    let stream = try #require(try Probe(path).streams.first)
    #expect(stream.width == width / divisor && stream.height == 128 / divisor)
    // The strip is scaled with the picture, so its cells are as wide as a strip's of that width.
    #expect(try StripVideo(path).numbers == Array(0..<6))
  }

  @Test(
    "a crop shows the named part, reduced or not", arguments: ["64x32+32+16", "64x32+34+18"],
    [nil, "1/2"])
  func cropPlace(crop: String, scale: String?) async throws {
    let path = folder.path("film.mov")
    // White within 64x32+32+16 of black.
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "color=black:s=160x96:r=30:d=0.1,drawbox=32:16:64:32:white:fill", "-c:v", "mjpeg",
      "-q:v",
      "2", "-pix_fmt", "yuvj422p", path)
    let options = RenderSpec(
      stages: .usual.with(try ClipCrop(text: crop), try scale.map { try ClipScale(text: $0) }), quality: 0)
    let (clip, _) = try await render(ClipSource(FilePath(path)), options)
    let (width, height) = scale == nil ? (64, 32) : (32, 16)
    let decoded = try Program.run(
      "ffmpeg", ["-v", "error", "-i", clip, "-frames:v", "1", "-pix_fmt", "gray", "-f", "rawvideo", "-"])
    #expect(decoded.output.count == width * height)
    let isShifted = crop.hasSuffix("+34+18")
    #expect(decoded.output[0] > 200)
    #expect((decoded.output[width * height - 1] < 60) == isShifted)
    let black = decoded.output.count { $0 < 60 }
    // Two rows and two columns of black at its end, one of each at half the size.
    let blackWhereShifted = scale == nil ? 100...300 : 20...90
    #expect(isShifted ? blackWhereShifted.contains(black) : black == 0, "\(black)")
  }

  @Test(
    "each codec goes into the container that its players expect",
    arguments: VideoEncoder.Kind.available.filter { !$0.isAnimation })
  func codecs(kind: VideoEncoder.Kind) async throws {
    let video = NumberedVideo(numbers: Array(0..<12), width: 256, height: 64)
    let options = RenderSpec(speed: try SpeedCurve(text: "1/8"), codec: kind)
    var source = try master(video)
    source.capturedAt = "2019-01-01T12:59:00Z"
    let (path, _) = try await render(source, options, kind.usualContainer)
    let probe = try Probe(path)
    #expect(probe.streams.first?.codec_name == kind.rawValue)
    #expect(probe.packets.count == 12)
    let wants = kind == .h264 || kind == .hevc || kind == .av1 ? "yuv420p" : nil
    if let wants { #expect(probe.streams.first?.pix_fmt == wants) }
    #expect(try StripVideo(path).numbers == Array(0..<12))
    let tags = Dictionary(uniqueKeysWithValues: (probe.format.tags ?? [:]).map { ($0.lowercased(), $1) })
    #expect(tags["creation_time"]?.hasPrefix("2019-01-01T12:59:00") == true)
    #expect(tags["comment"] == "Overcrank, speed 1/8")
  }

  @Test("a lossless clip of a JPEG source has the pixels that a decoder outputs")
  func lossless() async throws {
    let source = try master(NumberedVideo(numbers: Array(0..<4)))
    let options = RenderSpec(speed: try SpeedCurve(text: "1/8"), codec: .ffv1)
    let (path, _) = try await render(source, options, .mkv)
    func luma(_ path: String) throws -> Data {
      try Program.run(
        "ffmpeg",
        [
          "-v", "error", "-i", path, "-vf", "extractplanes=y", "-fps_mode", "passthrough", "-f", "rawvideo",
          "-",
        ]
      ).output
    }
    let (before, after) = (try luma(source.path.string), try luma(path))
    // Two decoders of JPEG may differ by one, by rounding.
    #expect(before.count == after.count && zip(before, after).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
  }

  @Test("the source's own date is kept if there is no take")
  func ownDate() async throws {
    let (path, _) = try await render(try master(NumberedVideo(numbers: [0, 1])), RenderSpec())
    #expect(try Probe(path).format.tags?["creation_time"]?.hasPrefix("2024-02-29T12:34:56") == true)
  }

  @Test("a copy follows a curve, to the microsecond")
  func copiedCurve() async throws {
    let video = NumberedVideo(numbers: Self.losing)
    let source = try master(video)
    let curve = try SpeedCurve(text: "0s:1, 0.1s:1/8, 0.15s:freeze 0.5s")
    let clip = folder.path("copy.mp4")
    let report = try await CopyRetimer(source.path, speed: curve).copy(
      to: OutputFile(FilePath(clip)), container: .mp4)
    let integral = SpeedIntegral(curve)
    let expected = video.numbers.map { number in
      Double(integral(SpeedIntegral.moment(Int128(video.time(number)), 1_000_000))) / 0x1p60
    }
    let probe = try Probe(clip)
    let base = try #require(probe.streams.first?.time_base.split(separator: "/").last.flatMap { Double($0) })
    let times = probe.packets.compactMap(\.pts).map { Double($0) / base }
    #expect(times.count == expected.count && zip(times, expected).allSatisfy { abs($0 - $1) < 0.000_001 })
    #expect(try StripVideo(clip).numbers == video.numbers.map { $0 })
    #expect(abs(report.duration.doubleValue - (Double(probe.format.duration ?? "") ?? 0)) < 0.001)
  }

  @Test("a copy of a part begins and ends at keyframes, and reports where")
  func copiedPart() async throws {
    let source = try master(NumberedVideo(numbers: Array(0..<60), rate: 60))
    let span = ClipSpan(start: .milliseconds(520), end: .milliseconds(750))
    let half = try SpeedCurve(text: "1/2")
    let clip = folder.path("part.mov")
    _ = try await CopyRetimer(source.path, speed: half, span: span).copy(
      to: OutputFile(FilePath(clip)), container: .mov)
    #expect(try StripVideo(clip).numbers == Array(31..<45))
    #expect(try Probe(clip).packets.first?.pts == 0)

    let video = folder.path("film.mp4")
    try Program.ffmpeg(
      "-r", "60", "-i", source.path.string, "-c:v", "libx264", "-bf", "2", "-g", "20", "-sc_threshold", "0",
      "-pix_fmt", "yuv420p", "-r", "60", video)
    let leaning = folder.path("leaning.mp4")
    let report = try await CopyRetimer(FilePath(video), speed: half, span: span).copy(
      to: OutputFile(FilePath(leaning)), container: .mp4)
    #expect(try StripVideo(leaning).numbers == Array(20..<60))
    #expect(report.cut == ClipReport.Cut(start: Fraction(1, 3), end: Fraction(1)))
  }
}
