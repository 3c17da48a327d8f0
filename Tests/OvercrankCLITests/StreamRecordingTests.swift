import CameraModel
import FrameJudge
import Foundation
import Media
import Simulator
import SystemPackage
import Takes
import Testing
import Timebase

/// Recordings of a camera whose frames depend on one another. Every 30th frame of the simulated one is a key frame.
@Suite("A recording of a camera's own H.264 stream", .tags(.program), .timeLimit(.minutes(1)))
struct StreamRecordingTests {
  private let folder: TemporaryFolder
  private static let table = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../Fixtures/h264-camera.json").standardizedFileURL.path

  init() throws { folder = try TemporaryFolder() }

  private func run(_ faults: String = "", _ arguments: String...) throws -> OvercrankProgram {
    try OvercrankProgram(
      [
        "record", "sim:\(Self.table),clock=virtual\(faults)", "--fps", "120", "--format", "h264",
        "--no-thumbnail", "-o", folder.path("x.mp4"),
      ] + arguments)
  }

  private func take() throws -> Take {
    let take = try folder.take()
    checkTruth(take)
    #expect(take.mode.fourcc == "H264" && take.master == "x.master.nut")
    return take
  }

  /// The stream in the master: its bytes, as they are, and its key frames.
  private func stream() throws -> (bytes: Data, keyframes: [Int]) {
    let master = folder.path("x.master.nut")
    try Program.ffmpeg("-i", master, "-c", "copy", "-f", "data", "-map", "0:v", folder.path("x.data"))
    let flags = try Program.run(
      "ffprobe",
      ["-v", "error", "-select_streams", "v", "-show_entries", "packet=flags", "-of", "csv=p=0", master])
    let lines = String(decoding: flags.output, as: UTF8.self).split(separator: "\n")
    return (
      try Data(contentsOf: URL(filePath: folder.path("x.data"))),
      lines.indices.filter { lines[$0].hasPrefix("K") }
    )
  }

  /// The frames that the camera sends.
  private func sent(_ numbers: some Sequence<Int64>) throws -> [Data] {
    var picture = try SimulatedPicture(format: try #require(.init(fourcc: "H264")), width: 320, height: 180)
    var frames: [Data] = []
    for number in numbers {
      picture.compose(frame: UInt32(number)) { frame in
        frames.append(frame.withUnsafeBufferPointer { Data($0) })
      }
    }
    return frames
  }

  @Test("holds every frame as it was captured, and makes clips and copies of it")
  func whole() throws {
    let run = try run("", "--frames", "65", "--speed", "1/4", "--preset", "ultrafast")
    #expect(run.status == 0, "\(run.errors)")
    let take = try take()
    #expect(take.sequences.elementsEqual(0..<65))
    #expect(take.interframe?.skipped == 0 && take.interframe?.atRisk == 0)
    let (bytes, keyframes) = try stream()
    #expect(keyframes == [0, 30, 60])
    let isSame = try bytes == Data(sent(0..<65).joined())
    #expect(isSame)
    let clip = try StripVideo(folder.path("x.mp4")).numbers
    #expect(clip == (0..<65).map { UInt32($0) })
    let copy = try OvercrankProgram(
      "retime", folder.path("x.master.nut"), "--copy", "--speed", "1/4", "-o", folder.path("copy.mp4"))
    #expect(copy.status == 0, "\(copy.errors)")
    #expect(try StripVideo(folder.path("copy.mp4")).numbers == clip)
    let export = try OvercrankProgram(
      "takes", "export", folder.path("x.take.json"), "--to", folder.url.path, "--as", "campy")
    #expect(export.status == 0, "\(export.errors)")
    #expect(try StripVideo(folder.path("x/Camera1/0.nut")).numbers == clip)
  }

  @Test("has the frames after a lost one, and tells that they may be damaged")
  func lost() throws {
    let run = try run(",drop=40-41+60", "--frames", "90", "--speed", "1/4", "--preset", "ultrafast")
    #expect(run.status == 0, "\(run.errors)")
    let take = try take()
    #expect(
      take.losses == [
        Loss(sequence: 40, count: 2, stage: .driver), Loss(sequence: 60, count: 1, stage: .driver),
      ])
    // Up to the key frame 60, which is lost itself, and on up to the next one. That is 18 and 29 frames.
    #expect(take.interframe?.atRisk == 47)
    #expect(run.output.contains("47 frames between a lost frame and the next key frame may be damaged"))
    let isSame = try stream().bytes == Data(sent(take.sequences.map { $0 }).joined())
    #expect(isSame)
    // The strips are in macroblocks that every frame stores anew.
    let numbers = Set(try StripVideo(folder.path("x.mp4")).numbers.compactMap { $0 })
    #expect(numbers.isSuperset(of: Set(0..<40)) && numbers.isSuperset(of: Set(90..<93)))
  }

  @Test("begins with a key frame, also after a pre-roll")
  func preRoll() throws {
    let run = try run(
      "", "--pre", "400ms", "--post", "100ms", "--trigger", "time=1s", "--no-clip")
    #expect(run.status == 0, "\(run.errors)")
    let take = try take()
    let first = try #require(take.sequences.first)
    #expect(first % 30 == 0)
    let skipped = try #require(take.interframe?.skipped)
    #expect((1..<30).contains(skipped) && take.frames.lost.total == 0)
    // 400 ms and 100 ms at 120 fps.
    #expect(abs(skipped + take.frames.written - 60) <= 1)
    #expect(run.output.contains("The take begins with a key frame"))
    #expect(try stream().keyframes.first == 0)
  }

  @Test("fails with the reason if no key frame comes, and leaves nothing but the events")
  func none() throws {
    let run = try run(
      "", "--pre", "50ms", "--post", "50ms", "--trigger", "time=900ms", "--no-clip", "--events",
      folder.path("x.ndjson"))
    #expect(run.status == 74)
    #expect(run.errors.contains("without a key frame"), "\(run.errors)")
    #expect(try folder.names == ["x.ndjson"])
    let events = try String(contentsOfFile: folder.path("x.ndjson"), encoding: .utf8).split(separator: "\n")
    for name in ["take_ended", "ended"] {
      let event = events.last { $0.contains(#""event":"\#(name)""#) }
      #expect(event?.contains("12 frames without a key frame") == true, "\(event ?? "")")
    }
  }

  @Test("that Ctrl-C ends before the first key frame says how many frames came")
  func interrupted() throws {
    let events = folder.path("x.ndjson")
    let run = try OvercrankProgram([
      "record", "sim:\(Self.table),drop=0,stall=1h@5", "--timeout", "1h", "--fps", "120", "--format", "h264",
      "--no-clip", "--no-thumbnail", "--events", events, "-o", folder.path("x.mp4"),
    ]) { process in
      while process.isRunning {
        let text = try? String(contentsOfFile: events, encoding: .utf8)
        if text?.contains("take_started") == true { break }
      }
      kill(process.processIdentifier, SIGINT)
    }
    #expect(run.status == 130)
    let words = /before a take had a key frame\. The recording ended after [1-4] frames? without a key frame/
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(try folder.names == ["x.ndjson"])
  }

  /// Starts a master of such frames at 120 fps.
  private func master(_ format: PixelFormat) throws -> MasterWriter {
    let interval = FrameInterval(1, 120)
    return try MasterWriter(
      to: FilePath(folder.path("x.master.nut")), as: #require(MasterFormat(format)),
      of: FrameFormat(format, width: 320, height: 180, acceptedInterval: interval, clock: .monotonic),
      replacing: false,
      metadata: TakeMetadata(
        camera: CameraIdentity(name: "sim:", table: CameraTable(rows: [])),
        mode: Mode(fourcc: format.description, width: 320, height: 180, interval: interval), asked: nil,
        started: Date(timeIntervalSince1970: 0), version: "0"))
  }

  @Test("is recovered after a crash, as far as the journal lists its frames")
  func cutOff() throws {
    do {
      let writer = try master(try #require(PixelFormat(fourcc: "H264")))
      for (number, frame) in zip(UInt32(0)..., try sent(0..<40)) {
        guard number != 10 else {
          writer.noteLost(sequence: number, count: 1, at: .ring)
          continue
        }
        try frame.withUnsafeBytes {
          try writer.write($0, sequence: number, timestampNanoseconds: Int64(number) * 8_333_333)
        }
      }
      try writer.checkpoint()
    }
    let run = try OvercrankProgram("recover", folder.path("x.mp4"))
    #expect(run.status == 0, "\(run.errors)")
    #expect(try folder.names == ["x.master.nut", "x.take.json"])
    let take = try take()
    #expect(take.isRecovered && take.frames.written == 39 && take.frames.lost.ring == 1)
    #expect(take.interframe?.skipped == nil && take.interframe?.atRisk == 19)
    let (bytes, keyframes) = try stream()
    #expect(keyframes == [0, 29])
    let isSame = try bytes == Data(sent(take.sequences.map { $0 }).joined())
    #expect(isSame)
  }

  @Test("in HEVC holds every frame as it was captured, and makes clips of it")
  func hevc() throws {
    let source = folder.path("source.nut")
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=320x180:r=120:d=0.4", "-c:v", "libx265", "-x265-params",
      "log-level=0:bframes=0:keyint=20:min-keyint=20:scenecut=0:open-gop=0:repeat-headers=1", "-pix_fmt",
      "yuv420p", source)
    let writer = try master(try #require(PixelFormat(fourcc: "HEVC")))
    var video = try Demuxer(FilePath(source))
    var (bytes, number) = (Data(), UInt32(0))
    while let packet = try video.nextPacket() {
      let frame = packet.withBytes { Array($0) }
      try frame.withUnsafeBytes {
        try writer.write($0, sequence: number, timestampNanoseconds: Int64(number) * 8_333_333)
      }
      bytes += frame
      number += 1
    }
    try writer.finish()
    MasterWriter.removeJournal(of: FilePath(folder.path("x.master.nut")))
    let master = try stream()
    #expect(number == 48 && master.keyframes == [0, 20, 40] && master.bytes == bytes)
    let run = try OvercrankProgram(
      "retime", folder.path("x.master.nut"), "--speed", "1/4", "--preset", "ultrafast", "-o",
      folder.path("slow.mp4"))
    #expect(run.status == 0, "\(run.errors)")
    #expect(try Probe(folder.path("slow.mp4")).streams[0].nb_frames == "48")
  }

  @Test("is refused for what needs frames that stand alone")
  func refused() throws {
    let snap = try OvercrankProgram(
      "snap", "sim:\(Self.table)", "--format", "h264", "-o", folder.path("x.jpg"))
    #expect(snap.status == 69 && snap.errors.contains("H264"), "\(snap.errors)")
    let motion = try run("", "--trigger", "motion", "--post", "1s")
    #expect(motion.status != 0 && motion.errors.contains("which depend on one another"), "\(motion.errors)")
    #expect(try folder.names.isEmpty)
  }
}
