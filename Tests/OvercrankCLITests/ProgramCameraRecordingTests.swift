import FrameJudge
import Foundation
import Glibc
import SystemPackage
import Takes
import Testing
import Timebase

@Suite("A recording from a program", .tags(.program), .timeLimit(.minutes(1)))
struct ProgramCameraRecordingTests {
  private let folder: TemporaryFolder

  /// The file of 60 JPEGs that show their numbers.
  private var jpegs: String { folder.path("frames.mjpeg") }

  init() throws {
    folder = try TemporaryFolder()
    let table = """
      {"card": "Small", "modes": [{"fourcc": "MJPG", "width": 320, "height": 180, "intervals": [[1, 240]]}]}
      """
    try Data(table.utf8).write(to: folder.url.appending(path: "small.json"))
    let source = try OvercrankProgram([
      "record", "sim:\(folder.path("small.json")),clock=virtual", "--frames", "60", "--no-clip",
      "--no-thumbnail",
      "-o", folder.path("source.mp4"),
    ])
    try #require(source.status == 0, "\(source.errors)")
    try Program.ffmpeg(
      "-v", "error", "-i", folder.path("source.master.mov"), "-c", "copy", "-f", "mjpeg", jpegs)
  }

  private func record(_ command: String, mode: String = "320x180@240", _ arguments: String...) throws
    -> OvercrankProgram
  {
    try OvercrankProgram(
      ["record", "exec:\(mode):\(command)", "--no-clip", "--no-thumbnail", "-o", folder.path("x.mp4")]
        + arguments)
  }

  @Test("has every JPEG as it was written, at the time of its arrival, and claims to know of no loss")
  func jpegFrames() throws {
    // Zeros between frames, and a pause within one.
    let run = try record(
      "head -c 20000 '\(jpegs)'; sleep 0.2; tail -c +20001 '\(jpegs)'; head -c 99 /dev/zero")
    try #require(run.status == 0, "\(run.errors)")
    let take = try folder.take("x")
    #expect(take.frames.written == 60 && take.frames.lost.total == 0)
    #expect(take.clock == .dequeue && !take.hasReliableSequence)
    #expect(zip(take.timestamps, take.timestamps.dropFirst()).allSatisfy { $0 < $1 })
    #expect(try StripVideo(folder.path("x.master.mov")).numbers == Array(0..<60))
  }

  @Test("has raw frames of the stated size, and counts one that was cut off as damaged")
  func rawFrames() throws {
    let run = try record("head -c \(3 * 64 * 48 * 2 + 100) /dev/urandom", mode: "64x48@30 YUYV")
    try #require(run.status == 0, "\(run.errors)")
    let take = try folder.take("x")
    #expect(take.frames.written == 3 && take.frames.lost.corrupt == 1)
  }

  @Test("counts what is not a frame as damaged, and goes on with the next one")
  func damage() throws {
    let run = try record("cat '\(jpegs)'; echo noise; printf '\\377\\331'; cat '\(jpegs)'")
    try #require(run.status == 0, "\(run.errors)")
    let take = try folder.take("x")
    #expect(take.frames.written == 120 && take.frames.lost.corrupt == 1)
    // A file is read faster than its frames were captured.
    #expect(run.output.contains("--capture-rate 240"), "\(run.output)")
  }

  @Test("ends the program and all that it started when the take is complete")
  func ended() throws {
    let pid = folder.path("pid")
    let run = try record(
      "echo $$ >'\(pid)'; trap '' TERM; while cat '\(jpegs)'; do :; done", "--frames", "200")
    try #require(run.status == 0, "\(run.errors)")
    #expect(try folder.take("x").frames.written == 200)
    let text = try String(contentsOfFile: pid, encoding: .utf8)
    let number = try #require(pid_t(text.dropLast()))
    #expect(kill(number, 0) == -1)
  }

  @Test(
    "fails with what the program said",
    arguments: [
      ("echo 'no camera found' >&2; exit 3", "ended with exit code 3: no camera found", 74),
      ("no-such-program-here", "ended with exit code 127", 74),
      ("head -c 400000 /dev/urandom", "does not write JPEGs", 65),
      ("true", "no usable frame", 74),
    ])
  func failure(_ command: String, _ words: String, _ status: Int32) throws {
    let run = try record(command)
    #expect(run.status == status && run.errors.contains(words), "\(run.status) \(run.errors)")
    #expect(try !folder.names.contains { $0.hasPrefix("x") })
  }

  @Test("fails if the frames have another size than was stated")
  func otherSize() throws {
    let run = try record("cat '\(jpegs)'", mode: "640x360@240")
    #expect(run.status == 65 && run.errors.contains("writes frames of 320x180"), "\(run.errors)")
  }
}
