import CameraModel
import FrameJudge
import Foundation
import Media
import Platform
import SystemPackage
import Takes
import Testing
import Timebase

@testable import Retime

/// Videos as phones, players and other programs write them, each frame numbered in its pixels.
@Suite("Video of many kinds", .tags(.program), .timeLimit(.minutes(1)), .serialized)
struct VideoVariationTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A codec in a container: the arguments of ffmpeg, and the frames that result.
  struct Variation: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var file: String
    var arguments: [String]
    var numbers = Array(UInt32(0)..<40)

    static let all = [
      Variation(
        testDescription: "HEVC with B-frames in MP4", file: "a.mp4",
        arguments: ["-c:v", "libx265", "-x265-params", "bframes=3:log-level=none", "-pix_fmt", "yuv420p"]),
      Variation(
        testDescription: "10-bit HEVC in MOV", file: "a.mov",
        arguments: ["-c:v", "libx265", "-x265-params", "log-level=none", "-pix_fmt", "yuv420p10le"]),
      Variation(
        testDescription: "10-bit H.264 in MKV", file: "a.mkv",
        arguments: ["-c:v", "libx264", "-pix_fmt", "yuv420p10le"]),
      Variation(
        testDescription: "VP9 in WebM", file: "a.webm",
        arguments: [
          "-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-b:v", "4M", "-pix_fmt",
          "yuv420p",
        ]),
      Variation(
        testDescription: "MPEG-4 with B-frames in AVI", file: "a.avi",
        arguments: ["-c:v", "mpeg4", "-q:v", "2", "-bf", "2", "-pix_fmt", "yuv420p"]),
      Variation(
        testDescription: "raw 4:2:0 in NUT", file: "a.nut",
        arguments: ["-c:v", "rawvideo", "-pix_fmt", "yuv420p"]),
      Variation(testDescription: "raw 4:2:2 in Y4M", file: "a.y4m", arguments: ["-pix_fmt", "yuv422p"]),
      Variation(
        testDescription: "H.264 in MP4 fragments", file: "a.mp4",
        arguments: [
          "-c:v", "libx264", "-g", "10", "-bf", "2", "-pix_fmt", "yuv420p", "-movflags",
          "+frag_keyframe+empty_moov",
        ]),
      Variation(
        testDescription: "H.264 in FLV", file: "a.flv",
        arguments: ["-c:v", "libx264", "-bf", "2", "-pix_fmt", "yuv420p"]),
      Variation(
        testDescription: "H.264 that begins late in MP4", file: "a.mp4",
        arguments: ["-c:v", "libx264", "-bf", "2", "-pix_fmt", "yuv420p", "-output_ts_offset", "2"]),
      Variation(
        testDescription: "MPEG-2 in a transport stream", file: "a.ts",
        arguments: ["-c:v", "mpeg2video", "-q:v", "2", "-bf", "2", "-pix_fmt", "yuv420p"]),
      // Pictures so small that a packet of the stream holds several, and only the first has a time.
      Variation(
        testDescription: "MPEG-2 in a program stream", file: "a.mpg",
        arguments: ["-c:v", "mpeg2video", "-q:v", "12", "-bf", "2", "-pix_fmt", "yuv420p"]),
      Variation(
        testDescription: "Motion JPEG in AVI", file: "a.avi", arguments: ["-c:v", "mjpeg", "-q:v", "2"]),
      Variation(
        testDescription: "10-bit ProRes in MOV", file: "a.mov",
        arguments: ["-c:v", "prores_ks", "-pix_fmt", "yuv422p10le"]),
      Variation(
        testDescription: "lossless FFV1 in MKV", file: "a.mkv",
        arguments: ["-c:v", "ffv1", "-pix_fmt", "yuv444p"]
      ),
      Variation(
        testDescription: "a variable rate in MKV", file: "a.mkv",
        arguments: [
          "-vf", "select=not(eq(mod(n\\,5)\\,3))", "-vsync", "vfr", "-c:v", "libx264", "-pix_fmt", "yuv420p",
        ], numbers: (0..<40).map { $0 % 5 == 3 ? $0 - 1 : $0 }),
      Variation(
        testDescription: "interlaced H.264 in MP4", file: "a.mp4",
        arguments: ["-vf", "setfield=tff", "-flags", "+ildct+ilme", "-c:v", "libx264", "-pix_fmt", "yuv420p"]),
      Variation(
        testDescription: "H.264 of full range and without subsampling", file: "a.mp4",
        arguments: ["-c:v", "libx264", "-pix_fmt", "yuvj444p"]),
    ]
  }

  /// Slowed down by two, a video of 60 frames per second shows each once; by four, twice.
  private func render(_ video: String, slowedBy factor: Int64 = 2, to name: String = "clip.mp4") async throws
    -> (
      numbers: [UInt32?], report: ClipReport
    )
  {
    let path = folder.path(name)
    let options = RenderSpec(
      speed: Speed(Fraction(1, factor)).map { SpeedCurve($0) }, outputRate: FrameRate(whole: 30),
      preset: .ultrafast)
    let report = try await ClipRenderer(ClipSource(FilePath(video)), spec: options).render(
      to: OutputFile(FilePath(path)))
    return (try StripVideo(path).numbers, report)
  }

  /// Forty numbered frames at 60 frames per second.
  private func master(width: Int = 256, height: Int = 64) throws -> String {
    let video = NumberedVideo(numbers: Array(0..<40), width: width, height: height, rate: 60)
    let path = folder.path("master.mov")
    try video.write(to: path)
    return path
  }

  @Test("shows its frames in order and on time", arguments: Variation.all)
  func kinds(_ variation: Variation) async throws {
    let video = folder.path(variation.file)
    try Program.run(
      "ffmpeg",
      ["-v", "error", "-nostdin", "-r", "60", "-i", try master()] + variation.arguments
        + (variation.arguments.contains("vfr") ? [] : ["-r", "60"]) + [video])
    let (numbers, report) = try await render(video, slowedBy: 4)
    #expect(numbers == variation.numbers.flatMap { [$0, $0] })
    #expect(report.damaged == 0)
    #expect(report.duration == Fraction(80, 30))
  }

  @Test("in AVI, as MPEG-4 with B-frames, is evenly paced after missing frames")
  func emptyChunks() async throws {
    let video = folder.path("a.avi")
    // XviD outputs nothing for its first frames, and AVI has empty chunks in their places.
    try Program.ffmpeg(
      "-r", "60", "-i", try master(), "-c:v", "libxvid", "-bf", "2", "-q:v", "2", "-pix_fmt", "yuv420p", "-r",
      "60", video)
    let probe = try Probe(video)
    let decoded = probe.packets.compactMap(\.dts)
    #expect(decoded.starts(with: [0, 3, 4]), "an AVI with empty chunks was wanted: \(decoded)")
    let seen = try StripVideo(video).numbers
    let (numbers, report) = try await render(video, slowedBy: 4)
    #expect(seen.count > 30)
    #expect(numbers == seen.flatMap { [$0, $0] })
    #expect(report.damaged == 0)
  }

  @Test("hides what an edit list cuts, and audio changes nothing")
  func editList() async throws {
    let whole = folder.path("whole.mp4")
    try Program.ffmpeg(
      "-r", "60", "-i", try master(), "-f", "lavfi", "-i", "sine=d=0.66", "-c:v", "libx264", "-bf", "2",
      "-pix_fmt",
      "yuv420p", "-r", "60", whole)
    let cut = folder.path("cut.mp4")
    try Program.ffmpeg("-ss", "0.25", "-i", whole, "-c", "copy", cut)
    let seen = try StripVideo(cut).numbers.compactMap(\.self)
    let (numbers, report) = try await render(cut)
    #expect(try #require(seen.first) > 0, "ffmpeg was meant to cut something away")
    #expect(numbers.compactMap(\.self).first == seen.first)
    #expect(numbers.compactMap(\.self).last == 39)
    #expect(report.damaged == 0)
  }

  @Test(
    "with audio has the same picture, and a rotated source stays rotated",
    arguments: [("aac", "a.mp4"), ("libopus", "a.mkv"), ("pcm_s16le", "a.mov"), ("mp3", "a.avi")])
  func audio(_ codec: String, _ file: String) async throws {
    let video = folder.path(file)
    try Program.ffmpeg(
      "-r", "60", "-i", try master(), "-f", "lavfi", "-i", "sine=d=0.66", "-c:v", "libx264", "-bf", "2",
      "-pix_fmt", "yuv420p", "-r", "60", "-c:a", codec, video)
    let turned = folder.path("turned-" + file)
    try Program.ffmpeg("-i", video, "-c", "copy", "-metadata:s:v", "rotate=90", turned)
    let (_, report) = try await render(turned)
    #expect(report.damaged == 0)
    let probes = try [turned, folder.path("clip.mp4")].map { try Probe($0) }
    let turns = probes.map { $0.streams.first?.side_data_list?.compactMap(\.rotation) }
    #expect(turns[0] == turns[1])
    if file.hasSuffix("mp4") || file.hasSuffix("mov") { #expect(turns[1]?.first.map(abs) == 90) }
    #expect(report.outputFrames == 40)
    // ffmpeg would rotate the pictures, and with them the strip.
    let (upright, _) = try await render(video, slowedBy: 4, to: "upright.mp4")
    #expect(upright == (0..<40).flatMap { [$0, $0] })
  }

  @Test("with a palette keeps its colours", arguments: [VideoEncoder.Kind.ffv1, .mjpeg, .h264])
  func palette(_ codec: VideoEncoder.Kind) async throws {
    let (video, clip) = (folder.path("a.mov"), folder.path("clip.mkv"))
    try Program.ffmpeg("-f", "lavfi", "-i", "color=red:s=64x48:r=30:d=0.2,format=pal8", "-c:v", "png", video)
    try #require(try Probe(video).streams.first?.pix_fmt == "pal8")
    _ = try await ClipRenderer(
      ClipSource(FilePath(video)), spec: RenderSpec(speed: SpeedCurve(.normal), codec: codec)
    )
    .render(to: OutputFile(FilePath(clip)), container: .mkv)
    let pixels = try Program.run(
      "ffmpeg",
      ["-v", "error", "-nostdin", "-i", clip, "-frames:v", "1", "-pix_fmt", "rgb24", "-f", "rawvideo", "-"]
    ).output
    let colour = pixels.prefix(3).map(Int.init)
    #expect(colour[0] > 245 && colour[1] < 10 && colour[2] < 10, "\(colour)")
  }

  @Test(
    "with deep colour keeps its depth if the codec has it",
    arguments: [
      ("yuv422p12le", VideoEncoder.Kind.ffv1, "yuv422p12le"), ("gray16le", .ffv1, "gray16le"),
      ("yuv420p10le", .ffv1, "yuv420p10le"), ("gray", .ffv1, "gray"), ("yuv420p10le", .hevc, "yuv420p10le"),
      ("yuv420p", .hevc, "yuv420p"), ("yuv420p10le", .h264, "yuv420p"),
    ])
  func depth(_ layout: String, _ codec: VideoEncoder.Kind, _ expected: String) async throws {
    let (video, clip) = (folder.path("a.mkv"), folder.path("clip.mkv"))
    // A ramp with more steps than 8 bits have.
    let source = "color=s=128x64:r=30:d=0.2,format=gray16le,geq=lum='X*512+Y*8+N',format=\(layout)"
    try Program.ffmpeg(
      "-f", "lavfi", "-i", source, "-c:v", "ffv1", "-color_range", layout.hasPrefix("g") ? "pc" : "tv", video)
    _ = try await ClipRenderer(
      ClipSource(FilePath(video)), spec: RenderSpec(speed: SpeedCurve(.normal), codec: codec)
    )
    .render(
      to: OutputFile(FilePath(clip)), container: .mkv)
    #expect(try Probe(clip).streams.first?.pix_fmt == expected)
    guard codec == .ffv1 else { return }
    let sums = try [video, clip].map {
      try Program.run("ffmpeg", ["-v", "error", "-nostdin", "-i", $0, "-f", "md5", "-"]).output
    }
    #expect(sums[0] == sums[1])
  }

  @Test(
    "from GStreamer is read",
    arguments: [
      ("openh264enc ! h264parse ! qtmux", "a.mov"), ("openh264enc ! h264parse ! mpegtsmux", "a.ts"),
      ("vp8enc deadline=1 target-bitrate=4000000 ! webmmux", "a.webm"),
      ("jpegenc quality=95 ! avimux", "a.avi"),
      ("jpegenc quality=95 ! matroskamux", "a.mkv"), ("jpegenc quality=95 ! qtmux", "a.mov"),
      ("openh264enc ! h264parse ! mp4mux fragment-duration=200", "a.mp4"),
      ("openh264enc ! h264parse ! flvmux", "a.flv"), ("y4menc", "a.y4m"),
    ])
  func gstreamer(_ pipeline: String, _ file: String) async throws {
    let raw = folder.path("raw.yuv")
    try Program.ffmpeg(
      "-i", try master(), "-f", "rawvideo", "-pix_fmt", "yuv420p", "-vsync", "passthrough", raw)
    let video = folder.path(file)
    let words =
      "filesrc location=\(raw) ! rawvideoparse width=256 height=64 format=i420 framerate=60/1 ! videoconvert ! "
      + "\(pipeline) ! filesink location=\(video)"
    try Program.run("gst-launch-1.0", ["-q"] + words.split(separator: " ").map(String.init))
    let (numbers, report) = try await render(video)
    #expect(numbers == (0..<40).map { $0 })
    #expect(report.damaged == 0)
  }

  @Test(
    "with truncated raw frames repeats and counts them", arguments: ["pRAA", "NV16", "YVYU", "Y10 ", "RG10"])
  func shortRawFrames(_ fourcc: String) async throws {
    let path = folder.path("x.master.nut")
    let codec = try #require(PixelFormat(fourcc: fourcc).flatMap(MasterFormat.init)).codec
    var muxer = try Muxer(
      to: OutputFile(FilePath(path)), container: .nut,
      video: VideoTrack(codec: codec, width: ColourChart.width, height: ColourChart.height), timescale: 60)
    for number in UInt32(0)..<8 {
      var frame = try ColourChart(number: number, coding: ColourChart.Coding.all[0]).frame(fourcc)
      if [0, 3, 4].contains(number) { frame.removeLast(frame.count / 3) }
      try frame.span.bytes.withUnsafeBytes { bytes throws(OvercrankError) in
        try muxer.write(bytes, timestamp: Int64(number), duration: 1)
      }
    }
    try muxer.finish()
    let (numbers, report) = try await render(path)
    #expect(numbers == [1, 1, 2, 2, 2, 5, 6, 7])
    #expect(report.damaged == 3)
  }

  /// In GXF, libav states half of it, and no time at which a frame is shown.
  @Test("shows the last frames as long as the others if the file states the duration of a field")
  func fields() throws {
    let path = folder.path("film.gxf")
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=720x576:r=25:d=0.4", "-c:v", "mpeg2video", "-q:v", "2", path)
    let times = try PacketScan(FilePath(path)).times
    let ends =
      times.dropFirst().map(\.timestamp) + [(times.last?.timestamp ?? 0) + (times.last?.duration ?? 0)]
    #expect(zip(times, ends).map { $1 - $0.timestamp } == Array(repeating: 2, count: 10))
  }

  /// After the last boundary, libav answers as if the file were damaged.
  @Test("from a network camera (MPJPEG) ends with its last frame, or is cut off")
  func networkCamera() throws {
    let path = folder.path("film.mpjpeg")
    try Program.ffmpeg("-i", try master(), "-c:v", "copy", "-f", "mpjpeg", path)
    let whole = try PacketScan(FilePath(path))
    #expect(whole.times.count == 40)
    #expect(whole.cutOff == nil)
    let bytes = try Data(contentsOf: URL(filePath: path))
    try bytes.dropLast(100).write(to: URL(filePath: path))
    #expect(try PacketScan(FilePath(path)).cutOff != nil)
  }

  /// AVI has the palette of all frames next to the first.
  @Test("with a palette keeps its colours in a part, and a copy that would lose them is refused")
  func palettePart() async throws {
    let (video, clip) = (folder.path("a.avi"), folder.path("clip.mkv"))
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "color=red:s=64x48:r=30:d=0.4", "-vf",
      "split[a][b];[a]palettegen[p];[b][p]paletteuse", "-c:v", "rawvideo", "-pix_fmt", "pal8", video)
    let span = ClipSpan(start: Duration(seconds: Fraction(1, 5)))
    _ = try await ClipRenderer(
      ClipSource(FilePath(video)), spec: RenderSpec(speed: SpeedCurve(.normal), codec: .ffv1), of: span
    ).render(to: OutputFile(FilePath(clip)), container: .mkv)
    let pixels = try Program.run(
      "ffmpeg",
      ["-v", "error", "-nostdin", "-i", clip, "-frames:v", "1", "-pix_fmt", "rgb24", "-f", "rawvideo", "-"]
    ).output
    #expect(pixels.first.map { $0 > 245 } == true)
    let error = await #expect(throws: OvercrankError.self) {
      _ = try await CopyRetimer(FilePath(video), speed: SpeedCurve(.normal)).copy(
        to: OutputFile(FilePath(folder.path("copy.nut"))), container: .nut)
    }
    #expect(error?.code == .unsupported)
    #expect(try folder.names == ["a.avi", "clip.mkv"])
  }
}
