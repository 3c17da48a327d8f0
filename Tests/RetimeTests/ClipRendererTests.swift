import FrameJudge
import Foundation
import Media
import Platform
import SystemPackage
import Testing
import Timebase

@testable import Retime

@Suite(.tags(.program), .timeLimit(.minutes(1))) struct ClipRendererTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func slow(_ speed: Int64?, rate: Fraction = Fraction(30)) -> RenderSpec {
    RenderSpec(
      speed: speed.flatMap { Speed(Fraction(1, $0)) }.map { SpeedCurve($0) },
      outputRate: FrameRate(rate) ?? FrameRate(whole: 30),
      preset: .ultrafast)
  }

  func render(_ source: ClipSource, _ options: RenderSpec) async throws -> (String, ClipReport) {
    let path = folder.path("clip.mp4")
    let report = try await ClipRenderer(source, spec: options).render(to: OutputFile(FilePath(path)))
    return (path, report)
  }

  /// The error of a clip that cannot be rendered, which must leave no file.
  func failure(
    _ source: ClipSource, _ options: RenderSpec, to path: String? = nil
  ) async throws -> OvercrankError? {
    let file = try OutputFile(FilePath(path ?? folder.path("clip.mp4")))
    do {
      _ = try await ClipRenderer(source, spec: options).render(to: file)
      return nil
    } catch {
      #expect(try folder.names.allSatisfy { !$0.hasPrefix("clip") })
      return error
    }
  }

  /// Writes `video` and returns its path.
  func write(_ video: NumberedVideo, index: Muxer.IndexPlacement = .end) throws -> FilePath {
    let path = folder.path("master.\(Container.forMaster(video.codec).fileExtension)")
    try video.write(to: path, index: index)
    return FilePath(path)
  }

  @Test func everyCapturedFrameIsShownOnceAndInOrder() async throws {
    let video = NumberedVideo(numbers: Array(0..<120))
    let source = ClipSource(try write(video), timing: video.timing, nominalInterval: Fraction(1, 240))
    let (path, report) = try await render(source, slow(8))
    #expect(try StripVideo(path).numbers == Array(0..<120))
    #expect(report.captured == 120 && report.shown == 120 && report.outputFrames == 120)
    #expect(report.held == 0 && report.damaged == 0 && report.skipped == 0)
    #expect(report.duration == Fraction(4))
    #expect(report.speed == Fraction(1, 8))
    #expect(try folder.names == ["clip.mp4", "master.mov"])
  }

  @Test func clipIsWhatPlayersExpect() async throws {
    let video = NumberedVideo(numbers: Array(0..<60))
    let (path, _) = try await render(
      ClipSource(try write(video)), slow(8, rate: Fraction(30_000, 1001)))
    let probe = try Probe(path)
    let stream = try #require(probe.streams.first)
    #expect(stream.codec_name == "h264" && stream.pix_fmt == "yuv420p")
    #expect(stream.r_frame_rate == "30000/1001" && stream.avg_frame_rate == "30000/1001")
    #expect(stream.color_range == "tv")
    #expect(["smpte170m", "bt470bg"].contains(stream.color_space))
    #expect(stream.color_primaries == "bt709" && stream.color_transfer == "iec61966-2-1")
    #expect(probe.packets.compactMap(\.pts).sorted() == (0..<Int64(probe.packets.count)).map { $0 * 1001 })
    #expect(stream.duration_ts == Int64(probe.packets.count) * 1001)
    let boxes = try boxes(of: path)
    #expect(try #require(boxes.firstIndex(of: "moov")) < #require(boxes.firstIndex(of: "mdat")))
  }

  @Test(arguments: [true, false]) func lostFramesAreHeld(isTimed: Bool) async throws {
    let video = NumberedVideo(numbers: [0, 1, 2, 5, 6, 7, 11, 12])
    let source = ClipSource(
      try write(video), timing: isTimed ? video.timing : nil,
      nominalInterval: isTimed ? Fraction(1, 240) : nil)
    let (path, report) = try await render(source, slow(8))
    #expect(try StripVideo(path).numbers == [0, 1, 2, 2, 2, 5, 6, 7, 7, 7, 7, 11, 12])
    #expect(report.shown == 8 && report.held == 5)
  }

  @Test(arguments: [Int64?.none, 4, 16, 24]) func eachSpeedHasItsRhythm(speed: Int64?) async throws {
    let video = NumberedVideo(numbers: Array(0..<24))
    let source = ClipSource(try write(video), timing: video.timing, nominalInterval: Fraction(1, 240))
    let (path, report) = try await render(source, slow(speed))
    let step = Double(speed ?? 8) / 8
    let expected = (0..<Int(24 * step)).map { UInt32(Double($0) / step) }
    #expect(try StripVideo(path).numbers == expected)
    #expect(report.skipped == 24 - report.shown)
  }

  @Test(arguments: [
    PixelLayout.yuyv422, .uyvy422, .nv12, .yuv420p, .rgb24, .bgr24, .gray,
  ])
  func rawMastersAreRendered(layout: PixelLayout) async throws {
    let video = NumberedVideo(numbers: [0, 1, 2, 3, 6, 7], codec: .raw(layout))
    let (path, report) = try await render(ClipSource(try write(video), timing: video.timing), slow(8))
    #expect(try StripVideo(path).numbers == [0, 1, 2, 3, 3, 3, 6, 7])
    #expect(report.damaged == 0)
  }

  @Test(arguments: ["mp4", "mkv", "ts", "h264"]) func sourcesWithBFramesAreShownInOrder(kind: String)
    async throws
  {
    let master = try write(NumberedVideo(numbers: Array(0..<50)))
    let video = folder.path("film.\(kind)")
    try Program.ffmpeg(
      "-r", "60", "-i", master.string, "-c:v", "libx264", "-bf", "3", "-b_strategy", "0", "-pix_fmt",
      "yuv420p",
      "-r", "60", video)
    #expect(try StripVideo(video).numbers == Array(0..<50))
    let (path, report) = try await render(ClipSource(FilePath(video)), slow(2))
    #expect(try StripVideo(path).numbers == Array(0..<50))
    #expect(report.damaged == 0)
  }

  @Test(arguments: [308, 808]) func wrongTimeOfOneFrameLosesAtMostOneOther(milliseconds late: Int)
    async throws
  {
    let master = try write(NumberedVideo(numbers: Array(0..<50)))
    let video = folder.path("wrong.mkv")
    try Program.ffmpeg(
      "-r", "60", "-i", master.string, "-c:v", "libx264", "-bf", "3", "-b_strategy", "0", "-pix_fmt",
      "yuv420p", "-r", "60", folder.path("right.mp4"))
    try Program.ffmpeg(
      "-i", folder.path("right.mp4"), "-c", "copy", "-bsf:v",
      "setts=pts=if(eq(N\\,25)\\,PTS+\(late)\\,PTS)", video)
    let (path, _) = try await render(ClipSource(FilePath(video)), slow(8))
    // libavcodec then guesses the times of some pictures from when they are decoded.
    #expect(Set(try StripVideo(path).numbers.compactMap(\.self)).count >= 49)
  }

  @Test(arguments: [true, false]) func fastClipSkipsFrames(isIntra: Bool) async throws {
    var video = FilePath(folder.path("film.mp4"))
    let master = try write(NumberedVideo(numbers: Array(0..<40), rate: 60))
    if isIntra {
      video = master
    } else {
      try Program.ffmpeg(
        "-r", "60", "-i", master.string, "-c:v", "libx264", "-pix_fmt", "yuv420p", "-r", "60", video.string)
    }
    let options = RenderSpec(speed: Speed(Fraction(2)).map { SpeedCurve($0) }, preset: .ultrafast)
    let (path, report) = try await render(ClipSource(video), options)
    #expect(try StripVideo(path).numbers == (0..<10).map { $0 * 4 })
    #expect(report.skipped == 30 && report.shown == 10)
  }

  @Test func damagedFramesAreHeldAndCounted() async throws {
    let video = NumberedVideo(numbers: Array(0..<12), damaged: [0, 1, 5, 6, 11])
    let (path, report) = try await render(ClipSource(try write(video), timing: video.timing), slow(8))
    #expect(try StripVideo(path).numbers == [2, 2, 2, 3, 4, 4, 4, 7, 8, 9, 10, 10])
    #expect(report.damaged == 5 && report.shown == 7 && report.outputFrames == 12)
    #expect(report.damagedFrames == [0, 1, 5, 6, 11])
  }

  @Test func truncatedSourceIsAClipOfItsWholeFrames() async throws {
    let video = NumberedVideo(numbers: Array(0..<20))
    let path = try write(video, index: .front(frameCount: 20))
    let whole = try Data(contentsOf: URL(filePath: path.string))
    let frames = try Probe(path.string).packets.compactMap { Int($0.size) }.reduce(0, +)
    try whole.dropLast(frames / 2).write(to: URL(filePath: path.string))
    let (clip, report) = try await render(ClipSource(path), slow(8))
    let numbers = try StripVideo(clip).numbers
    #expect(report.damaged == 0 && report.cutOff?.code == .badData)
    #expect(report.shown >= 9 && report.shown <= 11)
    #expect(numbers == (0..<UInt32(report.shown)).map { $0 })
  }

  @Test func sourceWithoutAUsableFrameIsBadData() async throws {
    let video = NumberedVideo(numbers: Array(0..<4), width: 640, height: 480, damaged: [0, 1, 2, 3])
    let error = try #require(try await failure(ClipSource(try write(video)), slow(8)))
    #expect(error.code == .badData)
    #expect(error.description.contains("no frame of it can be decoded"))
    #expect(error.description.contains("Premature end of JPEG file"))
  }

  @Test func takeWithOtherFramesIsBadData() async throws {
    let video = NumberedVideo(numbers: Array(0..<4))
    let source = ClipSource(try write(video), timing: Array(video.timing.dropLast()))
    let error = try #require(try await failure(source, slow(8)))
    #expect(error.code == .badData)
    #expect(error.description.contains("holds 4 frames, but its take lists 3"))
  }

  @Test func missingSourceLeavesNoClip() async throws {
    #expect(try await failure(ClipSource(FilePath(folder.path("none"))), slow(8))?.code == .noInput)
  }

  @Test func impossibleOptionsAreRefused() async throws {
    let master = ClipSource(try write(NumberedVideo(numbers: [0, 1])))
    var options = slow(8)
    options.quality = 52
    #expect(try await failure(master, options)?.code == .unsupported)
    let rate = slow(8, rate: Fraction(1 << 40, 1 << 35 + 1))
    #expect(try await failure(master, rate)?.code == .unsupported)
  }

  @Test func cancellingLeavesNoClip() async throws {
    let video = NumberedVideo(numbers: Array(0..<200))
    let source = ClipSource(try write(video))
    let path = FilePath(folder.path("clip.mp4"))
    let options = slow(8)
    let rendering = Task {
      try await ClipRenderer(source, spec: options).render(to: OutputFile(path)) { progress in
        if progress.done > 20 { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    await #expect {
      try await rendering.value
    } throws: {
      ($0 as? OvercrankError)?.code == .cancelled
    }
    #expect(try folder.names == ["master.mov"])
  }

  @Test(.timeLimit(.minutes(1))) func cancellingWithinOneLongHoldLeavesNoClip() async throws {
    // Only the first frame is held for hours.
    let source = ClipSource(try write(NumberedVideo(numbers: [0, 500_000])))
    let path = FilePath(folder.path("clip.mp4"))
    let options = slow(8)
    let rendering = Task {
      try await ClipRenderer(source, spec: options).render(to: OutputFile(path)) { progress in
        #expect(progress.done < 200, "the first frame was held on")
        if progress.done == 100 { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    await #expect {
      try await rendering.value
    } throws: {
      ($0 as? OvercrankError)?.code == .cancelled
    }
    #expect(try folder.names == ["master.mov"])
  }

  @Test(.enabled(if: SmallDisk.isPossible, "mounting a small disk needs root"))
  func fullDiskLeavesNoClip() async throws {
    let disk = try #require(try SmallDisk(bytes: 64 << 10))
    let source = ClipSource(try write(NumberedVideo(numbers: Array(0..<200), width: 640, height: 480)))
    var options = slow(8)
    options.quality = 0
    let error = try await failure(source, options, to: disk.path("clip.mp4"))
    #expect(error?.code == .inputOutput)
    #expect(error?.description.contains("The disk is full") == true)
    #expect(try disk.names.isEmpty)
  }

  @Test(
    "progress rises frame by frame to the end, also while one is held", arguments: [Array(0..<30), [0, 29]])
  func progress(_ numbers: [UInt32]) async throws {
    let source = ClipSource(try write(NumberedVideo(numbers: numbers)))
    let seen = Collected<ClipProgress>()
    _ = try await ClipRenderer(source, spec: slow(8)).render(
      to: OutputFile(FilePath(folder.path("clip.mp4")))
    ) { seen.append($0) }
    #expect(seen.all.map(\.done) == Array(1...30))
    #expect(seen.all.allSatisfy { $0.stage == .making && $0.total == 30 })
  }

  @Test func progressReportsTheMeasurementOfTheLight() async throws {
    let source = ClipSource(try write(NumberedVideo(numbers: Array(0..<30))))
    var options = slow(4)
    options.stages[Deflicker.self] = Deflicker()
    let seen = Collected<ClipProgress>()
    _ = try await ClipRenderer(source, spec: options).render(
      to: OutputFile(FilePath(folder.path("clip.mp4")))
    ) { seen.append($0) }
    #expect(
      seen.all.map(\.stage) == Array(repeating: .metering, count: 30) + Array(repeating: .making, count: 15))
    #expect(seen.all.map(\.done) == Array(1...30) + Array(1...15))
    #expect(seen.all.map(\.total) == Array(repeating: 30, count: 30) + Array(repeating: 15, count: 15))
  }

  @Test func oddSizesLoseARowOrAColumn() async throws {
    let video = NumberedVideo(numbers: Array(0..<5), width: 257, height: 33)
    let (path, _) = try await render(ClipSource(try write(video)), slow(8))
    let stream = try #require(try Probe(path).streams.first)
    #expect((stream.width, stream.height) == (256, 32))
    #expect(try StripVideo(path).numbers == Array(0..<5))
  }

  @Test func rotationAndPixelShapeAreKept() async throws {
    let master = try write(NumberedVideo(numbers: Array(0..<5)))
    let video = folder.path("film.mov")
    try Program.ffmpeg(
      "-i", master.string, "-c:v", "libx264", "-vf", "setsar=4/3", "-metadata:s:v", "rotate=90", video)
    let turned = folder.path("turned.mov")
    try Program.ffmpeg("-i", video, "-c", "copy", "-metadata:s:v", "rotate=90", turned)
    let before = try #require(try Probe(turned).streams.first)
    let (path, _) = try await render(ClipSource(FilePath(turned)), slow(8))
    let after = try #require(try Probe(path).streams.first)
    #expect(after.sample_aspect_ratio == "4:3")
    #expect(before.side_data_list?.compactMap(\.rotation) == after.side_data_list?.compactMap(\.rotation))
    #expect(after.side_data_list?.compactMap(\.rotation).first.map(abs) == 90)
  }

  @Test("a video that players rotate is itself rotated for a stamp, which would lie on its side otherwise")
  func stampStandsUpright() async throws {
    let video = try write(NumberedVideo(numbers: Array(0..<5)))
    let turned = folder.path("turned.mov")
    try Program.ffmpeg("-i", video.string, "-c", "copy", "-metadata:s:v", "rotate=90", turned)
    let before = try #require(try Probe(turned).streams.first)
    var options = slow(8)
    options.stages[FrameStamp.self] = FrameStamp()
    let (path, _) = try await render(ClipSource(FilePath(turned)), options)
    let after = try #require(try Probe(path).streams.first)
    #expect(before.width != before.height)
    #expect((after.width, after.height) == (before.height, before.width))
    #expect(after.side_data_list?.compactMap(\.rotation).isEmpty ?? true)
  }
}
