import CameraModel
import FrameJudge
import Foundation
import Media
import Simulator
import SystemPackage
import Takes
import Testing

/// Recordings of a camera's own stream in each of V4L2's formats of dependent frames. The camera sends an encoder's
/// frames, again and again: 60 with a key frame at every 15th.
@Suite("A recording of a camera's compressed stream", .tags(.program), .timeLimit(.minutes(1)))
struct StreamFormatRecordingTests {
  /// A format, with the options of its encoder and the kind of the file that the frames come from.
  struct Coding: CustomTestStringConvertible {
    let fourcc: String
    let container: String
    let options: [String]
    var testDescription: String { fourcc }

    init(_ fourcc: String, _ encoder: String, in container: String = "nut", _ options: String...) {
      self.fourcc = fourcc
      self.container = container
      self.options = ["-c:v", encoder] + options
    }
  }

  private static let x264 = "repeat-headers=1:bframes=0:scenecut=0:keyint=15:min-keyint=15"
  private static let x265 =
    "log-level=0:repeat-headers=1:bframes=0:scenecut=0:keyint=15:min-keyint=15:open-gop=0"
  static let codings = [
    Coding("H264", "libx264", "-preset", "ultrafast", "-x264-params", x264),
    // MP4 has lengths in place of start codes.
    Coding("AVC1", "libx264", in: "mp4", "-preset", "ultrafast", "-x264-params", x264),
    Coding("M264", "libx264", "-preset", "ultrafast", "-x264-params", x264),
    Coding("HEVC", "libx265", "-preset", "ultrafast", "-x265-params", x265),
    Coding("MPG1", "mpeg1video", "-q:v", "4", "-bf", "0"),
    Coding("MPG2", "mpeg2video", "-q:v", "4", "-bf", "0"),
    Coding("MPG4", "mpeg4", in: "avi", "-q:v", "4", "-bf", "0"),
    Coding("XVID", "mpeg4", in: "avi", "-q:v", "4", "-bf", "0"),
    Coding("H263", "h263", "-q:v", "4"),
    vpx("VP80", "libvpx"), vpx("VP90", "libvpx-vp9"),
  ]

  private static func vpx(_ fourcc: String, _ encoder: String) -> Coding {
    Coding(
      fourcc, encoder, in: "webm", "-b:v", "4M", "-deadline", "realtime", "-cpu-used", "8", "-auto-alt-ref",
      "0",
      "-lag-in-frames", "0", "-keyint_min", "15")
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Encodes the simulated camera's first 60 frames; returns each frame's bytes.
  private func frames(_ coding: Coding, to file: String) throws -> [[UInt8]] {
    var picture = try SimulatedPicture(format: .yuv420, width: 352, height: 288)
    var pixels = Data()
    for number in 0..<60 {
      picture.compose(frame: UInt32(number)) { $0.withUnsafeBufferPointer { pixels.append($0) } }
    }
    let raw = folder.path("x.yuv")
    try pixels.write(to: URL(filePath: raw))
    try Program.run(
      "ffmpeg",
      ["-v", "error", "-nostdin", "-f", "rawvideo", "-s", "352x288", "-r", "60", "-i", raw, "-g", "15"]
        + coding.options + [file])
    var video = try Demuxer(FilePath(file))
    var frames: [[UInt8]] = []
    while let packet = try video.nextPacket() { frames.append(packet.withBytes { Array($0) }) }
    return frames
  }

  @Test("has a case for each format of the table")
  func isComplete() {
    #expect(Self.codings.map(\.fourcc).sorted() == StreamFormat.all.map(\.fourcc).sorted())
  }

  @Test(
    "begins with a key frame, holds the frames as they came, and tells what a loss damages",
    arguments: codings)
  func recording(_ coding: Coding) throws {
    let file = folder.path("source.\(coding.container)")
    let frames = try frames(coding, to: file)
    try #require(frames.count == 60)
    let table = folder.path("camera.json")
    let mode = #"{"fourcc": "\#(coding.fourcc)", "width": 352, "height": 288, "intervals": [[1, 120]]}"#
    try #"{"card": "Encoder", "modes": [\#(mode)]}"#.write(toFile: table, atomically: true, encoding: .utf8)
    let run = try OvercrankProgram(
      "record", "sim:\(table),clock=virtual,stream=\(file),drop=70-71+90", "--format",
      coding.fourcc.lowercased(),
      "--fps", "120", "--pre", "200ms", "--post", "400ms", "--trigger", "time=500ms", "--speed", "1/4",
      "--preset",
      "ultrafast", "--no-thumbnail", "-o", folder.path("x.mp4"))
    #expect(run.status == 0, "\(run.errors)")

    let take = try folder.take()
    checkTruth(take)
    #expect(take.mode.fourcc == coding.fourcc && take.sequences.first == 45)
    #expect(
      take.losses == [
        Loss(sequence: 70, count: 2, stage: .driver), Loss(sequence: 90, count: 1, stage: .driver),
      ])
    // Up to the key frame 75, and after the lost key frame 90 up to 105.
    #expect(take.interframe?.atRisk == 17)
    let skipped = try #require(take.interframe?.skipped)
    #expect((1..<15).contains(skipped))

    var master = try Demuxer(FilePath(folder.path("x.master.nut")))
    for sequence in take.sequences {
      let packet = try #require(try master.nextPacket())
      let isSame = packet.withBytes { $0.elementsEqual(frames[Int(sequence) % 60]) }
      #expect(isSame && packet.isKeyframe == (sequence % 15 == 0), "frame \(sequence)")
    }
    #expect(try master.nextPacket() == nil)

    let whole: [UInt32?] = Array(45..<60) + Array(0..<10)
    #expect(try StripVideo(folder.path("x.mp4")).numbers.prefix(whole.count) == whole[...])
    guard coding.fourcc == "AVC1" else { return }
    // Players read the parameter sets of an MP4 from its header.
    let copy = try OvercrankProgram(
      "retime", folder.path("x.master.nut"), "--copy", "--speed", "1/4", "-o", folder.path("copy.mp4"))
    #expect(copy.status == 0, "\(copy.errors)")
    let bytes = try Data(contentsOf: URL(filePath: folder.path("copy.mp4")))
    let header = try #require(bytes.firstRange(of: Data("avcC".utf8)))
    #expect(bytes[header.upperBound + 5] == 0xe1)
    #expect(try StripVideo(folder.path("copy.mp4")).numbers.prefix(whole.count) == whole[...])
  }

  @Test("is refused with the reason if the file has other frames")
  func otherFrames() throws {
    let file = folder.path("source.nut")
    _ = try frames(Coding("MPG2", "mpeg2video", "-bf", "0"), to: file)
    let table = folder.path("camera.json")
    let modes = ["VP80", "AVC1"].map {
      #"{"fourcc": "\#($0)", "width": 352, "height": 288, "intervals": [[1, 120]]}"#
    }
    try #"{"card": "Encoder", "modes": [\#(modes.joined(separator: ","))]}"#
      .write(toFile: table, atomically: true, encoding: .utf8)
    func refusal(_ faults: String) throws -> OvercrankProgram {
      try OvercrankProgram(
        "record", "sim:\(table),clock=virtual\(faults)", "--format", "vp80", "--frames", "5", "-o",
        folder.path("x.mp4"))
    }
    let other = try refusal(",stream=\(file)")
    #expect(other.status == 65 && other.errors.contains("its codec is mpeg2video"), "\(other.errors)")
    let none = try refusal("")
    #expect(none.status == 69 && none.errors.contains("stream=FILE"), "\(none.errors)")
    #expect(try refusal(",stream=\(folder.path("none.nut"))").status == 66)
  }
}
