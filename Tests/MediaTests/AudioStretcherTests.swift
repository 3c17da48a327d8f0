import FrameJudge
import Foundation
import Platform
import SystemPackage
import Testing
import Timebase

@testable import Media

@Suite("Stretched audio", .tags(.program), .timeLimit(.minutes(1)))
struct AudioStretcherTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let stretchers = AudioStretcher.allCases.filter(\.isPresent)

  @Test("uses the best available filter that supports the speed")
  func choice() throws {
    // The ffmpeg program uses the same libavfilter, and lists its filters.
    let list = String(decoding: try Program.run("ffmpeg", ["-v", "error", "-filters"]).output, as: UTF8.self)
    let names = Set(list.split(separator: "\n").compactMap { $0.split(separator: " ").dropFirst().first })
    try #require(names.contains("atempo"))
    let hasRubberband = names.contains("rubberband")
    #expect(Self.stretchers == (hasRubberband ? [.rubberband, .atempo] : [.atempo]))
    let best = AudioStretcher.best(for: AudioTimeMap(speed: 1 / 4), 1)
    #expect(best == (hasRubberband ? .rubberband : .atempo))
    for speed in [1 / 200.0, 1, 2] {
      #expect(AudioStretcher.best(for: AudioTimeMap(speed: speed), 1) == .atempo)
    }
  }

  /// Returns the audio of a slowed clip of a video with libavfilter's `source` as its audio.
  private func slowed(
    _ source: String, seconds: Double, from start: Fraction = Fraction(0), _ speed: Fraction,
    _ stretcher: AudioStretcher
  ) throws -> [Float] {
    let (video, clip) = (folder.path("film.mov"), folder.path("clip.mov"))
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=\(seconds)", "-f", "lavfi", "-i",
      "\(source):s=44100:d=\(seconds)", "-c:v", "mjpeg", "-c:a", "pcm_s16le", video)
    let duration = (Fraction(Int64(seconds * 1000), 1000) - start) / speed
    guard
      var audio = try SlowedAudio(
        of: FilePath(video), by: AudioTimeMap(from: Duration(seconds: start), speed: speed.doubleValue),
        stretcher,
        duration: duration)
    else {
      Issue.record("the source has no audio")
      return []
    }
    let track = audio.track
    var muxer = try Muxer(
      to: OutputFile(FilePath(clip), replacing: true), container: .mov,
      video: VideoTrack(codec: .mjpeg, width: 64, height: 48, color: .jpeg), audio: track, timescale: 48_000)
    try muxer.write(try Samples.jpeg(width: 64, height: 48), timestamp: 0, duration: 48_000)
    while let packet = try audio.nextPacket() { try muxer.writeAudio(packet) }
    try muxer.finish()

    let stream = try #require(try Probe(clip).streams.first { $0.codec_name == "aac" })
    #expect(stream.time_base == "1/48000")
    let samples = Fraction(48_000) * duration
    #expect(stream.duration_ts == samples.rounded)
    let decoded = try Program.run(
      "ffmpeg", ["-v", "error", "-nostdin", "-i", clip, "-vn", "-ac", "1", "-f", "f32le", "-"])
    return decoded.output.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  /// Returns the cycles per second between the first and the last rising zero crossing of `samples`.
  private func tone(_ samples: ArraySlice<Float>) -> Double {
    let places = samples.indices.dropLast().filter { samples[$0] < 0 && samples[$0 + 1] >= 0 }.map { index in
      Double(index) + Double(samples[index] / (samples[index] - samples[index + 1]))
    }
    guard let first = places.first, let last = places.last, last > first else { return 0 }
    return Double(places.count - 1) * 48_000 / (last - first)
  }

  @Test(
    "keeps the pitch to within three cents, and its length is exact to a sample",
    arguments: stretchers, [Fraction(1, 2), Fraction(3, 7), Fraction(1, 8), Fraction(2)])
  func pitch(_ stretcher: AudioStretcher, _ speed: Fraction) throws {
    guard stretcher == .atempo || speed < Fraction(1) else { return }
    let samples = try slowed("aevalsrc=0.5*sin(2*PI*440*t)", seconds: 2, speed, stretcher)
    let heard = tone(samples[samples.count / 4..<samples.count * 3 / 4])
    #expect(abs(1200 * log2(heard / 440)) < 3, "\(heard) Hz")
    // It continues to the end of the source.
    let end = samples[(samples.count - 6000)..<(samples.count - 2400)]
    #expect(end.contains { $0 > 0.3 })
  }

  @Test(
    "starts within a frame of the picture, also for a part of the source",
    arguments: stretchers, [Fraction(3, 4), Fraction(1, 8)])
  func onset(_ stretcher: AudioStretcher, _ speed: Fraction) throws {
    for (moment, start) in [(1.0, Fraction(0)), (1.1133, Fraction(7, 10))] {
      let samples = try slowed(
        "aevalsrc=gte(t\\,\(moment))*0.5*sin(2*PI*1000*t)", seconds: 2, from: start, speed, stretcher)
      let begins = Double(try #require(samples.firstIndex { abs($0) > 0.25 })) / 48_000
      let truth = (moment - start.doubleValue) / speed.doubleValue
      #expect(abs(begins - truth) < 1.0 / 30, "\(moment) s: \((begins - truth) * 1000) ms")
    }
  }
}
