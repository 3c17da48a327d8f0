import FrameJudge
import Foundation
import Media
import Platform
import SystemPackage
import Testing
import Timebase

@testable import Retime

@Suite("The frames of a master's packets", .tags(.program), .timeLimit(.minutes(1))) struct PacketPlacesTests
{
  private func places(
    _ nanoseconds: [Int64], _ ticks: [Int64?], of timeBase: Fraction = Fraction(1, 1_000_000)
  ) -> [Int] {
    let places = PacketPlaces(
      nanoseconds.map { FrameTiming(timestamp: Instant(nanoseconds: $0)) }, timeBase)
    var next = 0
    return ticks.map { tick in
      defer { next += 1 }
      next = places.place(ofPacketAt: tick, from: next)
      return next
    }
  }

  @Test("are those of their times, where some are missing")
  func missing() {
    let times = (0..<8).map { 5_000_000_000 + Int64($0) * 4_166_667 }
    let ticks = times.map { ($0 - times[0]) / 1000 }
    #expect(places(times, ticks) == Array(0..<8))
    #expect(places(times, [0, 1, 4, 5, 7].map { ticks[$0] }) == [0, 1, 4, 5, 7])
    #expect(places(times, [ticks[2], ticks[3]]) == [2, 3])
    // Of milliseconds.
    #expect(places(times, [0, 4, 17, 21], of: Fraction(1, 1000)) == [0, 1, 4, 5])
    // A time beyond the last frame's is damaged, and none tells nothing.
    #expect(places(times, [0, .max, nil, ticks[3]]) == [0, 1, 2, 3])
    #expect(places(times, [0, .min, ticks[1]]) == [0, 1, 2])
    #expect(places([], [0, 5]) == [0, 1])
    #expect(places([.min, .max], [0, 1, .max]) == [0, 1, 2])
  }

  @Test("are those of their order, where the camera's times are equal or go back")
  func equal() {
    let times: [Int64] = [0, 0, 0, 33_000_000, 33_000_000, 20_000_000, 66_000_000]
    let ticks: [Int64] = [0, 1, 2, 33_000, 33_001, 33_002, 66_000]
    #expect(places(times, ticks) == Array(0..<7))
    #expect(places(times, ticks.map { ($0 + 500) / 1000 }, of: Fraction(1, 1000)) == Array(0..<7))
  }

  /// Writes a master without half of frame 8 and the next two frames with their heads. Frames of this size have a
  /// syncpoint each.
  private func writeDamaged(_ video: NumberedVideo, to path: FilePath) throws {
    try video.write(to: path.string, comment: Demuxer.masterComment)
    var bytes = try Data(contentsOf: URL(filePath: path.string))
    let place = try #require(bytes.firstRange(of: Data(try video.coded(8)))).lowerBound
    let size = video.width * video.height
    bytes.replaceSubrange(place + size / 2..<place + 3 * size, with: Data(count: 5 * size / 2))
    try bytes.write(to: URL(filePath: path.string))
  }

  @Test(
    "keep their times in a clip of a damaged master, whose missing frames are reported, and a copy of it is refused"
  )
  func damaged() async throws {
    let folder = try TemporaryFolder()
    let path = FilePath(folder.path("x.master.nut"))
    let video = NumberedVideo(numbers: Array(0..<20), codec: .raw(.gray), height: 160)
    try writeDamaged(video, to: path)

    let clip = folder.path("clip.mkv")
    let source = ClipSource(path, timing: video.timing, nominalInterval: Fraction(1, 240))
    let report = try await ClipRenderer(
      source, spec: RenderSpec(outputRate: FrameRate(whole: 30), codec: .ffv1)
    )
    .render(to: OutputFile(FilePath(clip)), container: .mkv)
    let due: [UInt32?] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, 11, 12, 13, 14, 15, 16, 17, 18, 19]
    #expect(try StripVideo(clip).numbers == due)
    #expect(report.damaged == 2 && report.damagedFrames == [9, 10])

    // Without a take, the rest is shown.
    let eighth = SpeedCurve(try #require(Speed(Fraction(1, 8))))
    let rest = try await ClipRenderer(
      ClipSource(path),
      spec: RenderSpec(speed: eighth, outputRate: FrameRate(whole: 30), codec: .ffv1)
    ).render(to: OutputFile(FilePath(clip), replacing: true), container: .mkv)
    #expect(rest.cutOff?.code == .badData)
    #expect(rest.cutOff?.description.contains("and its frames there are missing") == true)
    #expect(try Array(StripVideo(clip).numbers.prefix(20)) == due)
    let half = SpeedCurve(try #require(Speed(Fraction(1, 2))))
    let error = await #expect(throws: OvercrankError.self) {
      try await CopyRetimer(path, speed: half)
        .copy(to: OutputFile(FilePath(folder.path("copy.nut"))), container: .nut)
    }
    #expect(error?.description.contains("is damaged at byte") == true)
    #expect(try folder.names == ["clip.mkv", "x.master.nut"])
  }

  @Test("are all those that the take lists, or a copy is refused")
  func listed() async throws {
    let folder = try TemporaryFolder()
    let path = FilePath(folder.path("x.nut"))
    try NumberedVideo(numbers: [1, 2, 3], codec: .raw(.gray)).write(to: path.string)
    for (count, isCopied) in [(3, true), (4, false)] {
      let copy = FilePath(folder.path("\(count).nut"))
      let retimer = CopyRetimer(path, speed: SpeedCurve(.normal), listedFrames: count)
      do throws(OvercrankError) {
        _ = try await retimer.copy(to: OutputFile(copy), container: .nut)
      } catch {
        #expect(error.description.contains("holds 3 frames, but its take lists 4"))
      }
      #expect(FileManager.default.fileExists(atPath: copy.string) == isCopied)
    }
  }
}
