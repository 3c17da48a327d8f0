import FrameJudge
import Foundation
import Takes
import Testing

@Suite("Clips from the command line", .tags(.program), .timeLimit(.minutes(1)))
struct ClipTests {
  /// A take of the simulated camera at 240 fps, and the frames that its clip must show at 30.
  private func record(_ camera: String, _ folder: TemporaryFolder, _ arguments: String...) throws -> Take {
    let run = try OvercrankProgram(
      ["record", camera, "--format", "mjpeg", "--preset", "ultrafast", "-o", folder.path("x.mp4")] + arguments
    )
    #expect(run.status == 0, "\(run.errors)")
    return try folder.take()
  }

  /// The number that each sensor frame's place in the clip shows: its own, or that of the last frame written.
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
    "show every frame once and in order at 240 to 30 fps, and repeat the frame before a lost one",
    arguments: ["", "drop=20-24+40", "corrupt=9,huffman=missing", "jitter=3ms"])
  func everyFrame(_ faults: String) throws {
    let folder = try TemporaryFolder()
    let take = try record(SmallCamera.inVirtualTime(faults), folder, "--frames", "60", "--speed", "1/8")
    #expect(try StripVideo(folder.path("x.mp4")).numbers == shown(take).map { $0 })
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

  @Test("at 60 fps show every frame of 240 once, four times slower")
  func clipRate() throws {
    let folder = try TemporaryFolder()
    let take = try record(
      SmallCamera.inVirtualTime(), folder, "--fps", "240", "--frames", "60", "--clip-fps", "60")
    #expect(try StripVideo(folder.path("x.mp4")).numbers == shown(take).map { $0 })
    let probe = try Probe(folder.path("x.mp4"))
    let stream = try #require(probe.streams.first)
    #expect(stream.r_frame_rate == "60/1" && stream.avg_frame_rate == "60/1")
    #expect(probe.format.tags?["comment"] == "Overcrank, speed 1/4")
    #expect(probe.packets.count == Int(take.frames.sent))
  }

  @Test(
    "use the rate that shows every frame once if players support it, and report skipped or repeated frames",
    arguments: [
      ("1/4", [], "60/1", 60, ""), ("1/8", [], "30/1", 60, ""), ("1/10", [], "24/1", 60, ""),
      ("1/2", [], "30/1", 15, "45 captured frames are left out (--clip-fps 120 shows all"),
      ("1/4", ["--clip-fps", "30"], "30/1", 30, "30 captured frames are left out (--clip-fps 60 shows all"),
      ("1/16", [], "30/1", 120, "60 repeat the previous frame: at this speed there are 15 captured frames"),
    ])
  func usualRate(_ speed: String, _ options: [String], _ rate: String, _ frames: Int, _ words: String) throws
  {
    let folder = try TemporaryFolder()
    let run = try OvercrankProgram(
      [
        "record", SmallCamera.inVirtualTime(), "--fps", "240", "--frames", "60", "--preset", "ultrafast",
        "--scale",
        "160",
        "--speed", speed, "-o", folder.path("x.mp4"),
      ] + options)
    #expect(run.status == 0, "\(run.errors)")
    let take = try folder.take()
    let probe = try Probe(folder.path("x.mp4"))
    #expect(probe.streams.first?.r_frame_rate == rate)
    let clip = try #require(take.clips.first)
    #expect(clip.framesPerSecond == rate.split(separator: "/").first.flatMap { Double($0) })
    // A busy machine loses frames, whose time the clip keeps.
    guard take.frames.lost.total == 0 else { return }
    #expect(probe.packets.count == frames && clip.frames == frames)
    #expect(clip.skipped == max(0, 60 - frames) && clip.held == max(0, frames - 60))
    #expect(run.output.contains(words.isEmpty ? " MB" : words) || run.output.contains(" kB"), "\(run.output)")
    #expect(run.output.contains("left out") == (frames < 60))
    #expect(run.output.contains("repeat") == (frames > 60))
  }

  @Test("are rendered from several sources, beside each or in a folder; two with the same name are refused")
  func severalSources() throws {
    let folder = try TemporaryFolder()
    for name in ["a.mov", "b.mov"] {
      try Program.ffmpeg(
        "-f", "lavfi", "-i", "testsrc=s=64x32:r=60:d=0.2", "-c:v", "mjpeg", folder.path(name))
    }
    try Data("no film".utf8).write(to: folder.url.appending(path: "c.mov"))
    let videos = ["a.mov", "c.mov", "b.mov"].map(folder.path)
    let run = try OvercrankProgram(["retime"] + videos + ["--speed", "1/2"])
    // An unreadable source does not hold up the others.
    #expect(run.status == 65, "\(run.errors)")
    #expect(run.errors.contains("c.mov"))
    #expect(try folder.names == ["a-slow.mp4", "a.mov", "b-slow.mp4", "b.mov", "c.mov"])
    let clips = folder.path("clips") + "/"
    try FileManager.default.createDirectory(atPath: clips, withIntermediateDirectories: false)
    let json = try OvercrankProgram("retime", videos[0], videos[2], "--json", "--fps", "25", "-o", clips)
    #expect(try json.json([Take.Clip].self).map(\.file) == [clips + "a-slow.mp4", clips + "b-slow.mp4"])
    #expect(try json.json([Take.Clip].self).map(\.framesPerSecond) == [25, 25])
    #expect(try OvercrankProgram("retime", videos[0], videos[2], "-o", folder.path("x.mp4")).status == 64)
    #expect(try OvercrankProgram("retime", videos[0], videos[0], "--force").status == 64)
  }

  @Test("of raw frames are copied into a container that can hold them; a copy reports that it drops audio")
  func copies() throws {
    let folder = try TemporaryFolder()
    _ = try record(SmallCamera.inVirtualTime(), folder, "--frames", "10", "--no-clip")
    let raw = try OvercrankProgram(
      "record", SmallCamera.inVirtualTime(), "--format", "yuyv", "--frames", "5", "--copy", "--speed", "1/8",
      "-o",
      folder.path("y.mp4"))
    #expect(
      raw.status == 69 && raw.errors.contains("ends in .mov") && raw.errors.contains("--copy"),
      "\(raw.errors)"
    )
    #expect(
      try OvercrankProgram(
        "record", SmallCamera.inVirtualTime(), "--format", "yuyv", "--frames", "5", "--no-clip", "-o",
        folder.path("y.mp4")
      )
      .status == 0)
    let copy = try OvercrankProgram("retime", folder.path("y.master.mov"), "--speed", "1/8", "--copy")
    #expect(copy.status == 0, "\(copy.errors)")
    #expect(try folder.names.contains("y-slow.mov"))
    let video = folder.path("film.mov")
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "testsrc=s=64x32:r=60:d=0.2", "-f", "lavfi", "-i", "sine=d=0.2", "-c:v", "mjpeg",
      video)
    let silent = try OvercrankProgram("retime", video, "--speed", "1/2", "--copy")
    #expect(
      silent.output.contains("the audio is left out, because --copy never keeps it"), "\(silent.output)")
  }

  @Test("at twice the speed show every second frame")
  func faster() throws {
    let folder = try TemporaryFolder()
    let take = try record(
      SmallCamera.inVirtualTime(), folder, "--frames", "60", "--speed", "1/4", "--clip-fps", "30")
    let all = shown(take)
    let expected = stride(from: 0, to: all.count, by: 2).map { all[$0] }
    #expect(try StripVideo(folder.path("x.mp4")).numbers == expected.map { $0 })
  }

  @Test("--discard-master leaves only the clip and the take file")
  func discard() throws {
    let folder = try TemporaryFolder()
    let take = try record(SmallCamera.inVirtualTime(), folder, "--frames", "10", "--discard-master")
    #expect(take.master == nil)
    #expect(try folder.names == ["x.mp4", "x.take.json"])
  }

  @Test("retime renders the clip again from master and take; --copy keeps the frames and stretches times")
  func retime() throws {
    let folder = try TemporaryFolder()
    let take = try record(SmallCamera.inVirtualTime("drop=10-12"), folder, "--frames", "40", "--no-clip")
    let master = folder.path("x.master.mov")
    let again = try OvercrankProgram(
      "retime", master, "--speed", "1/8", "--preset", "ultrafast", "-o", folder.path("again.mp4"))
    #expect(again.status == 0, "\(again.errors)")
    #expect(try StripVideo(folder.path("again.mp4")).numbers == shown(take).map { $0 })

    let copy = try OvercrankProgram(
      "retime", master, "--speed", "1/8", "--copy", "-o", folder.path("copy.mov"))
    #expect(copy.status == 0, "\(copy.errors)")
    let (before, after) = (try Probe(master), try Probe(folder.path("copy.mov")))
    #expect(after.streams.first?.codec_name == "mjpeg")
    #expect(after.packets.map(\.size) == before.packets.map(\.size))
    #expect(try StripVideo(folder.path("copy.mov")).numbers == take.sequences.map { UInt32($0) })
    func seconds(_ probe: Probe) throws -> [Double] {
      let terms = try #require(probe.streams.first).time_base.split(separator: "/").compactMap { Double($0) }
      return probe.packets.map { Double($0.pts ?? 0) * terms[0] / terms[1] }
    }
    for (fast, slow) in zip(try seconds(before), try seconds(after)) { #expect(abs(slow - 8 * fast) < 1e-9) }
  }

  @Test("Ctrl-C leaves no clip, and the master unchanged")
  func cancelled() throws {
    let folder = try TemporaryFolder()
    _ = try record(SmallCamera.inVirtualTime(), folder, "--frames", "120", "--no-clip")
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
