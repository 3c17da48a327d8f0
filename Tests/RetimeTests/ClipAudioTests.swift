import FrameJudge
import Foundation
import Media
import Platform
import SystemPackage
import Testing
import Timebase

@testable import Retime

@Suite("Audio in clips", .tags(.program), .timeLimit(.minutes(1))) struct ClipAudioTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A video of three seconds with a tone of 1 kHz.
  private func video(_ codec: String...) throws -> String {
    let path = folder.path("film.mov")
    try Program.run(
      "ffmpeg",
      [
        "-v", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc2=s=128x64:r=60:d=3", "-f", "lavfi", "-i",
        "sine=1000:r=44100:d=3", "-c:v", "mjpeg",
      ] + (codec.isEmpty ? ["-c:a", "aac"] : codec) + [path])
    return path
  }

  private func render(
    _ video: String, _ speed: Fraction, _ audio: ClipAudio?, span: ClipSpan = .whole
  ) async throws -> (String, ClipReport) {
    let path = folder.path("clip.mp4")
    let options = RenderSpec(
      speed: Speed(speed).map { SpeedCurve($0) }, preset: .ultrafast, audio: audio)
    let report = try await ClipRenderer(ClipSource(FilePath(video)), spec: options, of: span).render(
      to: OutputFile(FilePath(path)))
    return (path, report)
  }

  /// The audio from `start` on.
  private func samples(_ path: String, from start: Double, seconds: Double) throws -> [Int16] {
    let decoded = try Program.run(
      "ffmpeg",
      [
        "-v", "error", "-nostdin", "-i", path, "-ss", "\(start)", "-t", "\(seconds)", "-vn", "-ac", "1",
        "-ar",
        "48000", "-f", "s16le", "-",
      ])
    return stride(from: 0, to: decoded.output.count - 1, by: 2).map {
      Int16(bitPattern: UInt16(decoded.output[$0]) | UInt16(decoded.output[$0 + 1]) << 8)
    }
  }

  /// The frequency of the audio in the half second from `start` on, by its zero crossings.
  private func tone(_ path: String, from start: Double) throws -> Double {
    let samples = try samples(path, from: start, seconds: 0.5)
    let crossings = zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
    return Double(crossings) * 48000 / Double(max(samples.count, 1))
  }

  @Test("is in sync if the picture begins later than the file")
  func startOfPicture() async throws {
    let video = folder.path("film.asf")
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=2", "-f", "lavfi", "-i",
      "aevalsrc='gte(t,1)*0.5*sin(2*PI*1000*t)':s=48000:d=2", "-c:v", "libx264", "-bf", "0", "-pix_fmt",
      "yuv420p", "-c:a", "wmav2", video)
    let clip = try await render(video, Fraction(1), .stretch).0
    let onset = try #require(samples(clip, from: 0, seconds: 2).firstIndex { $0.magnitude > 8000 })
    #expect(abs(Double(onset) / 48_000 - 1) < 0.02)
  }

  @Test(
    "keeps its pitch or lets it fall, and lasts as long as the picture",
    arguments: [
      (Fraction(1, 2), ClipAudio?.none, 1000.0), (Fraction(1, 2), .pitch, 500),
      (Fraction(1, 8), .stretch, 1000),
      (Fraction(1, 4), .pitch, 250), (Fraction(2), .stretch, 1000),
    ])
  func tones(_ speed: Fraction, _ audio: ClipAudio?, _ hertz: Double) async throws {
    let (path, report) = try await render(try video(), speed, audio)
    #expect(report.audio == audio ?? .stretch)
    let probe = try Probe(path)
    #expect(probe.streams.map(\.codec_name) == ["h264", "aac"])
    let seconds = try probe.streams.map { stream in
      let base = stream.time_base.split(separator: "/").compactMap { Double($0) }
      return Double(try #require(stream.duration_ts)) * base[0] / base[1]
    }
    #expect(abs(seconds[0] - report.duration.doubleValue) < 0.001)
    #expect(abs(seconds[1] - seconds[0]) <= 1024.0 / 48000)
    for start in [0.2, seconds[0] / 2, seconds[0] - 0.7] {
      let heard = try tone(path, from: start)
      #expect(abs(heard - hertz) < hertz * 0.02, "at \(start) s")
    }
  }

  @Test(
    "stays in sync: the audio of a moment of the source plays when the clip shows it",
    arguments: [ClipAudio.stretch, .pitch],
    [ClipSpan.whole, ClipSpan(start: .milliseconds(700), end: .seconds(2))])
  func sync(_ audio: ClipAudio, _ span: ClipSpan) async throws {
    // Silence up to 1.5 s, then the tone, of an amplitude of 4096.
    let path = try video("-af", "volume=0:enable='lt(t,1.5)'", "-c:a", "pcm_s16le")
    let (clip, _) = try await render(path, Fraction(1, 2), audio, span: span)
    let streams = try Probe(clip).streams
    #expect(streams.last?.duration_ts == (span == .whole ? 288_000 : 124_800))
    let decoded = try Program.run(
      "ffmpeg",
      ["-v", "error", "-nostdin", "-i", clip, "-vn", "-ac", "1", "-ar", "48000", "-f", "s16le", "-"])
    let bytes = decoded.output
    let first = stride(from: 0, to: bytes.count - 1, by: 2).first {
      abs(Int(Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8))) > 2000
    }
    let heard = Double(try #require(first)) / 2 / 48000
    #expect(abs(heard - (3 - span.start / .milliseconds(500))) < 1.0 / 30)
  }

  @Test("is dropped below half the speed, and the report says so")
  func dropped() async throws {
    let (path, report) = try await render(try video(), Fraction(1, 4), nil)
    #expect(report.audio == .drop)
    #expect(try Probe(path).streams.map(\.codec_name) == ["h264"])
  }

  @Test(
    "is dropped for curves that go below half the speed, and stretched along others",
    arguments: [
      ("0s:1, 1s:0.49", ClipAudio.drop), ("0s:1, 1s:1/2, 2s:2", .stretch), ("0s:1, 1s:3", .drop),
      ("0s:1/2, 1s:freeze 1s", .stretch),
    ])
  func usual(_ text: String, _ expected: ClipAudio) async throws {
    let options = RenderSpec(speed: try SpeedCurve(text: text), preset: .ultrafast)
    let report = try await ClipRenderer(ClipSource(FilePath(try video())), spec: options).render(
      to: OutputFile(FilePath(folder.path("clip.mp4"))))
    #expect(report.audio == expected)
  }

  @Test("is refused with the codec's name if its pitch cannot be kept")
  func tooFast() async throws {
    let options = RenderSpec(speed: try SpeedCurve(text: "0s:1, 1s:3"), preset: .ultrafast, audio: .stretch)
    let renderer = ClipRenderer(ClipSource(FilePath(try video())), spec: options)
    let error = await #expect(throws: OvercrankError.self) {
      _ = try await renderer.render(to: OutputFile(FilePath(folder.path("clip.mp4"))))
    }
    #expect(error?.code == .unsupported)
    #expect(error?.remedy == .changePitch)
  }

  @Test("is absent for a silent source")
  func silent() async throws {
    let path = folder.path("silent.mov")
    try NumberedVideo(numbers: Array(0..<8)).write(to: path)
    let (clip, report) = try await render(path, Fraction(1, 2), .stretch)
    #expect(report.audio == nil)
    #expect(try Probe(clip).streams.count == 1)
  }

  @Test(
    "in an unknown codec is skipped for another track, and reported if there is none",
    arguments: [1, 2])
  func unknownCodec(_ trackCount: Int) async throws {
    let path = try video("-c:a", "pcm_s16le")
    let two = folder.path("two.mov")
    try Program.run(
      "ffmpeg",
      ["-v", "error", "-nostdin", "-i", path, "-map", "0:v"]
        + Array(repeating: ["-map", "0:a"], count: trackCount).joined()
        + ["-c", "copy", two])
    var movie = try Data(contentsOf: URL(filePath: two))
    movie.replaceSubrange(try #require(movie.range(of: Data("sowt".utf8))), with: Data("zzzz".utf8))
    try movie.write(to: URL(filePath: two))
    let (clip, report) = try await render(two, Fraction(1, 2), nil)
    #expect(report.hasUnknownAudio == (trackCount == 1))
    #expect(report.audio == (trackCount == 1 ? nil : .stretch))
    #expect(try Probe(clip).streams.count == trackCount)
  }
}
