import FrameJudge
import Media
import Platform
import SystemPackage
import Testing
import Timebase

@testable import Retime

/// Clips that are long enough for several encoders.
@Suite(.tags(.program), .timeLimit(.minutes(1))) struct ClipSegmentTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The path of `video`.
  func write(_ video: NumberedVideo) throws -> FilePath {
    let path = folder.path("master.\(Container.forMaster(video.codec).fileExtension)")
    try video.write(to: path)
    return FilePath(path)
  }

  func render(
    _ video: NumberedVideo, speed: Int64 = 8, fill: Fill = .hold
  ) async throws -> (path: String, report: ClipReport) {
    let path = folder.path("clip.mp4")
    var options = RenderSpec(speed: Speed(Fraction(1, speed)).map { SpeedCurve($0) }, preset: .veryfast)
    options.fill = fill
    let source = ClipSource(try write(video), timing: video.timing, nominalInterval: Fraction(1, 240))
    let report = try await ClipRenderer(source, spec: options).render(to: OutputFile(FilePath(path)))
    return (path, report)
  }

  func timeline(_ frameCount: Int, speed: Int64) -> Timeline {
    Timeline(
      NumberedVideo(numbers: (0..<UInt32(frameCount)).map { $0 }).timing, nominalInterval: Fraction(1, 240),
      speed: Speed(Fraction(1, speed)).map { SpeedCurve($0) }, outputRate: FrameRate(whole: 30))
  }

  @Test func segmentsAreEvenAndWholeInNumber() {
    #expect(timeline(250, speed: 8).segments(encoderCount: 2, keyframeInterval: 250) == [0..<250])
    #expect(timeline(251, speed: 8).segments(encoderCount: 2, keyframeInterval: 250) == [0..<125, 125..<251])
    #expect(timeline(960, speed: 8).segments(encoderCount: 1, keyframeInterval: 250) == [0..<960])
    #expect(
      timeline(960, speed: 8).segments(encoderCount: 2, keyframeInterval: 250)
        == [0..<240, 240..<480, 480..<720, 720..<960])
    // Frames that are held for long begin a segment only once.
    #expect(
      timeline(3, speed: 3000).segments(encoderCount: 2, keyframeInterval: 250) == [0..<1, 1..<2, 2..<3])
  }

  @Test func lostAndDamagedFramesAreInterpolated() async throws {
    let numbers = (0..<600).filter { ![3, 149, 150, 151, 452].contains($0) }.map { UInt32($0) }
    let video = NumberedVideo(numbers: numbers, damaged: [300])
    let (path, report) = try await render(video, fill: .flow)
    #expect(report.shown == 594 && report.damaged == 1)
    let made = report.interpolation
    #expect(made.frames == made.framesInGaps && made.frames + made.breaks == 6 && report.held == made.breaks)
    // All others are as they were captured.
    let lost: Set<Int> = [3, 149, 150, 151, 452, Int(numbers[300])]
    let shown = try StripVideo(path).numbers
    #expect(shown.count == 600)
    #expect(shown.indices.allSatisfy { lost.contains($0) || shown[$0] == UInt32($0) })
  }

  @Test(arguments: [VideoCodec.mjpeg, .raw(.yuyv422)]) func framesAreShownInOrderAtExactTimes(
    codec: VideoCodec
  ) async throws {
    let numbers = (0..<600).filter { ![3, 149, 150, 151, 452].contains($0) }.map { UInt32($0) }
    let (path, report) = try await render(NumberedVideo(numbers: numbers, codec: codec))
    var shown = (0..<600).map { UInt32($0) }
    (shown[3], shown[149], shown[150], shown[151], shown[452]) = (2, 148, 148, 148, 451)
    #expect(try StripVideo(path).numbers == shown)
    #expect(report.shown == 595 && report.held == 5 && report.damaged == 0)
    let packets = try Probe(path).packets
    #expect(packets.compactMap(\.pts).sorted() == (0..<600).map { $0 * 1000 })
    let decoded = packets.compactMap(\.dts)
    #expect(decoded.count == 600 && zip(decoded, decoded.dropFirst()).allSatisfy { $1 - $0 == 1000 })
    #expect(zip(packets.compactMap(\.pts), decoded).allSatisfy { $0 >= $1 })
    let keyframes = packets.filter { $0.flags.hasPrefix("K") }.compactMap(\.pts)
    // Where the second would begin, frame 148 is held.
    #expect(keyframes == [0, 148_000, 300_000, 450_000])
  }

  @Test func damageWhereSegmentsMeetIsHeld() async throws {
    let damaged = Set([0, 1, 149, 150, 151, 152, 300] + Array(440...460) + Array(590..<600))
    let (path, report) = try await render(NumberedVideo(numbers: (0..<600).map { $0 }, damaged: damaged))
    var last: UInt32 = 2
    let shown = (0..<600).map { number in
      if !damaged.contains(number), number > 1 { last = UInt32(number) }
      return last
    }
    #expect(try StripVideo(path).numbers == shown)
    #expect(report.damaged == damaged.count)
  }

  @Test func segmentWithoutAWholeFrameShowsTheOneBefore() async throws {
    let (path, report) = try await render(
      NumberedVideo(numbers: (0..<600).map { $0 }, damaged: Set(0..<170).union(Set(295..<600))))
    let shown = (0..<600).map { UInt32(min(max($0, 170), 294)) }
    #expect(try StripVideo(path).numbers == shown)
    #expect(report.shown == 125)
  }

  @Test func framesFadeAcrossSegments() async throws {
    let (path, report) = try await render(
      NumberedVideo(numbers: (0..<300).map { $0 }), speed: 16, fill: .blend)
    let numbers = try StripVideo(path).numbers
    #expect(numbers.count == 600 && report.interpolation.frames == 299)
    let whole = stride(from: 0, to: 600, by: 2).map { numbers[$0] }
    #expect(whole == (0..<300).map { UInt32($0) })
  }

  @Test func progressCountsAllSegments() async throws {
    let source = ClipSource(try write(NumberedVideo(numbers: (0..<600).map { $0 })))
    let seen = Collected<ClipProgress>()
    _ = try await ClipRenderer(source, spec: RenderSpec(preset: .ultrafast)).render(
      to: OutputFile(FilePath(folder.path("clip.mp4")))
    ) { seen.append($0) }
    #expect(seen.all.map(\.done) == Array(1...600))
  }
}
