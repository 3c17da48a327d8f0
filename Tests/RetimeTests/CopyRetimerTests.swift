import FrameJudge
import Foundation
import Media
import Platform
import SystemPackage
import Testing
import Timebase

@testable import Retime

@Suite(.tags(.program), .timeLimit(.minutes(1))) struct CopyRetimerTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Copies the source at `path`. Returns the copy's path.
  func copy(
    _ path: String, _ speed: Fraction, to container: Container
  ) async throws -> (path: String, report: ClipReport) {
    let target = folder.path("clip.\(container.fileExtension)")
    let speed = SpeedCurve(try #require(Speed(speed)))
    let file = try OutputFile(FilePath(target))
    let report = try await CopyRetimer(FilePath(path), speed: speed).copy(to: file, container: container)
    return (target, report)
  }

  /// The seconds of ticks in a track.
  func seconds(_ ticks: [Int64?], _ probe: Probe) throws -> [Fraction] {
    let terms = try #require(probe.streams.first?.time_base.split(separator: "/").compactMap { Int64($0) })
    return ticks.compactMap(\.self).map { Fraction($0 * terms[0], terms[1]) }
  }

  /// Expects every time of `clip` to be that of `video` divided by `speed`, and every frame the same bytes.
  func expectRetimed(_ video: String, _ clip: String, _ speed: Fraction) throws {
    let (before, after) = (try Probe(video), try Probe(clip))
    let first = try seconds([before.packets.compactMap(\.pts).min()], before)[0]
    #expect(
      try seconds(after.packets.map(\.pts), after)
        == seconds(before.packets.map(\.pts), before).map { ($0 - first) / speed })
    #expect(
      try seconds(after.packets.map(\.dts), after)
        == seconds(before.packets.map(\.dts), before).map { ($0 - first) / speed })
    #expect(
      try seconds(after.packets.map(\.duration), after)
        == seconds(before.packets.map(\.duration), before).map { $0 / speed })
    #expect(try hashes(video) == hashes(clip))
    #expect(after.streams.first?.codec_name == before.streams.first?.codec_name)
  }

  /// A hash of every decoded frame.
  func hashes(_ path: String) throws -> [Substring] {
    let answer = try Program.run(
      "ffmpeg", ["-v", "error", "-i", path, "-fps_mode", "passthrough", "-f", "framemd5", "-"])
    return String(decoding: answer.output, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
      .compactMap { $0.split(separator: ",").last }
  }

  /// A frame of a microsecond lasts no tick of a clip that plays it a hundred times faster.
  @Test func sourceTooShortForATickIsCopied() async throws {
    let video = folder.path("short.mov")
    var muxer = try Muxer(
      to: OutputFile(FilePath(video)), container: .mov,
      video: VideoTrack(codec: .raw(.uyvy422), width: 16, height: 16), timescale: 1_000_000)
    try [UInt8](repeating: 128, count: 512).withUnsafeBytes {
      try muxer.write($0, timestamp: 0, duration: 1)
    }
    try muxer.finish()
    let curve = try SpeedCurve(text: "0s:100, 1s:99")
    let report = try await CopyRetimer(FilePath(video), speed: curve).copy(
      to: OutputFile(FilePath(folder.path("clip.mov"))), container: .mov)
    #expect(report.outputFrames == 1)
    #expect(report.speed == Fraction(1))
  }

  @Test(arguments: [Container.mov, .mp4], [Fraction(1, 8), Fraction(3, 7), Fraction(1, 1000), Fraction(2)])
  func masterIsRetimedExactlyAndUntouched(container: Container, speed: Fraction) async throws {
    let video = NumberedVideo(numbers: [0, 1, 2, 5, 6, 7, 11])
    let master = folder.path("master.mov")
    try video.write(to: master)
    let (clip, report) = try await copy(master, speed, to: container)
    try expectRetimed(master, clip, speed)
    #expect(try StripVideo(clip).numbers == video.numbers.map { $0 })
    let boxes = try boxes(of: clip)
    #expect(try #require(boxes.firstIndex(of: "moov")) < #require(boxes.firstIndex(of: "mdat")))
    #expect(report.shown == 7 && report.damaged == 0 && report.speed == speed)
    #expect(report.duration == Fraction(video.time(11) + 4166, 1_000_000) / speed)
  }

  @Test func lostFramesLeaveLongerDurations() async throws {
    let master = folder.path("master.mov")
    try NumberedVideo(numbers: [0, 1, 4]).write(to: master)
    let probe = try Probe(try await copy(master, Fraction(1, 8), to: .mp4).path)
    let durations = try seconds(probe.packets.map(\.duration), probe).map(\.doubleValue)
    #expect(abs(durations[0] - 8.0 / 240) < 0.01)
    #expect(abs(durations[1] - 3 * 8.0 / 240) < 0.01)
  }

  @Test(arguments: ["mp4", "mov", "mkv"]) func dependentFramesKeepTheirOrder(kind: String) async throws {
    let master = folder.path("master.mov")
    try NumberedVideo(numbers: Array(0..<40)).write(to: master)
    let video = folder.path("film.\(kind)")
    try Program.ffmpeg(
      "-r", "50", "-i", master, "-c:v", "libx264", "-bf", "3", "-b_strategy", "0", "-pix_fmt", "yuv420p",
      "-r", "50",
      video)
    let speed = Fraction(1, 4)
    let clip = try await copy(video, speed, to: .mp4).path
    #expect(try StripVideo(clip).numbers == Array(0..<40))
    let (before, after) = (try Probe(video), try Probe(clip))
    #expect(
      try seconds(after.packets.map(\.pts), after)
        == seconds(before.packets.map(\.pts), before).map { $0 / speed })
    #expect(try hashes(video) == hashes(clip))
    #expect(after.streams.first?.duration_ts == after.packets.compactMap(\.pts).max().map { $0 + $0 / 39 })
  }

  @Test("sources without the order of their frames are refused, and others of their codecs are copied")
  func orderThatIsNotTold() async throws {
    let master = folder.path("master.mov")
    try NumberedVideo(numbers: Array(0..<20)).write(to: master)
    let video = folder.path("film.avi")
    for codec in [["mpeg4", "-q:v", "2"], ["libx264", "-b_strategy", "0"]] {
      for bFrames in ["0", "2"] {
        try Program.run(
          "ffmpeg",
          [
            "-v", "error", "-y", "-r", "50", "-i", master, "-pix_fmt", "yuv420p", "-bf", bFrames, "-r", "50",
            "-c:v",
          ]
            + codec + [video])
        guard bFrames == "2", codec[0] == "libx264" else {
          let clip = try await copy(video, Fraction(1, 4), to: .mkv).path
          #expect(try StripVideo(clip).numbers == Array(0..<20))
          let probe = try Probe(clip)
          #expect(probe.packets.compactMap(\.pts).sorted() == (0..<20).map { $0 * 80 })
          try FileManager.default.removeItem(atPath: folder.path("clip.mkv"))
          continue
        }
        let error = await #expect(throws: OvercrankError.self) {
          _ = try await copy(video, Fraction(1, 4), to: .mkv)
        }
        #expect(error?.code == .unsupported)
        #expect(error?.description.contains("does not state when its frames are shown") == true)
        #expect(try folder.names == ["film.avi", "master.mov"])
      }
    }
  }

  @Test(arguments: [(PixelLayout.yuyv422, Container.mov), (.nv12, .nut), (.yuyv422, .nut)])
  func rawMastersAreCopied(layout: PixelLayout, container: Container) async throws {
    let master = folder.path("master.\(Container.forMaster(.raw(layout)).fileExtension)")
    let video = NumberedVideo(numbers: Array(0..<6), codec: .raw(layout))
    try video.write(to: master)
    let clip = try await copy(master, Fraction(1, 8), to: container).path
    #expect(try StripVideo(clip).numbers == Array(0..<6))
    #expect(try hashes(master) == hashes(clip))
    let (before, after) = (try Probe(master), try Probe(clip))
    #expect(
      try seconds(after.packets.map(\.pts), after)
        == seconds(before.packets.map(\.pts), before).map { $0 * Fraction(8) })
  }

  /// The audio's first packet has audio from before its start, so the pictures begin later than the file;
  /// libavformat still reports its start as 0.
  @Test func curveBeginsWithTheFirstFrame() async throws {
    let audio = ["-f", "lavfi", "-i", "sine=d=0.8", "-c:a", "wmav2"]
    var times: [[Fraction]] = []
    for (name, audio) in [("film.mp4", []), ("film.asf", audio)] {
      let video = folder.path(name)
      try Program.run(
        "ffmpeg",
        ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.8"] + audio
          + ["-c:v", "libx264", "-bf", "0", "-pix_fmt", "yuv420p", video])
      let clip = folder.path("\(name).mov")
      _ = try await CopyRetimer(FilePath(video), speed: SpeedCurve(text: "0s:1, 0.4s:1/4")).copy(
        to: OutputFile(FilePath(clip)), container: .mov)
      let probe = try Probe(clip)
      times.append(try seconds(probe.packets.map(\.pts), probe))
    }
    #expect(times[0].count == 20)
    #expect(times[0] == times[1])
  }

  /// Matroska has one length for all frames, and its copy none: its end follows from the last frames shown.
  @Test func partEndsWithTheKeyframeBehindIt() async throws {
    let video = folder.path("film.mkv")
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x48:r=24:d=1,settb=1/1000,setpts=1000*sqrt(N/24)", "-c:v", "libx264",
      "-preset", "veryfast", "-bf", "3", "-g", "12", "-pix_fmt", "yuv420p", "-enc_time_base", "1:1000", video)
    let span = ClipSpan(start: .zero, end: Duration(seconds: Fraction(3, 5)))
    let clip = folder.path("clip.mkv")
    let half = SpeedCurve(try #require(Speed(Fraction(1, 2))))
    let report = try await CopyRetimer(FilePath(video), speed: half, span: span).copy(
      to: OutputFile(FilePath(clip)), container: .mkv)
    #expect(report.duration == Fraction(1414, 1000))
    #expect(try Probe(clip).streams.first?.tags?["DURATION"] == "00:00:01.414000000")
  }

  @Test func containerThatCannotHoldTheFramesIsRefusedByName() async throws {
    let master = folder.path("master.nut")
    try NumberedVideo(numbers: [0, 1], codec: .raw(.nv12)).write(to: master)
    let error = await #expect(throws: OvercrankError.self) {
      _ = try await copy(master, Fraction(1, 8), to: .mp4)
    }
    #expect(error?.code == .unsupported)
    #expect(error?.description.contains("MP4 cannot hold rawvideo nv12. Use one that can: NUT.") == true)
    #expect(try folder.names == ["master.nut"])
  }

  @Test func rotationIsKept() async throws {
    let video = folder.path("film.mp4")
    try Program.ffmpeg("-f", "lavfi", "-i", "testsrc2=d=0.2", "-c:v", "libx264", video)
    let turned = folder.path("turned.mp4")
    try Program.ffmpeg("-i", video, "-c", "copy", "-metadata:s:v", "rotate=90", turned)
    let clip = try await copy(turned, Fraction(1, 8), to: .mov).path
    let rotations = try Probe(clip).streams.first?.side_data_list?.compactMap(\.rotation)
    #expect(try rotations == Probe(turned).streams.first?.side_data_list?.compactMap(\.rotation))
  }

  @Test func cancellingLeavesNoClip() async throws {
    let master = FilePath(folder.path("master.mov"))
    try NumberedVideo(numbers: Array(0..<50)).write(to: master.string)
    let target = FilePath(folder.path("clip.mp4"))
    let speed = SpeedCurve(try #require(Speed(Fraction(1, 8))))
    let copying = Task {
      try await CopyRetimer(master, speed: speed).copy(to: OutputFile(target), container: .mp4) { progress in
        if progress.done == 20 { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    await #expect {
      try await copying.value
    } throws: {
      ($0 as? OvercrankError)?.code == .cancelled
    }
    #expect(try folder.names == ["master.mov"])
  }

  @Test(arguments: [
    (Fraction(1, 1_000_000), Fraction(1, 8), Int32(125_000), Int64(1)),
    (Fraction(1, 24), Fraction(1, 8), 1002, 334), (Fraction(1, 30_000), Fraction(7, 3), 70_000, 1),
    (Fraction(1001, 30_000), Fraction(1, 2), 15_000, 1001),
  ])
  func clockChangesTheScaleAndNotTheTimes(timeBase: Fraction, speed: Fraction, timescale: Int32, tick: Int64)
    throws
  {
    let clock = ClipClock(timeBase, SpeedCurve(try #require(Speed(speed))))
    #expect(clock.timescale == timescale)
    #expect(clock.ticks(1) == tick)
    #expect(clock.ticks(-7) == -7 * tick)
  }

  @Test(arguments: [Fraction(1, 1_000_000), Fraction(1001, 30_000), Fraction(1, 2_147_483_647)])
  func scaleThatNoContainerCanHoldIsRoundedToTheNearestTick(timeBase: Fraction) throws {
    let speed = try #require(Speed(Fraction(2_147_483_629, 2_147_483_646)))
    let clock = ClipClock(timeBase, SpeedCurve(speed))
    let ticks = (Fraction(3600) / timeBase).rounded
    let played = Double(clock.ticks(ticks)) / Double(clock.timescale)
    let expected = Double(ticks) * timeBase.doubleValue / speed.factor.doubleValue
    #expect(abs(played - expected) < 0.000_01)
  }
}
