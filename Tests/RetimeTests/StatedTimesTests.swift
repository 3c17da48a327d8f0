import FrameJudge
import Media
import Platform
import SystemPackage
import Testing
import Timebase

@testable import Retime

@Suite("Stated times of frames") struct StatedTimesTests {
  private func frames(_ times: [Int64]) -> [FrameTime] {
    times.map { FrameTime(timestamp: $0, duration: 1) }
  }

  private func areContradictory(_ times: [Int64], decodeTimes: [Int64] = [], delay: Int = 0) -> Bool {
    StatedTimes.areContradictory(frames(times), decodeTimes: decodeTimes, delay: delay)
  }

  @Test("can be true if frames are reordered as codecs do, or a few are wrong")
  func plausible() {
    let reordered = (0..<20).flatMap { group in [3, 1, 2].map { Int64(3 * group + $0) } }
    #expect(!areContradictory(reordered, decodeTimes: Array(0..<60), delay: 1))
    var late = Array(Int64(0)..<100)
    late[3] = 5000
    late[50] = 49
    #expect(!areContradictory(late))
    #expect(!areContradictory(Array(0..<100), decodeTimes: Array(0..<100)))
    #expect(!areContradictory([0, 0]))
    // A quarter of the frames is a few.
    #expect(!areContradictory([0, 0, 1, 2, 3, 4, 5, 5]))
    #expect(areContradictory([0, 0, 1, 2, 3, 4, 4, 4]))
  }

  @Test("contradict one another if they are decode times, equal, or run backwards")
  func contradictory() {
    let times = Array(Int64(0)..<100)
    #expect(areContradictory(times, decodeTimes: times, delay: 2))
    #expect(areContradictory([Int64](repeating: 7, count: 5)))
    #expect(areContradictory(times.reversed(), decodeTimes: times))
  }

  @Test("are not all used if one is far from its decode time and from its neighbours")
  func far() {
    let times = Array(Int64(0)..<100)
    func includeFarTime(_ index: Int, _ time: Int64, decodeTimes: [Int64]? = nil) -> Bool {
      var wrong = times
      wrong[index] = time
      return StatedTimes.includeFarTime(frames(wrong), decodeTimes: decodeTimes ?? times, far: 1000)
    }
    #expect(includeFarTime(40, 5000))
    #expect(includeFarTime(40, -5000))
    #expect(includeFarTime(0, .max))
    #expect(includeFarTime(99, .min))
    #expect(!includeFarTime(40, 99))
    #expect(!includeFarTime(40, 5000, decodeTimes: []))
    // The last frame may follow a long time later.
    #expect(!includeFarTime(99, 5000))
  }

  @Test("hide the order of frames if they ascend although the decoder reorders them")
  func hidden() {
    #expect(StatedTimes.hideReordering(frames([0, 34, 67]), delay: 2))
    #expect(!StatedTimes.hideReordering(frames([0, 67, 34]), delay: 2))
    #expect(!StatedTimes.hideReordering(frames([0, 34, 67]), delay: 0))
  }

  @Test("are replaced with decode times, or else with a steady rate")
  func replaced() {
    func times(_ decodeTimes: [Int64], step: Fraction) -> [Int64] {
      StatedTimes.replaced(frames([4, 3, 2]), decodeTimes: decodeTimes, step: step).map(\.timestamp)
    }
    #expect(times([5, 6, 9], step: Fraction(2)) == [5, 6, 9])
    #expect(times([5, 5, 9], step: Fraction(2)) == [5, 7, 9])
    #expect(times([5, 6, 7], step: Fraction(90)) == [5, 95, 185])
    #expect(times([0, 42, 43], step: Fraction(42)) == [0, 42, 84])
    #expect(times([], step: Fraction(125, 3)) == [4, 46, 87])
    #expect(times([], step: Fraction(0)) == [4, 5, 6])
  }
}

@Suite("Sources whose times are all wrong", .tags(.program), .timeLimit(.minutes(1)))
struct WronglyTimedSourceTests {
  @Test(
    "show all their frames, in the order in which they decode",
    arguments: [
      ("pts=DTS", "ts"), ("pts=0:dts=0", "mkv"), ("pts=0:dts=0", "ts"), ("pts=900000-PTS:dts=DTS", "mkv"),
      ("pts=900000-PTS:dts=DTS", "ts"), ("pts=PTS+9000000*eq(N\\,10):dts=DTS", "ts"),
    ])
  func all(_ times: String, _ ending: String) async throws {
    let folder = try TemporaryFolder()
    let (good, source) = try Self.sources(folder, times, ending)
    let clip = folder.path("clip.mkv")
    let report = try await ClipRenderer(ClipSource(FilePath(source)), spec: RenderSpec(codec: .ffv1))
      .render(to: OutputFile(FilePath(clip)), container: .mkv)
    #expect(report.hasContradictoryTimes)
    #expect(report.outputFrames == 40 && report.held == 0 && report.skipped == 0)
    #expect(try FrameHashes(clip).hashes == FrameHashes(good).hashes)
    #expect(report.duration == Fraction(40, 30))
  }

  @Test(
    "show all frames if the stated times are decode times, in files that have no others",
    arguments: ["mkv", "nut"])
  func decodeTimes(_ ending: String) async throws {
    let folder = try TemporaryFolder()
    let (good, source) = try Self.sources(folder, "pts=DTS", ending)
    let clip = folder.path("clip.mkv")
    let report = try await ClipRenderer(ClipSource(FilePath(source)), spec: RenderSpec(codec: .ffv1))
      .render(to: OutputFile(FilePath(clip)), container: .mkv)
    #expect(!report.hasContradictoryTimes)
    #expect(report.held == 0 && report.skipped == 0)
    #expect(try FrameHashes(clip).hashes == FrameHashes(good).hashes)
  }

  @Test("are not copied if one is far from all others")
  func copies() async throws {
    let folder = try TemporaryFolder()
    let (_, source) = try Self.sources(folder, "pts=PTS+9000000*eq(N\\,10):dts=DTS", "ts")
    let clip = FilePath(folder.path("clip.mp4"))
    await #expect {
      try await CopyRetimer(FilePath(source), speed: SpeedCurve(.normal))
        .copy(to: OutputFile(clip), container: .mp4)
    } throws: {
      ($0 as? OvercrankError)?.remedy == .encode
    }
  }

  @Test("are reported if one makes a gap that may also be a pause, unless that is not shown")
  func gap() async throws {
    let folder = try TemporaryFolder()
    let (_, source) = try Self.sources(
      folder, "pts=PTS+12800*90*gte(N\\,20):dts=DTS+12800*90*gte(N\\,20)", "mp4")
    for (part, isShown) in [(ClipSpan.whole, true), (ClipSpan(end: .milliseconds(500)), false)] {
      let clip = folder.path(isShown ? "all.mkv" : "part.mkv")
      let report = try await ClipRenderer(
        ClipSource(FilePath(source)), spec: RenderSpec(codec: .ffv1), of: part
      )
      .render(to: OutputFile(FilePath(clip)), container: .mkv)
      #expect(report.gap?.start == (isShown ? Fraction(19, 25) : nil))
      #expect(report.gap?.length == (isShown ? Fraction(90) + Fraction(1, 25) : nil))
    }
  }

  @Test("have a gap if it is ten seconds long and a hundred times as long as usual")
  func shortest() {
    let times = (0..<20).map { Int64($0) * 40_000_000 }
    for (length, isGap) in [(9_900, false), (10_100, true)] as [(Int64, Bool)] {
      let frames = (times + [times[19] + length * 1_000_000]).map {
        FrameTiming(timestamp: Instant(nanoseconds: $0))
      }
      #expect((SourceGap(in: frames, of: .whole) != nil) == isGap)
    }
  }

  @Test("of a time-lapse have no gap", arguments: [100, 100_000])
  func timeLapse(_ seconds: Int64) {
    var frames = (0..<20).map { FrameTiming(timestamp: Instant(nanoseconds: $0 * seconds * 1_000_000_000)) }
    #expect(SourceGap(in: frames, of: .whole) == nil)
    frames.append(FrameTiming(timestamp: Instant(nanoseconds: .max)))
    #expect(SourceGap(in: frames, of: .whole)?.start == Fraction(19 * seconds))
    #expect(SourceGap(in: [], of: .whole) == nil)
  }

  /// Makes a source with B-frames, and a copy of it whose times the expression `times` replaces.
  private static func sources(
    _ folder: TemporaryFolder, _ times: String, _ ending: String
  ) throws -> (good: String, wrong: String) {
    let good = folder.path("good.mp4")
    try Program.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1.6", "-c:v", "libx264", "-bf", "3",
        "-g", "20", "-pix_fmt", "yuv420p", good,
      ])
    let wrong = folder.path("wrong.\(ending)")
    try Program.run("ffmpeg", ["-v", "error", "-i", good, "-c", "copy", "-bsf:v", "setts=\(times)", wrong])
    return (good, wrong)
  }
}
