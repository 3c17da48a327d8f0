import FrameJudge
import Foundation
import Overcrank
import Retime
import SystemPackage
import Takes
import Testing
import Timebase

@Suite("A clip of several cameras", .tags(.program), .timeLimit(.minutes(1)))
struct GroupClipTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @discardableResult
  private func run(_ arguments: String...) throws -> OvercrankProgram {
    let run = try OvercrankProgram(arguments)
    try #require(run.status == 0, "\(run.errors)")
    return run
  }

  private func record(_ faults: String, _ name: String, fps: Int, frames: Int) throws -> Take {
    try run(
      "record", SmallCamera.inVirtualTime(faults), "--fps", "\(fps)", "--frames", "\(frames)", "--no-clip",
      "-o",
      folder.path("\(name).mp4"))
    return try folder.take(name)
  }

  private func group(_ name: String = "x") throws -> TakeGroup {
    try TakeGroup.read(from: FilePath(folder.path("\(name).group.json")))
  }

  /// The frame numbers that each camera of the group must show, by the capture times in the takes alone: at each
  /// moment, the last frame that comes before it, or less than half a frame of the clip after it.
  ///
  /// - Parameters:
  ///   - unit: nanoseconds of capture time from frame to frame of the clip.
  ///   - span: the part of the common time, in nanoseconds.
  private func expected(
    _ group: TakeGroup, every unit: Double, in span: Range<Double>? = nil
  ) throws -> [[UInt32?]] {
    let cameras = try group.cameras.map { camera in
      let take = try folder.take(String(camera.take.dropLast(".take.json".count)))
      let times = try take.timestamps.map { time in
        Double(camera.place(of: time - (try #require(take.timestamps.first))).wholeNanoseconds)
      }
      let count = try #require(take.sequences.last) - (try #require(take.sequences.first))
      let interval = (times[times.count - 1] - times[0]) / Double(count)
      return (numbers: take.sequences.map { UInt32($0) }, times: times, interval: interval)
    }
    let start = try #require(cameras.map { $0.times[0] }.max())
    let end = try #require(cameras.map { $0.times[$0.times.count - 1] + $0.interval }.min())
    let span = span ?? 0..<end - start
    return cameras.map { camera in
      (0..<Int(((span.upperBound - span.lowerBound) / unit).rounded())).map { frame in
        let moment = start + span.lowerBound + Double(frame) * unit
        let last = camera.times.lastIndex { $0 <= moment + min(unit, camera.interval) / 2 }
        return camera.numbers[last ?? 0]
      }
    }
  }

  @Test("shows each camera's frames at their capture times, and holds lost ones where they lie")
  func captureTimes() throws {
    _ = try record("phase=1ms,drop=20-24", "x-A", fps: 240, frames: 120)
    _ = try record("phase=2300us,drop=40", "x-B", fps: 120, frames: 60)
    try run("takes", "align", folder.path("x-A.take.json"), folder.path("x-B.take.json"), "--by", "stamps")
    let clip = folder.path("side.mp4")
    let made = try run("retime", folder.path("x.group.json"), "--preset", "ultrafast", "-o", clip)
    #expect(made.output.contains("2 cameras in the 0."), "\(made.output)")
    let numbers = try expected(group(), every: 1e9 / 240)
    let cells = try ["320:180:0:0", "320:180:320:0"].map { try StripVideo(clip, part: $0).numbers }
    #expect(cells == numbers)
    let stream = try #require(try Probe(clip).streams.first)
    #expect(stream.width == 640 && stream.height == 180 && stream.avg_frame_rate == "30/1")

    let backwards = folder.path("back.mp4")
    try run(
      "retime", folder.path("x.group.json"), "--layout", "stack", "--reverse", "--preset", "ultrafast", "-o",
      backwards)
    // The file of the group lists both, as a take lists its own.
    let listed = try group().clips
    #expect(listed.map(\.file) == ["side.mp4", "back.mp4"])
    #expect(listed.allSatisfy { $0.frames == numbers[0].count })
    let specs = try listed.map { try #require($0.spec.flatMap(ClipSpec.init)) }
    #expect(specs.map { $0.render?.layout } == [.side, .stack])
    #expect(specs[1].render?.stages[PlaybackOrder.self] == .reverse)
    let sheet = try run("show", folder.path("x.group.json"))
    let told = try #require(sheet.output.split(separator: "\n").first { $0.contains("back.mp4") })
    #expect(
      told.hasPrefix("  clip       back.mp4, ") && told.hasSuffix(", plays at 1/8, stack, 30 fps"), "\(told)")
    let json = try run("takes", "show", folder.path("x.group.json"), "--json")
    let shown = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    #expect((shown["clips"] as? [[String: Any]])?.map { $0["file"] as? String } == [clip, backwards])
    let stacked = try ["320:180:0:0", "320:180:0:180"].map { try StripVideo(backwards, part: $0).numbers }
    #expect(stacked == numbers.map { $0.reversed() })
  }

  @Test("in another folder, or on a pipe, is not listed, and aligning the takes again keeps the list")
  func listedHere() throws {
    _ = try record("", "x-A", fps: 240, frames: 12)
    _ = try record("", "x-B", fps: 240, frames: 12)
    let source = folder.path("x.group.json")
    try run("takes", "align", folder.path("x-A.take.json"), folder.path("x-B.take.json"), "--by", "stamps")
    let elsewhere = try TemporaryFolder()
    try run("retime", source, "--preset", "ultrafast", "-o", elsewhere.path("far.mp4"))
    #expect(try OvercrankProgram(["retime", source, "-o", "-"]).status == 0)
    #expect(try group().clips.isEmpty)
    try run("retime", source, "--preset", "ultrafast")
    #expect(try group().clips.map(\.file) == ["x-slow.mp4"])
    try run("takes", "align", source, "--by", "stamps", "--force")
    #expect(try group().clips.map(\.file) == ["x-slow.mp4"])
    // Another group has no clip of this one.
    try run("takes", "align", source, "--by", "stamps", "-o", folder.path("y"))
    #expect(try group("y").clips.isEmpty)
    // A link would be replaced by the changed file.
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("z.group.json"), withDestinationPath: "x.group.json")
    let linked = try run("retime", folder.path("z.group.json"), "--preset", "ultrafast")
    #expect(linked.errors.contains("z.group.json: does not list the new clip."), "\(linked.errors)")
    #expect(try folder.names.contains("z-slow.mp4") && group().clips.count == 1)
  }

  @Test("is made by the group's name and listed with it, and a later change of its speed is entered there")
  func item() throws {
    _ = try record("", "x-A", fps: 240, frames: 24)
    _ = try record("", "x-B", fps: 240, frames: 24)
    let source = folder.path("x.group.json")
    try run("takes", "align", folder.path("x-A.take.json"), folder.path("x-B.take.json"), "--by", "stamps")
    let edit = ["takes", "edit", "--folder", folder.url.path, "--speed", "1/8"]
    let clip = folder.path("x-slow.mp4")
    let made = try OvercrankProgram(edit + ["x", "--layout", "stack", "--preset", "ultrafast", "--json"])
    try #require(made.status == 0, "\(made.errors)")
    let entries = try #require(
      try JSONSerialization.jsonObject(with: Data(made.output.utf8)) as? [[String: Any]])
    #expect(entries.map { $0["file"] as? String } == [clip] && entries[0]["source"] as? String == source)
    let stream = try #require(try Probe(clip).streams.first)
    #expect(stream.width == 320 && stream.height == 360)
    let refusals = [(["x", "--copy"], "leave out --copy"), (["x-A", "--layout", "side"], "is not a group")]
    for (options, words) in refusals {
      let refused = try OvercrankProgram(edit + options)
      #expect(refused.status == 64 && refused.errors.contains(words), "\(refused.status) \(refused.errors)")
    }

    let list = try run("takes", "list", folder.url.path).output
    let told = try #require(list.split(separator: "\n").first { $0.hasPrefix("  x: ") })
    #expect(told.hasPrefix("  x: x-slow.mp4, ") && told.hasSuffix(", plays at 1/8, stack, 30 fps"), "\(list)")
    let listed = try #require(
      try JSONSerialization.jsonObject(
        with: Data(run("takes", "list", folder.url.path, "--json").output.utf8)) as? [[String: Any]])
    #expect(listed.map { $0["group_clips"] as? [String] } == [[clip], [clip]])
    #expect(listed.allSatisfy { ($0["clips"] as? [String])?.isEmpty == true })

    // An animation itself does not state its speed.
    let gif = folder.path("both.gif")
    try run("retime", source, "--speed", "1/8", "-o", gif)
    let shown = try #require(
      try JSONSerialization.jsonObject(with: Data(run("show", gif, "--json").output.utf8)) as? [String: Any])
    #expect(shown["role"] as? String == "clip" && shown["speed"] as? String == "1/8")
    #expect(shown["group"] as? String == source && shown["capture_fps_from"] as? String == "group")
    let sheet = try run("show", gif).output
    #expect(sheet.contains("the clip of a group"), "\(sheet)")
    #expect(sheet.contains("x.group.json: a group of 2 takes"), "\(sheet)")

    try run("retime", clip, "--copy", "--in-place", "--speed", "1/16")
    let entry = try #require(try group().clips.first)
    #expect(entry.file == "x-slow.mp4" && entry.speed == "1/16" && abs(entry.framesPerSecond - 15) < 1e-9)
    #expect(entry.spec.flatMap(ClipSpec.init)?.render?.layout == .stack)
    try run("retime", source, "--speed", "1/4", "--preset", "ultrafast", "--force", "-o", clip)
    #expect(try group().clips.map(\.file) == ["both.gif", "x-slow.mp4"])
    #expect(try group().clips.map(\.speed) == ["1/8", "1/4"])
  }

  @Test("is exported with the rest of a group whose takes were moved before, without being named")
  func movedWithoutNames() throws {
    _ = try record("", "x-A", fps: 240, frames: 12)
    _ = try record("", "x-B", fps: 240, frames: 12)
    let source = folder.path("x.group.json")
    try run("takes", "align", folder.path("x-A.take.json"), folder.path("x-B.take.json"), "--by", "stamps")
    try run("retime", source, "--preset", "ultrafast", "-o", folder.path("both.mp4"))
    let target = try TemporaryFolder()
    // What an interrupted move leaves: the takes are at the destination.
    for name in try folder.names where name.hasPrefix("x-") {
      try FileManager.default.moveItem(atPath: folder.path(name), toPath: target.path(name))
    }
    let export = ["takes", "export", "--with-master", "--move", "--yes", "--folder", folder.url.path, "--to"]
    let nowhere = try TemporaryFolder()
    let refused = try OvercrankProgram(export + [nowhere.url.path])
    let words = "x.group.json: its take x-A.take.json is missing"
    #expect(refused.status == 0 && refused.errors.contains(words), "\(refused.errors)")
    #expect(refused.errors.contains("It is not exported.") && FileManager.default.fileExists(atPath: source))
    let moved = try OvercrankProgram(export + [target.url.path])
    #expect(
      moved.status == 0 && moved.output.contains("x.group.json: moved to"), "\(moved.output) \(moved.errors)")
    let left = ["both.mp4", "x.group.json"]
    #expect(try folder.names.allSatisfy { !left.contains($0) } && Set(left).isSubset(of: target.names))
  }

  @Test("of a recording with three shows a part of their common time in a grid, inset, and as a GIF")
  func recorded() throws {
    let cameras = ["phase=1ms", "phase=2ms,drop=100-103", "fps=120"]
    try run(
      "record", SmallCamera.inVirtualTime(cameras[0]), "--with", SmallCamera.inVirtualTime(cameras[1]),
      "--with",
      SmallCamera.inVirtualTime() + ",\(cameras[2])", "--fps", "240", "--duration", "1s", "--no-clip",
      "--no-thumbnail", "-o", folder.path("x.mp4"))
    let source = folder.path("x.group.json")
    let numbers = try expected(group(), every: 1e9 / 240, in: 300e6..<600e6)
    let options = ["--in", "300ms", "--out", "600ms", "--speed", "1/4", "--preset", "ultrafast"]
    let grid = folder.path("grid.mp4")
    let made = try OvercrankProgram(["retime", source, "--layout", "grid", "-o", grid, "--json"] + options)
    try #require(made.status == 0, "\(made.errors)")
    let cells = try ["0:0", "320:0", "0:180"].map { try StripVideo(grid, part: "320:180:\($0)").numbers }
    #expect(cells == numbers && cells[0].count == 72)
    let entries = try #require(
      try JSONSerialization.jsonObject(with: Data(made.output.utf8)) as? [[String: Any]])
    #expect(entries.first?["source"] as? String == source)
    #expect((try StripVideo(grid, part: "320:180:320:180").numbers).allSatisfy { $0 == 0 })

    let inset = folder.path("inset.mp4")
    try #require(
      try OvercrankProgram(["retime", source, "--layout", "inset", "-o", inset] + options).status == 0)
    #expect(try StripVideo(inset).numbers == numbers[0])
    let flow = folder.path("flow.mp4")
    let interpolated = try OvercrankProgram(
      ["retime", source, "--layout", "side", "--fill", "flow", "--text", "words", "-o", flow] + options)
    #expect(interpolated.status == 0 && interpolated.output.contains("interpolated"), "\(interpolated)")
    #expect(try Probe(flow).packets.count == 72)
    let gif = folder.path("x.gif")
    try run("retime", source, "--layout", "grid", "--out", "100ms", "--speed", "1/4", "-o", gif)
    #expect(try Probe(gif).streams.first?.width == 480)
    let shown = try OvercrankProgram("show", gif)
    #expect(shown.output.contains("; plays at 1/4, according to its group"), "\(shown.output)")
  }

  @Test("that is wider than usual is scaled down, and its summary says so")
  func wide() throws {
    _ = try record("", "x-A", fps: 240, frames: 6)
    let take = try String(contentsOfFile: folder.path("x-A.take.json"), encoding: .utf8)
    let cameras = try (0..<13).map { number in
      let name = "x-\(number)"
      try Data(take.replacing("x-A.", with: "\(name).").utf8).write(
        to: URL(filePath: folder.path("\(name).take.json")))
      try FileManager.default.copyItem(
        atPath: folder.path("x-A.master.mov"), toPath: folder.path("\(name).master.mov"))
      return
        #"{"name":"\#(number)","take":"\#(name).take.json","offset_ns":0,"rate_ppm":0,"uncertainty_ns":0,"by":["stamps"]}"#
    }
    let text = #"{"overcrank":"0.2.0","trigger":null,"cameras":[\#(cameras.joined(separator: ","))]}"#
    try Data(text.utf8).write(to: URL(filePath: folder.path("x.group.json")))
    let clip = folder.path("wide.mp4")
    let made = try run("retime", folder.path("x.group.json"), "--preset", "ultrafast", "-o", clip)
    #expect(made.output.contains("scaled down from 4160x180 (--scale"), "\(made.output)")
    #expect(try Probe(clip).streams.first?.width == 3840)
  }

  @Test("is refused with the remedy where a camera, its time or its files are missing")
  func refusals() throws {
    _ = try record("", "x-A", fps: 240, frames: 24)
    _ = try record("", "x-B", fps: 240, frames: 24)
    func write(_ cameras: String...) throws {
      let text = #"{"overcrank":"0.2.0","trigger":null,"cameras":[\#(cameras.joined(separator: ","))]}"#
      try Data(text.utf8).write(to: URL(filePath: folder.path("x.group.json")))
    }
    func camera(_ name: String, offset: Int = 0) -> String {
      #"{"name":"\#(name)","take":"x-\#(name).take.json","offset_ns":\#(offset),"rate_ppm":0,"#
        + #""uncertainty_ns":0,"by":["stamps"]}"#
    }
    func refusal(_ options: String..., status: Int32, _ words: String) throws {
      let run = try OvercrankProgram(
        ["retime", folder.path("x.group.json"), "-o", folder.path("x.mp4")] + options)
      #expect(run.status == status && run.errors.contains(words), "\(run.status) \(run.errors)")
      #expect(try !folder.names.contains("x.mp4"))
    }
    try write(camera("A"), camera("B", offset: 1_000_000_000))
    try refusal(status: 65, "no time in which all 2 cameras")
    try write(camera("A"), camera("B"))
    try refusal("--fill", "skip", status: 64, "--fill hold")
    try refusal("--copy", "--speed", "1/8", status: 64, "leave out --copy")
    try refusal(
      "--in", "2s", status: 64, "x.group.json: lasts 0.1 s of capture time, but the part begins after that")
    try refusal("--clip-fps", "1/50", status: 64, "x.group.json: at 0.02 frames per second")
    try refusal(
      "--clip-fps", "1/50", status: 64, "would play 12000 times slower than real time, and 10000 times")
    try refusal(
      "--deinterlace", "auto", status: 64, "x.group.json: \(folder.path("x-A.master.mov")): does not state")
    try refusal("--under", "1kB", status: 64, "x.group.json: a clip of it cannot stay under 1 kB")
    try refusal("--for", "phone", status: 64, "--layout stack")
    let single = try OvercrankProgram("retime", folder.path("x-A.master.mov"), "--layout", "side")
    #expect(single.status == 64 && single.errors.contains("is not a group, so"), "\(single.errors)")
    try FileManager.default.removeItem(atPath: folder.path("x-B.master.mov"))
    try refusal(status: 66, "x-B.master.mov")
    let other = try TemporaryFolder()
    for file in ["x-B.take.json", "x-A.master.mov"] {
      try FileManager.default.moveItem(atPath: folder.path(file), toPath: other.path(file))
      try FileManager.default.createSymbolicLink(
        atPath: folder.path(file), withDestinationPath: other.path(file))
    }
    try refusal(status: 66, "has no master in its folder")
    try write(camera("B"))
    try refusal(status: 66, "a link leads to it")
  }
}
