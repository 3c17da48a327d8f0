import FrameJudge
import Media
import Platform
import SystemPackage
import Testing
import Timebase

@testable import Retime

@Suite("The order of a clip's frames") struct PlaybackOrderTests {
  @Test("is that of the clip that plays forwards, from its end")
  func reverse() {
    #expect(PlaybackOrder.reverse.frameCount(of: 5) == 5)
    #expect((0..<5).map { PlaybackOrder.reverse.returning($0, of: 5) } == [4, 3, 2, 1, 0])
  }

  @Test("there and back shows the frames at which it turns once", arguments: 0...4)
  func bounce(_ count: Int) {
    let there = Array(0..<count)
    let back = there.filter { PlaybackOrder.bounce.returning($0, of: count) != nil }
      .sorted {
        PlaybackOrder.bounce.returning($0, of: count)! < PlaybackOrder.bounce.returning($1, of: count)!
      }
    #expect(there + back == [[], [0], [0, 1], [0, 1, 2, 1], [0, 1, 2, 3, 2, 1]][count])
    #expect(PlaybackOrder.bounce.frameCount(of: count) == (there + back).count)
    #expect(
      back.compactMap { PlaybackOrder.bounce.returning($0, of: count) }
        == Array(count..<(there + back).count))
  }

  @Test("turns the audio where the frames turn, and in the middle of the last one of a bounce")
  func audio() {
    #expect(PlaybackOrder.reverse.audioTurn(of: 5) == (Fraction(0), 5))
    #expect(PlaybackOrder.bounce.audioTurn(of: 5) == (Fraction(9, 2), 9))
    // The middle of each frame on the way back is that of the frame on the way there.
    for order in PlaybackOrder.allCases {
      for frame in 0..<5 {
        guard let place = order.returning(frame, of: 5) else { continue }
        #expect(2 * order.audioTurn(of: 5).mirror - (2 * place + 1) == 2 * frame + 1)
      }
    }
  }

  @Test("is stated in a clip's description, and needs the whole source")
  func spec() throws {
    let spec = RenderSpec(stages: PictureStages(PlaybackOrder.bounce))
    #expect(spec.wholeSourceNeed() == .order)
    #expect(spec.comment() == "Overcrank, every frame once, bounce")
    var sounding = spec
    sounding.audio = .stretch
    try sounding.check()
  }
}

@Suite("Clips that play backwards, or there and back", .tags(.program), .timeLimit(.minutes(1)))
struct ReturningClipTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func hashes(
    _ source: ClipSource, _ spec: RenderSpec, of part: ClipSpan = .whole, blocks length: Int? = 7
  ) async throws -> (hashes: [String], report: ClipReport) {
    let path = folder.path("clip.mkv")
    var renderer = ClipRenderer(source, spec: spec, of: part)
    renderer.blockLength = length
    let report = try await renderer.render(to: OutputFile(FilePath(path), replacing: true), container: .mkv)
    return (try FrameHashes(path).hashes, report)
  }

  /// Checks that both orders are the mirror image of the clip that plays forwards.
  private func check(_ source: ClipSource, _ spec: RenderSpec, of part: ClipSpan = .whole) async throws {
    var spec = spec
    spec.codec = .ffv1
    let forward = try await hashes(source, spec, of: part)
    for order in PlaybackOrder.allCases {
      spec.stages[PlaybackOrder.self] = order
      let made = try await hashes(source, spec, of: part)
      let back = Array(forward.hashes.reversed())
      switch order {
      case .reverse:
        #expect(made.hashes == back)
        #expect(made.report.held == forward.report.held)
        #expect(made.report.interpolation.frames == forward.report.interpolation.frames)
      case .bounce: #expect(made.hashes == forward.hashes + back.dropFirst().dropLast())
      }
      #expect(made.report.outputFrames == made.hashes.count)
      #expect(made.report.shown == forward.report.shown && made.report.damaged == forward.report.damaged)
      #expect(made.report.skipped == forward.report.skipped && made.report.order == order)
    }
  }

  /// A source of 50 frames at 25 a second.
  private func source(_ name: String, _ codec: String, _ filter: String = "null") throws -> ClipSource {
    let path = folder.path(name)
    try Program.run(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=2,noise=alls=20:allf=t,\(filter)"]
        + codec.split(separator: " ").map(String.init) + [path])
    return ClipSource(FilePath(path))
  }

  static let sources = [
    ("mjpeg.mov", "-c:v mjpeg -q:v 2"), ("gop.mp4", "-c:v libx264 -bf 3 -g 12 -pix_fmt yuv420p"),
    ("open.mkv", "-c:v libx264 -bf 3 -g 12 -x264-params open-gop=1 -pix_fmt yuv420p"),
    ("long.ts", "-c:v libx264 -bf 2 -g 250 -pix_fmt yuv420p"),
    ("hevc.mp4", "-c:v libx265 -x265-params log-level=0"),
    ("vp9.webm", "-c:v libvpx-vp9 -g 10 -b:v 200k"), ("mpeg2.mpg", "-c:v mpeg2video -q:v 2 -bf 2 -g 12"),
    ("decoded.avi", "-c:v mpeg4 -bf 2 -q:v 2"),
    ("wrong.ts", "-c:v libx264 -bf 3 -g 12 -pix_fmt yuv420p -bsf:v setts=pts=DTS"),
  ]

  @Test("mirror the clip that plays forwards, whatever their source", arguments: sources)
  func mirrored(_ name: String, _ codec: String) async throws {
    try await check(try source(name, codec), RenderSpec())
  }

  @Test(
    "mirror curves, filled gaps, zooms and parts too",
    arguments: [
      ("1/3", Fill.hold, nil), ("0s:1, 0.5s:1/8, 1s:1/8, 1.2s:2", .hold, nil), ("1/4", .flow, nil),
      ("0.7s:1, 0.8s:freeze 1s, 1s:1/2", .blend, "0s:1, 2s:3"), ("3", .hold, nil), ("1/20", .hold, "2"),
    ] as [(String, Fill, String?)])
  func stages(_ speed: String, _ fill: Fill, _ zoom: String?) async throws {
    let video = NumberedVideo(numbers: (0..<40).filter { ![7, 8, 9, 30].contains($0) }, damaged: [12])
    let path = folder.path("master.mov")
    try video.write(to: path)
    let source = ClipSource(FilePath(path), timing: video.timing, nominalInterval: Fraction(1, video.rate))
    var spec = RenderSpec(speed: try SpeedCurve(text: speed), outputRate: FrameRate(whole: 30), fill: fill)
    if let zoom { spec.stages[ClipZoom.self] = ClipZoom(try ZoomCurve(text: zoom)) }
    try await check(source, spec)
    try await check(source, spec, of: ClipSpan(start: .milliseconds(20), end: .milliseconds(140)))
  }

  @Test("mirror the fields of interlaced video")
  func fields() async throws {
    let source = try source(
      "interlaced.mkv", "-c:v ffv1 -flags +ilme+ildct -top 1", "tinterlace=interleave_top,setfield=tff")
    try await check(source, RenderSpec(stages: PictureStages(DeinterlacingOptions.auto)))
  }
}
