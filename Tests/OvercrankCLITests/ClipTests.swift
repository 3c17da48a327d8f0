import Capture
import FilmJudge
import Foundation
import Testing
import Timebase

@Suite("Clips from the command line")
struct ClipTests {
  /// A take of the simulated camera at 240 fps, and what its clip must show at 30.
  private func record(_ camera: String, _ folder: TemporaryFolder, _ arguments: String...) throws -> Take {
    let run = try OvercrankProgram(
      ["record", camera, "--format", "mjpeg", "--preset", "ultrafast", "-o", folder.path("x.mp4")] + arguments
    )
    #expect(run.status == 0, "\(run.errors)")
    return try #require(try Take.read(from: folder.path("x.take.json")))
  }

  /// The number that each sensor frame's place in the clip shows: its own, or the last one that was written.
  private func shown(_ take: Take) -> [UInt32] {
    let written = Set(take.sequences)
    let first = take.sequences.first ?? 0
    var last = first
    return (first..<first + take.frames.sent).map { number in
      if written.contains(number) { last = number }
      return UInt32(last)
    }
  }

  @Test(
    "show every frame once and in order at 240 to 30 fps, and hold the last where one was lost",
    arguments: ["sim:", "sim:,drop=20-24+40", "sim:,corrupt=9,huffman=missing", "sim:,jitter=3ms"])
  func everyFrame(_ camera: String) throws {
    let folder = try TemporaryFolder()
    let take = try record(camera, folder, "--frames", "60", "--speed", "1/8")
    #expect(try StripFilm(folder.path("x.mp4")).numbers == shown(take).map { $0 })
    let probe = try Probe(folder.path("x.mp4"))
    let stream = try #require(probe.streams.first)
    #expect(stream.codec_name == "h264")
    #expect(stream.pix_fmt == "yuv420p")
    #expect(stream.color_range == "tv")
    #expect(stream.r_frame_rate == "30/1")
    #expect(stream.avg_frame_rate == "30/1")
    #expect(probe.packets.count == Int(take.frames.sent))
    let order = try boxes(of: folder.path("x.mp4"))
    #expect(try #require(order.firstIndex(of: "moov")) < #require(order.firstIndex(of: "mdat")))
    #expect(take.clips.first?.frames == Int(take.frames.sent))
    #expect(take.clips.first?.held == Int(take.frames.lost.total))
    #expect(try folder.names == ["x.master.mov", "x.mp4", "x.take.json"])
  }

  @Test("of 60 fps show every frame of 240 once, four times slower")
  func clipRate() throws {
    let folder = try TemporaryFolder()
    let take = try record("sim:", folder, "--fps", "240", "--frames", "60", "--clip-fps", "60")
    #expect(try StripFilm(folder.path("x.mp4")).numbers == shown(take).map { $0 })
    let probe = try Probe(folder.path("x.mp4"))
    let stream = try #require(probe.streams.first)
    #expect(stream.r_frame_rate == "60/1" && stream.avg_frame_rate == "60/1")
    #expect(probe.packets.count == Int(take.frames.sent))
  }

  @Test("at half the slowness show every second frame")
  func faster() throws {
    let folder = try TemporaryFolder()
    let take = try record("sim:", folder, "--frames", "60", "--speed", "1/4")
    let numbers = try StripFilm(folder.path("x.mp4")).numbers
    #expect(numbers.count == Int(take.frames.sent) / 2)
    #expect(!numbers.contains(nil))
    let steps = zip(numbers.compactMap(\.self), numbers.compactMap(\.self).dropFirst())
    #expect(take.frames.lost.total > 0 || steps.allSatisfy { $1 == $0 + 2 })
  }

  @Test("--discard-master leaves clip and take alone")
  func discard() throws {
    let folder = try TemporaryFolder()
    let take = try record("sim:", folder, "--frames", "10", "--discard-master")
    #expect(take.master == nil)
    #expect(try folder.names == ["x.mp4", "x.take.json"])
  }

  @Test("retime makes the clip again from master and take; --copy keeps the frames and stretches the time")
  func retime() throws {
    let folder = try TemporaryFolder()
    let take = try record("sim:,drop=10-12", folder, "--frames", "40", "--no-clip")
    let master = folder.path("x.master.mov")
    let again = try OvercrankProgram(
      "retime", master, "--speed", "1/8", "--preset", "ultrafast", "-o", folder.path("again.mp4"))
    #expect(again.status == 0, "\(again.errors)")
    #expect(try StripFilm(folder.path("again.mp4")).numbers == shown(take).map { $0 })

    let copy = try OvercrankProgram(
      "retime", master, "--speed", "1/8", "--copy", "-o", folder.path("copy.mov"))
    #expect(copy.status == 0, "\(copy.errors)")
    let (before, after) = (try Probe(master), try Probe(folder.path("copy.mov")))
    #expect(after.streams.first?.codec_name == "mjpeg")
    #expect(after.packets.map(\.size) == before.packets.map(\.size))
    #expect(try StripFilm(folder.path("copy.mov")).numbers == take.sequences.map { UInt32($0) })
    func seconds(_ probe: Probe) throws -> [Double] {
      let terms = try #require(probe.streams.first).time_base.split(separator: "/").compactMap { Double($0) }
      return probe.packets.map { Double($0.pts ?? 0) * terms[0] / terms[1] }
    }
    for (fast, slow) in zip(try seconds(before), try seconds(after)) { #expect(abs(slow - 8 * fast) < 1e-9) }
  }

  @Test("Ctrl-C leaves no clip, and the master as it was")
  func cancelled() throws {
    let folder = try TemporaryFolder()
    _ = try record("sim:", folder, "--frames", "120", "--no-clip")
    let run = try OvercrankProgram(
      [
        "retime", folder.path("x.master.mov"), "--speed", "1/100", "--preset", "veryslow", "-o",
        folder.path("y.mp4"),
      ],
      whileRunning: { process in
        while process.isRunning, !FileManager.default.fileExists(atPath: folder.path("y.mp4.part")) {
          usleep(10_000)
        }
        kill(process.processIdentifier, SIGINT)
      })
    #expect(run.status == 130)
    #expect(try folder.names == ["x.master.mov", "x.take.json"])
  }
}

@Suite("A film is retimed in place")
struct InPlaceTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Frames and length of a film, which must play from end to end.
  private func state(_ path: String) throws -> (hash: Data, seconds: Double) {
    let probe = try Probe(path)
    #expect(!probe.packets.isEmpty)
    let frames = try Program.run(
      "ffmpeg", ["-v", "error", "-i", path, "-map", "0:v", "-c", "copy", "-f", "streamhash", "-"])
    return (frames.output, try #require(probe.format.duration.flatMap { Double($0) }))
  }

  @Test("and its take stays true")
  func take() throws {
    let run = try OvercrankProgram(
      "record", "sim:", "--format", "mjpeg", "--frames", "24", "--preset", "ultrafast", "-o",
      folder.path("x.mp4"))
    #expect(run.status == 0, "\(run.errors)")
    for (file, speed) in [("x.master.mov", "1/4"), ("x.master.mov", "1/2"), ("x.mp4", "2")] {
      let before = try state(folder.path(file))
      let change = try OvercrankProgram("retime", folder.path(file), "--copy", "--in-place", "--speed", speed)
      #expect(change.status == 0, "\(change.errors)")
      let after = try state(folder.path(file))
      #expect(after.hash == before.hash)
      let factor = try 1 / Speed(text: speed).factor.doubleValue
      #expect(abs(after.seconds - before.seconds * factor) < 0.001)
    }
    let take = try #require(try Take.read(from: folder.path("x.take.json")))
    #expect(take.masterSpeed == "1/8")
    #expect(take.clips.first?.speed == "1/4")
    #expect(take.clips.first?.framesPerSecond == 60)
    #expect(try folder.names == ["x.master.mov", "x.mp4", "x.take.json"])
    // The frames' capture times are in the take, whatever speed the master plays at.
    let clip = try OvercrankProgram(
      "retime", folder.path("x.master.mov"), "--speed", "1/8", "--preset", "ultrafast", "-o",
      folder.path("y.mp4"))
    #expect(clip.status == 0)
    #expect(try StripFilm(folder.path("y.mp4")).numbers.count == Int(take.frames.sent))
  }
}

@Suite("What is no film is told apart")
struct WrongFilmTests {
  private func retime(_ path: String, _ folder: TemporaryFolder) throws -> OvercrankProgram {
    try OvercrankProgram("retime", path, "--speed", "1/8", "-o", folder.path("slow.mp4"))
  }

  @Test(
    "by content", arguments: ["text", "empty", "truncated", "noise"], [false, true])
  func content(_ kind: String, _ copies: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("film.mp4")
    let url = URL(filePath: path)
    switch kind {
    case "text": try Data("This is not a film.\n".utf8).write(to: url)
    case "empty": try Data().write(to: url)
    case "noise": try Data((0..<100_000).map { _ in UInt8.random(in: 0...255) }).write(to: url)
    default:
      try Program.ffmpeg("-f", "lavfi", "-i", "testsrc=d=2:s=320x240", "-pix_fmt", "yuv420p", path)
      let whole = try Data(contentsOf: url)
      try whole.prefix(whole.count / 2).write(to: url)
    }
    let arguments =
      ["retime", path, "--speed", "1/8", "-o", folder.path("slow.mp4")] + (copies ? ["--copy"] : [])
    let run = try OvercrankProgram(arguments)
    #expect(run.status == 65, "\(run.errors)")
    #expect(run.errors.contains("film.mp4"))
    #expect(try folder.names == ["film.mp4"])
  }

  @Test("by place: nothing there, a folder")
  func place() throws {
    let folder = try TemporaryFolder()
    let missing = try retime(folder.path("none.mp4"), folder)
    #expect(missing.status == 66, "\(missing.errors)")
    #expect(missing.errors.contains("none.mp4"))
    let directory = try retime(folder.url.path, folder)
    #expect(directory.status == 66 || directory.status == 65, "\(directory.errors)")
    #expect(try folder.names.isEmpty)
  }

  @Test("a damaged take is named, and the film is left alone")
  func damagedTake() throws {
    let folder = try TemporaryFolder()
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "testsrc=d=1:s=320x240", "-pix_fmt", "yuv420p", folder.path("x.master.mov"))
    try Data("{".utf8).write(to: folder.url.appending(path: "x.take.json"))
    let run = try retime(folder.path("x.master.mov"), folder)
    #expect(run.status == 65)
    #expect(run.errors.contains("x.take.json"))
    #expect(try folder.names == ["x.master.mov", "x.take.json"])
  }
}
