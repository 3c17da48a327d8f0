import FrameJudge
import Foundation
import SystemPackage
import Takes
import Testing
import Timebase

@Suite("overcrank show", .tags(.program), .timeLimit(.minutes(1)))
struct ShowTests {
  let folder: TemporaryFolder

  /// A take with its clip; each test has a copy of it.
  private static let take = Result { () throws -> TemporaryFolder in
    let folder = try TemporaryFolder()
    let run = try OvercrankProgram(
      "record", SmallCamera.inVirtualTime(), "--fps", "120", "--format", "mjpeg", "--frames", "12",
      "--speed", "1/8", "--preset", "ultrafast", "--no-thumbnail", "-o", folder.path("x.mp4"))
    try #require(run.status == 0, "\(run.errors)")
    return folder
  }

  init() throws {
    folder = try TemporaryFolder()
    let take = try Self.take.get()
    for name in try take.names {
      try FileManager.default.copyItem(atPath: take.path(name), toPath: folder.path(name))
    }
  }

  private struct Facts: Decodable {
    var file: String
    var role: String?
  }

  @Test("takes several files, shows those that exist, and ends with the error of the others")
  func several() throws {
    let (clip, master) = (folder.path("x.mp4"), folder.path("x.master.mov"))
    let both = try OvercrankProgram("show", clip, master)
    #expect(both.status == 0, "\(both.errors)")
    #expect(both.output.contains("\(clip): the clip of a take"), "\(both.output)")
    #expect(both.output.contains("\(master): the master of a take"), "\(both.output)")
    let some = try OvercrankProgram("show", "--json", clip, folder.path("none.mp4"), master)
    #expect(some.status == 66 && some.errors.contains("none.mp4"), "\(some.errors)")
    #expect(try some.json([Facts].self).map(\.role) == ["clip", "master"])
    // For one file it is an object.
    #expect(try OvercrankProgram("show", "--json", clip).json(Facts.self).role == "clip")
  }

  @Test("reports a file that ends before its first frame, or within its only one")
  func cut() throws {
    // A GIF of 16x16 with a table of 256 colours, and a PPM of 64x48, which does not state its length.
    let gif = Array("GIF89a".utf8) + [16, 0, 16, 0, 0xf7, 0, 0] + [UInt8](repeating: 7, count: 768)
    let ppm = Array("P6\n64 48\n255\n".utf8) + [UInt8](repeating: 7, count: 1000)
    for (name, bytes) in [("a.gif", gif), ("b.gif", Array(gif[..<200])), ("a.ppm", ppm)] {
      let path = folder.path(name)
      try Data(bytes).write(to: URL(filePath: path))
      let shown = try OvercrankProgram("show", path)
      #expect(shown.status == 65 && shown.output.isEmpty, "\(name): \(shown.errors)")
      let words = name == "a.ppm" ? "no frame of it can be decoded." : "cut off or damaged."
      #expect(shown.errors.contains("\(words) Try another copy"), "\(shown.errors)")
    }
  }

  @Test("tells of a long time without a frame, and where it lies")
  func gap() throws {
    let video = folder.path("paused.mp4")
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25", "-vf", "setpts=PTS+gte(N\\,20)*20/TB", "-frames:v",
      "40",
      "-fps_mode", "passthrough", "-pix_fmt", "yuv420p", video)
    let shown = try OvercrankProgram("show", video)
    #expect(shown.output.contains("no frame for 20.04 s after 0.76 s"), "\(shown.output)\(shown.errors)")
    #expect(try !OvercrankProgram("show", folder.path("x.mp4")).output.contains("no frame for"))
  }

  @Test("states how a video is turned when it is shown", arguments: [90, 180, 270])
  func turned(_ degrees: Int) throws {
    let video = folder.path("turned.mov")
    let made = try OvercrankProgram(
      "retime", folder.path("x.master.mov"), "--copy", "--speed", "1", "--rotate", "\(degrees)", "-o", video)
    #expect(made.status == 0, "\(made.errors)")
    let shown = try OvercrankProgram("show", video)
    #expect(shown.output.contains("shown turned \(degrees)° clockwise"), "\(shown.output)")
  }

  @Test("finds the take of a clip that was rendered later, and so do the takes commands")
  func laterClip() throws {
    let clip = folder.path("faster.mp4")
    let made = try OvercrankProgram(
      "retime", folder.path("x.master.mov"), "--speed", "1/2", "--preset", "ultrafast", "-o", clip)
    #expect(made.status == 0, "\(made.errors)")
    #expect(try OvercrankProgram("show", clip).output.contains("the clip of a take"))
    let verified = try OvercrankProgram("takes", "verify", clip)
    #expect(verified.status == 0 && verified.output.contains("x.take.json"), "\(verified.output)")
    #expect(try OvercrankProgram("takes", "remove", clip, "--force").status == 0)
    #expect(try folder.names.isEmpty)
  }

  @Test("knows a clip of a varying speed and an animation by the take, and so does retime")
  func slowedAlready() throws {
    let (ramp, animation) = (folder.path("ramp.mp4"), folder.path("y.gif"))
    for (clip, speed) in [
      (ramp, "0s:1, 0.05s:1/8"), (animation, "1/8"), (folder.path("z.gif"), "0s:1, 0.05s:1/8"),
    ] {
      let made = try OvercrankProgram(
        "retime", folder.path("x.master.mov"), "--speed", speed, "--preset", "ultrafast", "-o", clip)
      #expect(made.status == 0, "\(made.errors)")
    }
    let shown = try OvercrankProgram("show", animation).output
    #expect(
      shown.contains("plays at 1/8, according to its take") && shown.contains(" fps, without end"), "\(shown)"
    )
    let webP = folder.path("y.webp")
    try #require(
      try OvercrankProgram(
        "retime", folder.path("x.master.mov"), "--speed", "1/8", "--loops", "3", "-o", webP
      ).status == 0)
    let facts = try OvercrankProgram("show", webP)
    #expect(
      facts.status == 0 && facts.output.contains("the clip of a take")
        && facts.output.contains(" fps, 3 times"),
      "\(facts)")
    #expect(facts.output.contains("plays at 1/8, according to its take"), "\(facts.output)")
    #expect(try OvercrankProgram("show", folder.path("z.gif")).output.contains("curve      0s:1, 0.05s:1/8"))
    for clip in [ramp, folder.path("z.gif")] {
      let again = try OvercrankProgram(
        "retime", clip, "--preset", "ultrafast", "-o", folder.path("again.mp4"), "--force")
      #expect(again.errors.contains("already plays at a varying speed (0s:1, 0.05s:1/8)"), "\(again.errors)")
    }
  }

  @Test("names the frame that a trigger fell into")
  func triggerFrame() throws {
    let take = folder.path("t.mp4")
    let made = try OvercrankProgram(
      "record", SmallCamera.inVirtualTime(), "--fps", "120", "--trigger", "time=100ms", "--pre", "50ms",
      "--post",
      "50ms", "--no-clip", "--no-thumbnail", "-o", take)
    #expect(made.status == 0, "\(made.errors)")
    let facts = try Take.read(from: FilePath(folder.path("t.take.json")))
    let (trigger, times) = (try #require(facts?.trigger), Array(facts?.timestamps ?? []))
    let moment = try #require(trigger.frameTime)
    let frame = try #require(times.lastIndex { $0 <= moment })
    let place = (times[frame] - times[0]).inSeconds.decimal(places: 3)
    let shown = try OvercrankProgram("takes", "show", folder.path("t.take.json")).output
    #expect(shown.contains("trigger    time, in frame \(frame), at \(place) s, pre-roll"), "\(shown)")
  }

  @Test("states how many frames of a clip with repeats show a second; retime names the option for more")
  func repeats() throws {
    let made = try OvercrankProgram(
      "retime", folder.path("x.master.mov"), "--speed", "1/16", "--preset", "ultrafast", "-o",
      folder.path("y.mp4"))
    #expect(made.output.contains("--fill flow"), "\(made.output)")
    let text = try OvercrankProgram("show", folder.path("y.mp4")).output
    #expect(
      text.contains("480 of these frames, including repeated ones, show one second of the scene"), "\(text)")
  }

  @Test("states which field of an interlaced video comes first")
  func fields() throws {
    let video = folder.path("fields.mkv")
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=r=50:d=0.4:s=320x240", "-vf", "tinterlace=interleave_bottom", "-c:v",
      "ffv1", video)
    let shown = try OvercrankProgram("show", video)
    #expect(
      shown.output.contains("interlaced") && shown.output.contains("bottom field first"), "\(shown.output)")
    struct Fields: Decodable { var field_order: String? }
    #expect(try OvercrankProgram("show", "--json", video).json(Fields.self).field_order == "bottom")
    #expect(try OvercrankProgram("show", "--json", folder.path("x.mp4")).json(Fields.self).field_order == nil)
  }

  @Test("names the high dynamic range", arguments: [("arib-std-b67", "HLG"), ("smpte2084", "PQ")])
  func highDynamicRange(_ transfer: String, _ name: String) throws {
    let video = folder.path("hdr.mkv")
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x48:r=24:d=0.25", "-pix_fmt", "yuv420p10le", "-c:v", "ffv1",
      "-color_primaries", "bt2020", "-color_trc", transfer, "-colorspace", "bt2020nc", video)
    #expect(try OvercrankProgram("show", video).output.contains("ffv1 64x48, \(name)\n"))
    struct Facts: Decodable { var hdr: String? }
    #expect(try OvercrankProgram("show", "--json", video).json(Facts.self).hdr == name.lowercased())
    #expect(try OvercrankProgram("show", "--json", folder.path("x.mp4")).json(Facts.self).hdr == nil)
  }
}

@Suite("A signal before the first frame", .tags(.program), .timeLimit(.minutes(1)))
struct EarlySignalTests {
  @Test("ends a recording with a line that states what happened", arguments: [SIGINT, SIGTERM])
  func record(number: Int32) throws {
    let folder = try TemporaryFolder()
    let run = try OvercrankProgram([
      "record", SmallCamera.inRealTime("stall=1h@0"), "--timeout", "1h", "--no-clip", "-o",
      folder.path("x.mp4"),
    ]) { process in
      // As soon as the program receives it.
      let bit = UInt64(1) << UInt64(number - 1)
      while process.isRunning {
        let status = try? String(
          contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
        let caught = line.flatMap { UInt64($0.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16) }
        if let caught, caught & bit != 0 { break }
      }
      kill(process.processIdentifier, number)
    }
    #expect(run.status == 130)
    #expect(
      run.errors.contains("Interrupted before the first frame arrived: there is no take."), "\(run.errors)")
    #expect(try folder.names.isEmpty)
  }
}

@Suite("A signal after the recording", .tags(.program), .timeLimit(.minutes(1)))
struct LateSignalTests {
  @Test("ends the clip, keeps the master, and tells how to make the clip", arguments: [SIGINT, SIGTERM])
  func record(number: Int32) throws {
    let folder = try TemporaryFolder()
    let events = folder.path("x.ndjson")
    let run = try OvercrankProgram([
      "record", SmallCamera.inVirtualTime(), "--frames", "240", "--fill", "flow", "--speed", "1/64",
      "--preset",
      "veryslow", "--no-thumbnail", "--events", events, "-o", folder.path("x.mp4"),
    ]) { process in
      // The session may still be ending then.
      while process.isRunning {
        let text = try? String(contentsOfFile: events, encoding: .utf8)
        if text?.contains("take_ended") == true { break }
      }
      kill(process.processIdentifier, number)
    }
    #expect(run.status == 130)
    #expect(run.errors.contains("Make the clip later with\n  overcrank retime "), "\(run.errors)")
    #expect(try folder.names == ["x.master.mov", "x.ndjson", "x.take.json"])
    let text = try String(contentsOfFile: events, encoding: .utf8)
    let ended = text.split(separator: "\n").last
    #expect(ended?.contains("no clip was written") == true, "\(text)")
  }
}
