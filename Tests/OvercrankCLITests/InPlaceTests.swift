import FrameJudge
import Foundation
import Testing
import Timebase

@Suite("A video is retimed in place", .tags(.program), .timeLimit(.minutes(1)))
struct InPlaceTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Number of frames and duration of a video, which must play from end to end.
  private func state(_ path: String) throws -> (hash: Data, seconds: Double) {
    let probe = try Probe(path)
    #expect(!probe.packets.isEmpty)
    let frames = try Program.run(
      "ffmpeg", ["-v", "error", "-i", path, "-map", "0:v", "-c", "copy", "-f", "streamhash", "-"])
    return (frames.output, try #require(probe.format.duration.flatMap { Double($0) }))
  }

  @Test("if all of several can be, or none is changed")
  func several() throws {
    for name in ["x", "y"] {
      let run = try OvercrankProgram(
        "record", SmallCamera.inVirtualTime(), "--format", "mjpeg", "--frames", "6", "--no-clip", "-o",
        folder.path("\(name).mp4"))
      #expect(run.status == 0, "\(run.errors)")
    }
    let videos = [folder.path("x.master.mov"), folder.path("y.master.mov")]
    let text = folder.path("text.mov")
    try Data("no film".utf8).write(to: URL(filePath: text))
    let before = try videos.map { try Data(contentsOf: URL(filePath: $0)) }
    for (last, status) in [(text, Int32(65)), (videos[0], 64), (folder.path("none.mov"), 66)] {
      let run = try OvercrankProgram(["retime"] + videos + [last, "--copy", "--in-place", "--speed", "1/8"])
      #expect(run.status == status, "\(run.errors)")
      #expect(try videos.map { try Data(contentsOf: URL(filePath: $0)) } == before)
    }
    let run = try OvercrankProgram(["retime"] + videos + ["--copy", "--in-place", "--speed", "1/8"])
    #expect(run.status == 0)
    #expect(run.output.contains("x.master.mov: plays 8 times slower than before, at 1/8."), "\(run.output)")
  }

  /// One file states both the master's take and the clip's.
  @Test(
    "and if a kill comes before the take is written, the video shows it and the take is repaired",
    arguments: ["x.master.mov", "x.mp4"])
  func killed(file: String) throws {
    let run = try OvercrankProgram(
      "record", SmallCamera.inVirtualTime(), "--format", "mjpeg", "--frames", "24", "--preset", "ultrafast",
      "--speed", "1/8",
      "-o",
      folder.path("x.mp4"))
    #expect(run.status == 0, "\(run.errors)")
    let video = folder.path(file)
    _ = try? Program.run(
      "strace",
      [
        "-f", "-qq", "-o", "/dev/null", "-e", "trace=rename", "-e",
        "inject=rename:signal=KILL:when=1",
        OvercrankProgram.url.path, "retime", video, "--copy", "--in-place", "--speed",
        file == "x.mp4" ? "1/64" : "1/8",
      ])
    let stale = try folder.take()
    #expect(stale.masterSpeed == nil && stale.clips.first?.speed == "1/8")
    let told = file == "x.mp4" ? "1/64" : "1/8"
    if file == "x.master.mov" {
      let clip = try OvercrankProgram("retime", video, "--speed", "1/8", "-o", folder.path("y.mp4"))
      #expect(clip.errors.contains("does not match \(file), which plays at 1/8"), "\(clip.errors)")
      try FileManager.default.removeItem(atPath: folder.path("y.mp4"))
    }
    let recovery = try OvercrankProgram("recover", folder.path("x.mp4"))
    #expect(recovery.status == 0, "\(recovery.errors)")
    #expect(
      recovery.output
        == "\(folder.path("x.take.json")): now states that \(file) plays at \(told). A change in place was cut off.\n"
    )
    func check(_ speed: String, _ rate: Double) throws {
      let take = try folder.take()
      #expect(take.masterSpeed == (file == "x.master.mov" ? speed : nil))
      #expect(take.clips.first?.speed == (file == "x.mp4" ? speed : "1/8"))
      #expect(take.clips.first.map { abs($0.framesPerSecond - rate) < 1e-9 } == true)
      #expect(try folder.names == ["x.master.mov", "x.mp4", "x.take.json"])
    }
    try check(told, file == "x.mp4" ? 3.75 : 30)
    #expect(try OvercrankProgram("recover", folder.path("x.mp4")).output.contains("is complete"))
    // The next change also starts from the video.
    let asked = file == "x.mp4" ? "1/16" : "1/2"
    _ = try OvercrankProgram("retime", video, "--copy", "--in-place", "--speed", asked)
    try check(file == "x.mp4" ? "1/16" : "1/2", file == "x.mp4" ? 15 : 30)
  }

  @Test("through a link, and its take stays correct")
  func link() throws {
    let run = try OvercrankProgram(
      "record", SmallCamera.inVirtualTime(), "--format", "mjpeg", "--frames", "24", "--preset", "ultrafast",
      "-o",
      folder.path("x.mp4"))
    #expect(run.status == 0, "\(run.errors)")
    let links = try TemporaryFolder()
    for (link, file) in [("a.mov", "x.master.mov"), ("b.mp4", "x.mp4")] {
      try FileManager.default.createSymbolicLink(
        atPath: links.path(link), withDestinationPath: folder.path(file))
      let speed = link == "a.mov" ? "1/2" : "1/16"
      let change = try OvercrankProgram(
        "retime", links.path(link), "--copy", "--in-place", "--speed", speed)
      #expect(change.output == "\(links.path(link)): plays 2 times slower than before, at \(speed).\n")
    }
    let take = try folder.take()
    #expect(take.masterSpeed == "1/2" && take.clips.first?.speed == "1/16")
  }

  @Test("and the take lists the new speed of a clip that was made later")
  func laterClip() throws {
    let run = try OvercrankProgram(
      "record", SmallCamera.inVirtualTime(), "--format", "mjpeg", "--frames", "24", "--preset", "ultrafast",
      "--speed", "1/8", "-o", folder.path("x.mp4"))
    #expect(run.status == 0, "\(run.errors)")
    let later = try OvercrankProgram(
      "retime", folder.path("x.master.mov"), "--speed", "1/8", "--preset", "ultrafast")
    #expect(later.status == 0, "\(later.errors)")
    let change = try OvercrankProgram(
      "retime", folder.path("x-slow.mp4"), "--copy", "--in-place", "--speed", "1/16")
    #expect(change.output == "\(folder.path("x-slow.mp4")): plays 2 times slower than before, at 1/16.\n")
    let clips = try folder.take().clips
    #expect(clips.map(\.file) == ["x.mp4", "x-slow.mp4"] && clips.map(\.speed) == ["1/8", "1/16"])
    #expect(abs(clips[1].framesPerSecond - 15) < 1e-9)
  }

  @Test("but a video that is already slow is reported, with the resulting speed")
  func slowAlready() throws {
    let run = try OvercrankProgram(
      "record", SmallCamera.inVirtualTime(), "--format", "mjpeg", "--frames", "24", "--preset", "ultrafast",
      "--speed", "1/8",
      "-o",
      folder.path("x.mp4"))
    #expect(run.status == 0, "\(run.errors)")
    for alone in [false, true] {
      if alone { try FileManager.default.removeItem(atPath: folder.path("x.take.json")) }
      let clip = try OvercrankProgram(
        "retime", folder.path("x.mp4"), "--speed", "1/8", "--preset", "ultrafast", "--force", "-o",
        folder.path("y.mp4"))
      let reason = alone ? "the tag that Overcrank wrote into it" : "its take"
      #expect(
        clip.errors
          == "\(folder.path("x.mp4")): already plays at 1/8, according to \(reason). --speed is relative to "
          + "real time.\n")
      // The clip plays as fast as its source.
      #expect(try state(folder.path("y.mp4")).seconds == state(folder.path("x.mp4")).seconds)
      // A master plays in real time, unless its take says otherwise.
      let master = try OvercrankProgram(
        "retime", folder.path("x.master.mov"), "--speed", "1/8", "--preset", "ultrafast", "--force", "-o",
        folder.path("y.mp4"))
      #expect(master.errors.isEmpty)
    }
  }

  @Test("and its take stays correct")
  func take() throws {
    let run = try OvercrankProgram(
      "record", SmallCamera.inVirtualTime(), "--format", "mjpeg", "--frames", "24", "--preset", "ultrafast",
      "-o",
      folder.path("x.mp4"))
    #expect(run.status == 0, "\(run.errors)")
    for (file, speed, factor) in [
      ("x.master.mov", "1/4", 4.0), ("x.master.mov", "1/8", 2), ("x.mp4", "1/4", 0.5), ("x.mp4", "1/4", 1),
    ] {
      let before = try state(folder.path(file))
      let change = try OvercrankProgram("retime", folder.path(file), "--copy", "--in-place", "--speed", speed)
      #expect(change.status == 0, "\(change.errors)")
      let after = try state(folder.path(file))
      #expect(after.hash == before.hash)
      #expect(abs(after.seconds - before.seconds * factor) < 0.001)
    }
    let take = try folder.take()
    #expect(take.masterSpeed == "1/8")
    #expect(take.clips.first?.speed == "1/4")
    #expect(take.clips.first?.framesPerSecond == 60)
    #expect(try folder.names == ["x.master.mov", "x.mp4", "x.take.json"])
    // The frames' capture times are in the take, whatever speed the master plays at.
    let clip = try OvercrankProgram(
      "retime", folder.path("x.master.mov"), "--speed", "1/8", "--preset", "ultrafast", "-o",
      folder.path("y.mp4"))
    #expect(clip.status == 0)
    #expect(try StripVideo(folder.path("y.mp4")).numbers.count == Int(take.frames.sent))
  }
}
