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

/// Clips that are partly rendered while their masters are written.
@Suite("A clip begun during its recording", .tags(.program), .timeLimit(.minutes(1)))
struct EarlyClipTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A master that is written step by step.
  private final class Recording {
    let video: NumberedVideo
    let path: FilePath
    let growing = GrowingMaster()
    private let writer: MasterWriter
    private var next = 0

    init(_ video: NumberedVideo, _ pixelFormat: PixelFormat, in folder: String) throws {
      let format = try #require(MasterFormat(pixelFormat))
      path = FilePath("\(folder)/film.master.\(format.container.fileExtension)")
      self.video = video
      writer = try MasterWriter(
        to: path, as: format,
        of: FrameFormat(
          pixelFormat, width: video.width, height: video.height, acceptedInterval: FrameInterval(1, 240)),
        replacing: false, growing: growing)
    }

    /// Writes frames up to index `end`; all but fewer than 48 of them are then in the file.
    func capture(upTo end: Int) throws {
      while next < end {
        var frame = try video.coded(video.numbers[next])
        if video.damaged.contains(next) { frame.removeLast(frame.count / 2) }
        let captured = video.timing[next]
        try frame.span.bytes.withUnsafeBytes { bytes throws(OvercrankError) in
          try writer.write(
            bytes, sequence: UInt32(captured.sequence ?? 0),
            timestampNanoseconds: captured.timestamp.nanoseconds)
        }
        next += 1
        if next % 24 == 0 { try writer.checkpoint() }
      }
    }

    func finish() throws { try writer.finish() }

    /// The times that the take would have.
    var source: ClipSource {
      ClipSource(path, timing: video.timing, nominalInterval: Fraction(1, 240))
    }
  }

  /// A clip without loss, so that its pictures show how it was rendered.
  private func lossless(_ speed: String? = "1/8") throws -> RenderSpec {
    var options = RenderSpec(speed: try speed.map { try SpeedCurve(text: $0) }, preset: .ultrafast)
    options.quality = 0
    return options
  }

  private func numbers(_ count: Int, without lost: Set<Int> = []) -> [UInt32] {
    (0..<count).filter { !lost.contains($0) }.map { UInt32($0) }
  }

  /// The checksums and times of a clip's pictures.
  private func pictures(of path: String) throws -> [String] {
    let list = try Program.run(
      "ffmpeg", ["-v", "error", "-i", path, "-map", "0:v", "-fps_mode", "passthrough", "-f", "framemd5", "-"])
    return String(decoding: list.output, as: UTF8.self).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }.map(String.init)
  }

  /// Records, renders as much as possible after each `steps` frames, and expects the same clip as one
  /// rendered afterwards.
  ///
  /// - Returns: the number of its frames that were rendered during the recording.
  private func compare(
    _ video: NumberedVideo, as pixelFormat: PixelFormat = .mjpeg, _ options: RenderSpec,
    of part: ClipSpan = .whole,
    steps: [Int] = [300, 560], turn: PictureTurn? = nil, sensor: SensorFacts? = nil,
    container: Container = .mp4
  ) async throws -> Int {
    let recording = try Recording(video, pixelFormat, in: folder.url.path)
    let early = EarlyClip(
      of: recording.growing, spec: options, of: part, turn: turn, sensor: sensor,
      keptIn: FilePath(folder.url.path), on: nil)
    for step in steps {
      try recording.capture(upTo: step)
      #expect(await early.makeAvailable())
    }
    try recording.capture(upTo: video.numbers.count)
    early.stop()
    try recording.finish()
    var source = recording.source
    source.turn = turn
    source.sensor = sensor
    let paths = ["early", "afterwards"].map { folder.path("\($0).\(container.fileExtension)") }
    let report = try await ClipRenderer(source, spec: options, of: part).render(
      to: OutputFile(FilePath(paths[0])), container: container, early: early)
    let afterwards = try await ClipRenderer(source, spec: options, of: part).render(
      to: OutputFile(FilePath(paths[1])), container: container)
    #expect(afterwards.madeWhileRecording == nil)
    #expect(report.shown == afterwards.shown && report.held == afterwards.held)
    #expect(report.damaged == afterwards.damaged && report.skipped == afterwards.skipped)
    #expect(report.interpolation.frames == afterwards.interpolation.frames)
    #expect(report.interpolation.framesInGaps == afterwards.interpolation.framesInGaps)
    let (one, other) = (try pictures(of: paths[0]), try pictures(of: paths[1]))
    #expect(one.count == report.outputFrames)
    #expect(one == other)
    return try #require(report.madeWhileRecording)
  }

  @Test("has the same pictures, at the same times, as one rendered afterwards")
  func steady() async throws {
    var options = try lossless()
    // Including frames that are decoded before they are shown.
    options.preset = .veryfast
    #expect(try await compare(NumberedVideo(numbers: numbers(700)), options) == 500)
  }

  @Test(
    "shows lost frames like one rendered afterwards", arguments: [Fill.hold, .skip, .blend, .flow])
  func lost(fill: Fill) async throws {
    var options = try lossless("1/12")
    options.fill = fill
    let lost: Set<Int> = [7, 100, 101, 102, 103, 399]
    let made = try await compare(
      NumberedVideo(numbers: numbers(500, without: lost)), options, steps: [250, 450])
    #expect((500...502).contains(made))
  }

  @Test("follows a curve, a part of the source, a crop, a rotation and a stamp")
  func shaped() async throws {
    var options = try lossless("0s:1/4, 1s:1/8, ease 2s:1/16")
    let part = ClipSpan(start: .milliseconds(100), end: .milliseconds(2700))
    options.stages[ClipCrop.self] = try ClipCrop(text: "24x200+4+8")
    options.stages[ClipScale.self] = try ClipScale(text: "48x100")
    options.stages[FrameStamp.self] = FrameStamp()
    let video = NumberedVideo(numbers: numbers(700))
    #expect(try await compare(video, options, of: part, turn: PictureTurn(degrees: 90)) >= 250)
  }

  @Test("shows every frame once if no speed is given")
  func once() async throws {
    #expect(try await compare(NumberedVideo(numbers: numbers(600)), lossless(nil)) == 500)
  }

  @Test("is rendered from raw frames too, in any container", arguments: ["YUYV", "GREY", "NV12"])
  func raw(fourcc: String) async throws {
    let format = try #require(PixelFormat(fourcc: fourcc))
    let codec = try #require(format.codec)
    let video = NumberedVideo(numbers: numbers(600), codec: codec)
    var options = try lossless()
    options.stages[DevelopmentOptions.self] = nil
    #expect(try await compare(video, as: format, options) == 500)
  }

  @Test("zooms like one rendered afterwards")
  func zoomed() async throws {
    var options = try lossless()
    options.stages[ClipZoom.self] = ClipZoom(try ZoomCurve(text: "0s:1, ease 2s:3"))
    #expect(try await compare(NumberedVideo(numbers: numbers(600)), options) == 500)
  }

  @Test("waits for all frames of a raw sensor whose development depends on them")
  func developed() async throws {
    let format = try #require(PixelFormat(fourcc: "GREY"))
    let video = NumberedVideo(numbers: numbers(600), codec: try #require(format.codec))
    let options = try lossless()
    #expect(options.wholeSourceNeed() == nil)
    #expect(try await compare(video, as: format, options) == 0)
  }

  @Test(
    "does not wait for a raw sensor's frames if everything they would show is given",
    arguments: [(SensorFacts(profile: "mine", black: 64.0 / 1023), nil), (nil, 16)] as [(SensorFacts?, Int?)])
  func developedAsTold(_ sensor: SensorFacts?, _ black: Int?) async throws {
    let format = try #require(PixelFormat(fourcc: "GREY"))
    let video = NumberedVideo(numbers: numbers(600), codec: try #require(format.codec))
    var options = try lossless()
    options.stages[DevelopmentOptions.self] = DevelopmentOptions(black: black)
    #expect(try await compare(video, as: format, options, sensor: sensor) == 500)
  }

  @Test("waits for a mosaic's frames only if its black level or white balance is not given")
  func needOfMosaics() throws {
    let codec = try #require(PixelFormat(fourcc: "RG10").flatMap(MasterFormat.init)?.codec)
    let mosaic = VideoTrack(codec: codec, width: 64, height: 64)
    let known = SensorFacts(black: 64.0 / 1023)
    var options = try lossless()
    #expect(options.wholeSourceNeed(of: mosaic) == .development)
    #expect(options.wholeSourceNeed(of: mosaic, sensor: known) == .development)
    options.stages[DevelopmentOptions.self] = DevelopmentOptions(
      whiteBalance: .gains(red: 2, green: 1, blue: 1.5))
    #expect(options.wholeSourceNeed(of: mosaic) == .development)
    #expect(options.wholeSourceNeed(of: mosaic, sensor: known) == nil)
    options.stages[DevelopmentOptions.self]?.black = 64
    #expect(options.wholeSourceNeed(of: mosaic) == nil)
    options.stages[Deflicker.self] = Deflicker()
    #expect(options.wholeSourceNeed(of: mosaic) == .flicker)
  }

  @Test("is rendered by codecs with a single encoder")
  func oneEncoder() async throws {
    var options = try lossless()
    options.codec = .ffv1
    options.quality = nil
    #expect(try await compare(NumberedVideo(numbers: numbers(600)), options, container: .mkv) == 500)
  }

  @Test("renders segments with damaged frames again")
  func damaged() async throws {
    let video = NumberedVideo(numbers: numbers(700), damaged: [30])
    #expect(try await compare(video, lossless()) == 250)
  }

  @Test("is rendered again if the camera did not keep its pace after all")
  func unsteady() async throws {
    // A deviation of a hundredth is usual for a camera; by the end it is larger, and all frames move apart
    // for it.
    var video = NumberedVideo(numbers: numbers(700))
    video.delay = { $0 > 500 ? Int64($0 - 500) * 210 : 0 }
    var options = try lossless()
    options.outputRate = FrameRate(whole: 30)
    #expect(try await compare(video, options) == 0)
  }

  @Test("begins once frames keep the pace that the camera agreed to")
  func neverOnPace() async throws {
    var video = NumberedVideo(numbers: numbers(600))
    video.delay = { Int64($0) * 4000 }
    #expect(try await compare(video, lossless()) == 0)
  }

  @Test("waits for all frames if their light decides")
  func deflicker() async throws {
    var options = try lossless()
    options.stages[Deflicker.self] = Deflicker()
    #expect(options.wholeSourceNeed() == .flicker)
    let recording = try Recording(NumberedVideo(numbers: numbers(300)), .mjpeg, in: folder.url.path)
    let early = EarlyClip(
      of: recording.growing, spec: options, turn: nil, keptIn: FilePath(folder.url.path), on: nil)
    try recording.capture(upTo: 300)
    #expect(await early.makeAvailable() == false)
    try recording.finish()
    let plan = try ClipPlan(recording.source, options, of: .whole, in: .mp4)
    #expect(early.segments(of: plan).isEmpty)
  }

  @Test("frees its disk space when dropped, and is rendered again")
  func dropped() async throws {
    let recording = try Recording(NumberedVideo(numbers: numbers(600)), .mjpeg, in: folder.url.path)
    let early = EarlyClip(
      of: recording.growing, spec: try lossless(), turn: nil, keptIn: FilePath(folder.url.path), on: nil)
    try recording.capture(upTo: 560)
    #expect(await early.makeAvailable())
    early.drop()
    #expect(await early.makeAvailable() == false)
    try recording.capture(upTo: 600)
    try recording.finish()
    let report = try await ClipRenderer(recording.source, spec: lossless()).render(
      to: OutputFile(FilePath(folder.path("clip.mp4"))), early: early)
    #expect(report.madeWhileRecording == 0)
    #expect(report.outputFrames == 600)
    #expect(try folder.names == ["clip.mp4", "film.master.mov"])
  }

  @Test("ends with its master, which may have no frame")
  func noFrame() async throws {
    let growing = GrowingMaster()
    let early = EarlyClip(
      of: growing, spec: try lossless(), turn: nil, keptIn: FilePath(folder.url.path), on: nil)
    #expect(await early.makeAvailable())
    _ = try MasterWriter(
      to: FilePath(folder.path("film.master.mov")), as: try #require(MasterFormat(.mjpeg)),
      of: FrameFormat(.mjpeg, width: 16, height: 16), replacing: false, growing: growing)
    #expect(await early.makeAvailable() == false)
    #expect(try folder.names.isEmpty)
  }

  @Test("is cut into segments that no later frame changes")
  func segments() throws {
    let video = NumberedVideo(numbers: numbers(600))
    func timeline(_ count: Int) -> Timeline {
      Timeline(
        Array(video.timing.prefix(count)), nominalInterval: Fraction(1, 240),
        speed: Speed(Fraction(1, 8)).map { SpeedCurve($0) }, outputRate: FrameRate(whole: 30))
    }
    #expect(timeline(252).segment(from: 0, length: 250) == nil)
    #expect(timeline(253).segment(from: 0, length: 250) == 0..<250)
    #expect(timeline(600).segment(from: 250, length: 250) == 250..<500)
    #expect(timeline(600).segment(from: 500, length: 250) == nil)
    #expect(timeline(600).segment(from: 600, length: 250) == nil)
    // The rest is divided as evenly as a whole clip is.
    #expect(
      timeline(600).segments(of: 250..<600, encoderCount: 2, keyframeInterval: 250) == [250..<425, 425..<600])
    #expect(
      timeline(600).segments(of: 500..<600, encoderCount: 2, keyframeInterval: 250) == [500..<600])
  }
}
