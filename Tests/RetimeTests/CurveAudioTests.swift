import FrameJudge
import Foundation
import Platform
import SystemPackage
import Testing
import Timebase

@testable import Media
@testable import Retime

/// Videos with clicks at known moments, which must be heard when the clip shows those moments.
@Suite("Audio along speed curves", .tags(.program), .timeLimit(.minutes(1))) struct CurveAudioTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Seconds of the source.
  private static let clicks = (0..<12).map { 0.1 + 0.25 * Double($0) }

  /// A video of three seconds at 60 fps; a click is shorter than 0.1 ms.
  private func video(_ videoFilter: String = "null") throws -> FilePath {
    let path = folder.path("film.mov")
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x48:r=60:d=3", "-f", "lavfi", "-i",
      "aevalsrc=0.9*between(mod(t+0.15\\,0.25)\\,0\\,0.00008):s=48000:d=3", "-vf", videoFilter, "-fps_mode",
      "vfr",
      "-c:v", "mjpeg", "-c:a", "pcm_s16le", path)
    return FilePath(path)
  }

  /// The samples of the clip's audio, after a check of its length against the picture's.
  private func render(_ video: FilePath, _ options: RenderSpec, of part: ClipSpan = .whole) async throws
    -> [Float]
  {
    var options = options
    options.preset = .ultrafast
    let clip = folder.path("clip.mp4")
    let report = try await ClipRenderer(ClipSource(video), spec: options, of: part).render(
      to: OutputFile(FilePath(clip), replacing: true))
    #expect(report.audio == options.audio)
    let audio = try #require(try Probe(clip).streams.first { $0.codec_name == "aac" })
    #expect(audio.duration_ts == (report.duration * Fraction(48_000)).rounded)
    let decoded = try Program.run(
      "ffmpeg", ["-v", "error", "-nostdin", "-i", clip, "-vn", "-ac", "1", "-f", "f32le", "-"])
    return decoded.output.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  /// The delay of a click after `moment`, in seconds; `nil` if there is none.
  private func lateness(_ samples: [Float], _ moment: Double) -> Double? {
    let start = max(0, Int((moment - 0.06) * 48_000))
    let around = samples[min(start, samples.count)..<min(start + 6000, samples.count)].map { abs($0) }
    guard let peak = around.max(), peak > 0.1, let first = around.firstIndex(where: { $0 > peak * 0.35 })
    else { return nil }
    return Double(start + first) / 48_000 - moment
  }

  /// Ramps, eased segments, jumps and freezes.
  private static func curve(_ seed: UInt64) throws -> SpeedCurve {
    var random = SplitMix(state: seed)
    var (points, time) = (["0s:1"], 0.0)
    while time < 2.9 {
      let step = Double.random(in: 0.1...0.7, using: &random)
      time = ((time + step) * 1000).rounded() / 1000
      let speed = exp2(Double.random(in: -3...1, using: &random))
      switch Int.random(in: 0..<5, using: &random) {
      case 0: points.append("\(time)s:1/2, \(time)s:\((speed * 1000).rounded() / 1000)")
      case 1: points.append("ease \(time)s:\((speed * 1000).rounded() / 1000)")
      case 2: points.append("\(time)s:freeze 0.25s")
      default: points.append("\(time)s:\((speed * 1000).rounded() / 1000)")
      }
    }
    return try SpeedCurve(text: points.joined(separator: ", "))
  }

  @Test(
    "has clicks when the clip shows their moment: exactly on tape, within 25 ms with their pitch kept",
    arguments: [ClipAudio.pitch, .stretch], 1...4 as ClosedRange<UInt64>)
  func clicks(_ audio: ClipAudio, _ seed: UInt64) async throws {
    let curve = try Self.curve(seed)
    let start = seed == 4 ? 0.75 : 0
    let span = ClipSpan(start: .seconds(start))
    let samples = try await render(
      try video(), RenderSpec(speed: curve, audio: audio), of: span)
    let integral = SpeedIntegral(curve)
    for moment in Self.clicks where moment > start {
      let place = [moment, start].map {
        Double(integral(SpeedIntegral.moment(.nanoseconds(Int64(($0 * 1e9).rounded()))))) / 0x1p60
      }
      let delay = try #require(lateness(samples, place[0] - place[1]), "\(curve): no click of \(moment) s")
      #expect(abs(delay) < (audio == .pitch ? 0.0005 : 0.025), "\(curve): \(moment) s, \(delay * 1000) ms")
    }
  }

  @Test("skips the time of lost frames too", arguments: [ClipAudio.pitch, .stretch])
  func skip(_ audio: ClipAudio) async throws {
    // Half a second is lost from the 60th frame on, and with it the clicks of 1.1 and 1.35 s.
    let video = try video("select='not(between(n,60,89))'")
    let samples = try await render(
      video, RenderSpec(speed: try SpeedCurve(text: "1/2"), fill: .skip, audio: audio))
    #expect(abs(samples.count - 5 * 48_000) <= 1024)
    for moment in Self.clicks where !(1..<1.5).contains(moment) {
      let delay = try #require(lateness(samples, 2 * (moment < 1 ? moment : moment - 0.5)), "\(moment) s")
      #expect(abs(delay) < (audio == .pitch ? 0.0005 : 0.025), "\(moment) s, \(delay * 1000) ms")
    }
    #expect(lateness(samples, 2.1) == nil)
  }

  @Test("is silent in a freeze, which begins and ends without a click")
  func freeze() async throws {
    let path = folder.path("tone.mov")
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x48:r=60:d=1", "-f", "lavfi", "-i",
      "aevalsrc=0.5*cos(2*PI*440*t):s=48000:d=1", "-c:v", "mjpeg", "-c:a", "pcm_s16le", path)
    for audio in [ClipAudio.pitch, .stretch] {
      let curve = try SpeedCurve(text: "0s:0.999, 0.5s:1, 0.5s:freeze 0.5s")
      let samples = try await render(FilePath(path), RenderSpec(speed: curve, audio: audio))
      #expect(samples[24_500..<47_500].allSatisfy { abs($0) < 0.001 })
      #expect(
        samples[22_000..<23_500].contains { $0 > 0.4 } && samples[48_600..<50_000].contains { $0 > 0.4 })
      // A sine of 440 Hz moves by at most 0.03 from one sample to the next.
      let steps = zip(samples[4800..<67_200], samples[4801...]).map { abs($1 - $0) }
      #expect((steps.max() ?? 0) < 0.06, "\(audio)")
    }
  }

  @Test("follows the same times as the picture", arguments: 1...20 as ClosedRange<UInt64>)
  func course(_ seed: UInt64) throws {
    let curve = try Self.curve(seed)
    let (course, integral) = (AudioTimeMap(curve, .whole, without: []), SpeedIntegral(curve))
    for step in 0..<700 {
      let moment = Double(step) / 200
      let clip = Double(integral.flowing(SpeedIntegral.moment(.milliseconds(5 * step)))) / 0x1p60
      #expect(abs(course.clip(atKept: moment) - clip) < 1e-9)
      #expect(abs(course.kept(atClip: clip).seconds - moment) < 1e-9)
    }
    let pauses: Double = course.pauses.map(\.duration).reduce(0, +)
    let frozen = Double(integral.frozen(before: .max)) / 0x1p60
    #expect(pauses - frozen < 1e-9)
  }
}
