import FrameJudge
import Foundation
import Media
import Platform
import SystemPackage
import Testing
import Timebase

@testable import Retime

/// Recordings that were joined in one file, so its times start again.
@Suite("Sources whose times start again", .tags(.program), .timeLimit(.minutes(1))) struct JoinedSourceTests {
  /// The options for coding the parts.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var arguments: [String]
    /// The delay of the second part's times, in seconds.
    var delay = "0"
    var copiesTo: Container? = .mkv
  }

  static let h264 = ["-c:v", "libx264", "-bf", "2", "-g", "6", "-pix_fmt", "yuv420p"]
  static let mpeg2 = ["-c:v", "mpeg2video", "-q:v", "2", "-bf", "2", "-g", "6"]
  static let mp2 = ["-c:a", "mp2", "-shortest"]

  static let cases = [
    Case(testDescription: "ts", arguments: h264 + mp2),
    Case(testDescription: "ts, the second an hour later", arguments: h264 + ["-an"], delay: "3600"),
    Case(testDescription: "ts, the second an hour earlier", arguments: h264 + mp2, delay: "-3600"),
    Case(testDescription: "mpg", arguments: mpeg2 + ["-an"], copiesTo: nil),
    Case(testDescription: "vob", arguments: mpeg2 + ["-c:a", "ac3"], copiesTo: nil),
    Case(
      testDescription: "ogv", arguments: ["-c:v", "libtheora", "-pix_fmt", "yuv420p", "-q:v", "9", "-an"]),
  ]

  @Test("are shown to their end, one part after the other", arguments: cases)
  func parts(_ sample: Case) async throws {
    let folder = try TemporaryFolder()
    let ending = String(sample.testDescription.prefix { $0 != "," })
    var (whole, hashes): (Data, [String]) = (Data(), [])
    for (number, pattern) in ["testsrc2", "smptehdbars", "testsrc"].enumerated() {
      let part = folder.path("\(number).\(ending)")
      let offset = sample.delay.hasPrefix("-") == (number == 0) ? sample.delay.drop { $0 == "-" } : "0"
      try Program.run(
        "ffmpeg",
        [
          "-v", "error", "-f", "lavfi", "-i", "\(pattern)=s=64x48:r=25:d=0.8,noise=alls=20:allf=t", "-f",
          "lavfi", "-i",
          "sine=d=0.8",
        ] + sample.arguments + ["-output_ts_offset", String(offset)]
          + (ending == "ogv" ? ["-serial_offset", "\(100 * number)"] : []) + [part])
      whole += try Data(contentsOf: URL(filePath: part))
      hashes += try FrameHashes(part).hashes
    }
    let source = folder.path("whole.\(ending)")
    try whole.write(to: URL(filePath: source))

    let clip = folder.path("clip.mkv")
    let report = try await ClipRenderer(ClipSource(FilePath(source)), spec: RenderSpec(codec: .ffv1))
      .render(
        to: OutputFile(FilePath(clip)), container: .mkv)
    #expect(report.restartCount == 2)
    #expect(report.cutOff == nil)
    #expect(report.outputFrames == hashes.count)
    #expect(try FrameHashes(clip).hashes == hashes)

    #expect(report.sizeCount == 1)

    guard let container = sample.copiesTo else { return }
    let copy = folder.path("copy.\(container.fileExtension)")
    let half = SpeedCurve(try #require(Speed(Fraction(1, 2))))
    let copied = try await CopyRetimer(FilePath(source), speed: half).copy(
      to: OutputFile(FilePath(copy)), container: container)
    #expect(copied.restartCount == 2)
    let shown = try FrameHashes(copy)
    #expect(shown.hashes == hashes)
    for (number, time) in shown.times.enumerated() {
      #expect(abs(time - Double(number) * 0.08) < 0.002, "frame \(number)")
    }
  }

  @Test("are scaled to the size of the first, and the report says so")
  func sizes() async throws {
    let folder = try TemporaryFolder()
    var whole = Data()
    for size in ["64x48", "128x96"] {
      let part = folder.path("\(size).ts")
      try Program.ffmpeg("-f", "lavfi", "-i", "testsrc2=s=\(size):r=25:d=0.4", "-c:v", "libx264", part)
      whole += try Data(contentsOf: URL(filePath: part))
    }
    let (source, clip) = (folder.path("whole.ts"), folder.path("clip.mkv"))
    try whole.write(to: URL(filePath: source))
    let report = try await ClipRenderer(ClipSource(FilePath(source)), spec: RenderSpec(codec: .ffv1))
      .render(to: OutputFile(FilePath(clip)), container: .mkv)
    #expect(report.sizeCount == 2 && report.restartCount == 1 && report.damaged == 0)
    #expect(try FrameHashes(clip).hashes.count == 20)
    let track = try Demuxer(FilePath(clip)).track
    #expect(track.width == 64 && track.height == 48)
  }
}
