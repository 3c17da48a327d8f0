import FrameJudge
import Foundation
import Media
import Platform
import SystemPackage
import Testing
import Timebase

@testable import Retime

/// The four letters by which players recognise a copy's codec.
@Suite("Codec tags of copies", .tags(.program), .timeLimit(.minutes(1))) struct CopiedTagTests {
  /// A source's codec, and its copy's tag.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var arguments: [String]
    var source: String
    var copy: String
    var tag: String
  }

  static let hevc = ["-c:v", "libx265", "-x265-params", "log-level=none", "-pix_fmt", "yuv420p", "-tag:v"]
  static let h264 = ["-c:v", "libx264", "-pix_fmt", "yuv420p"]
  static let proRes = ["-c:v", "prores_ks", "-profile:v"]

  static let cases: [Case] =
    [("0", "apco"), ("1", "apcs"), ("2", "apcn"), ("3", "apch"), ("4", "ap4h"), ("5", "ap4x")].flatMap {
      profile, tag in
      ["a.mov", "a.mkv"].map {
        Case(
          testDescription: "\(tag) to \($0)", arguments: proRes + [profile], source: "a.mov", copy: $0,
          tag: tag)
      }
    } + [
      Case(testDescription: "hvc1", arguments: hevc + ["hvc1"], source: "a.mp4", copy: "b.mp4", tag: "hvc1"),
      Case(testDescription: "hev1", arguments: hevc + ["hev1"], source: "a.mp4", copy: "b.mov", tag: "hev1"),
      Case(
        testDescription: "HEVC of a transport stream", arguments: Array(hevc.dropLast()), source: "a.ts",
        copy: "b.mp4", tag: "hvc1"),
      Case(
        testDescription: "HEVC of Matroska", arguments: Array(hevc.dropLast()), source: "a.mkv",
        copy: "b.mov",
        tag: "hvc1"),
      Case(testDescription: "avc1", arguments: h264, source: "a.mp4", copy: "b.mp4", tag: "avc1"),
      Case(
        testDescription: "avc3", arguments: h264 + ["-tag:v", "avc3"], source: "a.mp4", copy: "b.mp4",
        tag: "avc3"),
      Case(
        testDescription: "H.264 of a transport stream", arguments: h264, source: "a.ts", copy: "b.mp4",
        tag: "avc1"),
      Case(
        testDescription: "Motion JPEG of AVI", arguments: ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p"],
        source: "a.avi", copy: "b.mov", tag: "jpeg"),
    ]

  @Test("are the source's, or those that players know", arguments: cases)
  func tag(_ sample: Case) async throws {
    let folder = try TemporaryFolder()
    let (source, copy) = (folder.path("source-\(sample.source)"), folder.path(sample.copy))
    try Program.run(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=0.5"] + sample.arguments + [source])
    let container = try #require(Container(fileExtension: FilePath(copy).extension ?? ""))
    let speed = SpeedCurve(try #require(Speed(Fraction(1, 4))))
    _ = try await CopyRetimer(FilePath(source), speed: speed).copy(
      to: OutputFile(FilePath(copy)), container: container)
    #expect(try Probe(copy).streams.first?.codec_tag_string == sample.tag)
    #expect(try FrameHashes(copy).hashes == FrameHashes(source).hashes)
  }
}
