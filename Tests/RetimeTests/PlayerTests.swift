import FrameJudge
import Platform
import SystemPackage
import Testing
import Timebase

@testable import Retime

/// Clips in other players; all other tests use ffmpeg and ffprobe.
@Suite("Players play clips to the end", .tags(.program), .timeLimit(.minutes(1))) struct PlayerTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  enum Kind: CaseIterable {
    case plain, sounding, turned
  }

  /// A clip of one second, 128x64 before it is rotated.
  private func clip(_ kind: Kind) async throws -> String {
    let (video, turned, clip) = (folder.path("film.mov"), folder.path("turned.mov"), folder.path("clip.mp4"))
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=128x64:r=60:d=0.5", "-f", "lavfi", "-i", "sine=440:r=44100:d=0.5",
      "-c:v", "mjpeg", "-c:a", "pcm_s16le", video)
    try Program.ffmpeg("-i", video, "-c", "copy", "-metadata:s:v", "rotate=90", turned)
    let options = RenderSpec(
      speed: try SpeedCurve(text: "1/2"), audio: kind == .sounding ? .stretch : .drop)
    let source = ClipSource(FilePath(kind == .turned ? turned : video))
    _ = try await ClipRenderer(source, spec: options).render(to: OutputFile(FilePath(clip)))
    return clip
  }

  @Test("in Chromium's <video>", .timeLimit(.minutes(1)), arguments: Kind.allCases)
  func chromium(_ kind: Kind) async throws {
    let playback = try ChromiumPlayback(try await clip(kind))
    #expect(playback.outcome == "ended")
    #expect(abs(playback.duration - 1) < 0.001)
    #expect(abs(playback.position - playback.duration) < 0.001)
    #expect((playback.width, playback.height) == (kind == .turned ? (64, 128) : (128, 64)))
    #expect(playback.frames == 30)
    #expect((playback.audioBytes > 0) == (kind == .sounding))
  }

  @Test("in GStreamer's playbin, without a warning", .timeLimit(.minutes(1)), arguments: Kind.allCases)
  func gstreamer(_ kind: Kind) async throws {
    let path = try await clip(kind)
    // -m prints every message; without sync, sinks accept frames as fast as they come.
    let player = try Program.run(
      "gst-launch-1.0",
      [
        "-m", "playbin", "uri=file://\(path)", "video-sink=fakesink sync=false",
        "audio-sink=fakesink sync=false",
      ])
    let messages = String(decoding: player.output, as: UTF8.self)
    #expect(messages.contains("Got EOS from element"))
    #expect(!messages.contains("WARNING") && !messages.contains("(warning)"))
    #expect(player.errors.isEmpty, "\(player.errors)")
  }
}
