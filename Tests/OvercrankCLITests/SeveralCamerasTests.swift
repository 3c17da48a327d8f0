import FrameJudge
import Foundation
import Overcrank
import Platform
import SystemPackage
import Takes
import Testing
import Timebase

@Suite("A recording with several cameras", .tags(.program), .timeLimit(.minutes(1)))
struct SeveralCamerasTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let table = """
      {"card": "Small", "modes": [
        {"fourcc": "MJPG", "width": 320, "height": 180, "intervals": [[1, 240], [1, 120]]}]}
      """
    try Data(table.utf8).write(to: folder.url.appending(path: "small.json"))
  }

  /// The simulated camera with these faults, in virtual time.
  private func camera(_ faults: String = "") -> String {
    "sim:\(folder.path("small.json")),clock=virtual\(faults)"
  }

  /// Records with a first camera and others.
  private func run(_ first: String = "", with others: [String] = [""], _ arguments: String...) throws
    -> OvercrankProgram
  {
    try OvercrankProgram(
      ["record", camera(first)] + others.flatMap { ["--with", camera($0)] } + [
        "--fps", "240", "--no-thumbnail", "-o", folder.path("x.mp4"),
      ] + arguments)
  }

  /// The take of a camera, whose master shows the frames that it lists.
  private func take(_ name: String) throws -> Take {
    let take = try folder.take(name)
    checkTruth(take)
    let strips = try StripVideo(folder.path("\(name).master.mov")).numbers
    #expect(strips == take.sequences.map { UInt32($0) })
    return take
  }

  private func group(_ name: String = "x") throws -> TakeGroup {
    try TakeGroup.read(from: FilePath(folder.path("\(name).group.json")))
  }

  @Test("begins and ends the takes of one trigger at the same moment, and places them on one clock")
  func triggered() throws {
    let run = try run(
      with: ["", ",fps=120"], "--pre", "1s", "--post", "2s", "--trigger", "time=3s", "--no-clip")
    try #require(run.status == 0, "\(run.errors)")
    let takes = try ["x-A", "x-B", "x-C"].map(take)
    for take in takes {
      try checkTriggered(take, pre: .seconds(1), post: .seconds(2))
      #expect(take.losses.isEmpty && take.trigger?.kind == "time")
      #expect(take.trigger?.frameTime == takes[0].trigger?.frameTime)
    }
    #expect(takes.map(\.frames.written) == [720, 720, 360])
    // Both sensors start with the clock.
    #expect(takes[0].timestamps == takes[1].timestamps)
    #expect(
      run.output.contains(
        "B begins 0 ms after A by the kernel's timestamps, give or take less than 0.001 ms."), "\(run.output)"
    )
    let group = try group()
    #expect(group.cameras.map(\.name) == ["A", "B", "C"] && group.failed.isEmpty)
    #expect(group.cameras.map(\.take) == ["x-A.take.json", "x-B.take.json", "x-C.take.json"])
    #expect(group.trigger == takes[0].trigger)
    for (camera, take) in zip(group.cameras, takes) {
      let first = try #require(take.timestamps.first)
      let zero = try #require(takes[0].timestamps.first)
      #expect(camera.offset == first - zero && camera.ratePartsPerMillion == 0)
      #expect(camera.methods == [.stamps])
      let uncertainty = try #require(camera.uncertainty)
      #expect(uncertainty <= .nanoseconds(2))
    }
    #expect(
      try folder.names == [
        "small.json", "x-A.master.mov", "x-A.take.json", "x-B.master.mov", "x-B.take.json", "x-C.master.mov",
        "x-C.take.json", "x.group.json",
      ])
  }

  @Test("with eight cameras of different phases has every frame, and places each camera to the nanosecond")
  func eight() throws {
    let phases = (0..<8).map { ",phase=\(1000 + 500 * $0)us" }
    let run = try run(
      phases[0], with: Array(phases.dropFirst()), "--pre", "200ms", "--post", "300ms", "--trigger", "time=1s",
      "--no-clip")
    try #require(run.status == 0, "\(run.errors)")
    let names = (0..<8).map { "x-\(GroupCamera.name($0))" }
    let takes = try names.map(take)
    let group = try group()
    #expect(group.cameras.map(\.take) == names.map { "\($0).take.json" })
    for (number, (camera, take)) in zip(group.cameras, takes).enumerated() {
      try checkTriggered(take, pre: .milliseconds(200), post: .milliseconds(300))
      #expect(take.losses.isEmpty && take.frames.written == 120)
      #expect(take.trigger?.frameTime == takes[0].trigger?.frameTime)
      let frames = try #require(take.sequences.first) - (try #require(takes[0].sequences.first))
      let truth = Double(500_000 * number) + Double(frames) * 1e9 / 240
      #expect((Double(camera.offset.wholeNanoseconds) - truth).magnitude <= 2, "\(camera)")
      #expect(try #require(camera.uncertainty) <= .nanoseconds(2))
    }
  }

  @Test("has each take of several in every camera, and a group file for each")
  func numbered() throws {
    let run = try run(
      "", with: [",fps=120"], "--pre", "100ms", "--post", "500ms", "--trigger", "time=1s", "--takes", "2",
      "--no-clip")
    try #require(run.status == 0, "\(run.errors)")
    for number in 1...2 {
      let takes = try ["x-\(number)-A", "x-\(number)-B"].map(take)
      for take in takes { try checkTriggered(take, pre: .milliseconds(100), post: .milliseconds(500)) }
      #expect(takes[0].trigger?.frameTime == takes[1].trigger?.frameTime)
      #expect(
        try group("x-\(number)").cameras.map(\.take) == ["A", "B"].map { "x-\(number)-\($0).take.json" })
    }
  }

  @Test("without a trigger, begins once all cameras send frames, and makes a clip of each take")
  func untriggered() throws {
    let run = try run("", with: [""], "--duration", "500ms", "--preset", "ultrafast", "--json")
    try #require(run.status == 0, "\(run.errors)")
    let takes = try ["x-A", "x-B"].map(take)
    #expect(takes.map(\.frames.written) == [120, 120])
    #expect(takes[0].timestamps == takes[1].timestamps)
    #expect(takes.allSatisfy { $0.trigger?.kind == "program" && $0.clips.count == 1 })
    let printed = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
    #expect(printed.map { $0["group_camera"] as? String } == ["A", "B"])
    #expect(printed.allSatisfy { ($0["group"] as? String)?.hasSuffix("/x.group.json") == true })
  }

  @Test("goes on with the other cameras when one is lost, and says which", arguments: ["A", "B"])
  func lost(_ name: String) throws {
    let fault = ",disconnect=100"
    let run = try run(
      name == "A" ? fault : "", with: [name == "B" ? fault : ""], "--duration", "2s", "--no-clip")
    // As a recording with a lone camera that is lost.
    let alone = try OvercrankProgram(
      ["record", camera(fault), "--duration", "2s", "--no-clip", "-o", folder.path("alone.mp4")])
    #expect(run.status == alone.status && run.status != 0)
    #expect(run.errors.contains("Camera \(name): "), "\(run.errors)")
    let other = name == "A" ? "B" : "A"
    #expect(try take("x-\(other)").frames.written == 480)
    let written = try take("x-\(name)").frames.written
    #expect((90...100).contains(written))
    let group = try group()
    #expect(group.failed.map(\.name) == [name])
    #expect(group.failed.first?.camera == camera(fault))
    #expect(Set(group.cameras.map(\.name)) == ["A", "B"])
  }

  @Test("names a camera that sends nothing until the end, in the group file too")
  func silent() throws {
    let run = try run(
      with: [",stall=3s@100"], "--pre", "100ms", "--post", "1s", "--trigger", "time=200ms", "--no-clip")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try take("x-A").frames.written > 200)
    #expect(try take("x-B").sequences.last == 99)
    #expect(run.errors.contains("x-B.take.json: No frame arrived in the last 0."), "\(run.errors)")
    #expect(!run.errors.contains("x-A.take.json: No frame"), "\(run.errors)")
    let failed = try group().failed
    #expect(failed.map(\.name) == ["B"] && failed.first?.camera == camera(",stall=3s@100"))
    #expect(failed.first?.error.hasPrefix("No frame arrived in the last 0.") == true, "\(failed)")
  }

  @Test("is triggered at the time that a lost camera waited for")
  func lostBeforeTime() throws {
    let run = try run(
      ",disconnect=100", with: [""], "--post", "500ms", "--trigger", "time=1s", "--no-clip")
    #expect(
      run.status != 0 && run.errors.contains("A: This camera failed. The other cameras go on."),
      "\(run.errors)")
    #expect(run.errors.components(separatedBy: "was unplugged").count == 2, "\(run.errors)")
    let take = try take("x-B")
    #expect(take.trigger?.kind == "time" && (119...121).contains(take.frames.written), "\(take.frames)")
    let group = try group()
    #expect(group.cameras.map(\.name) == ["B"] && group.failed.map(\.name) == ["A"])
  }

  @Test("names every camera that is lost")
  func allLost() throws {
    let run = try run(",disconnect=100", with: [",disconnect=200"], "--duration", "2s", "--no-clip")
    #expect(run.status != 0)
    #expect(run.errors.contains("Camera A: ") && run.errors.contains("Camera B: "), "\(run.errors)")
    #expect(try group().failed.map(\.name) == ["A", "B"])
  }

  @Test("refuses a name that is taken by the group file of any take, before it records")
  func groupFileInTheWay() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("x-2.group.json"), withIntermediateDirectories: false)
    let run = try run("", "--trigger", "time=1s", "--post", "100ms", "--takes", "2", "--no-clip")
    #expect(run.status == 73 && run.errors.contains("x-2.group.json"), "\(run.errors)")
    #expect(try folder.names == ["small.json", "x-2.group.json"])
  }

  @Test("is not of one clock if a camera's timestamps are far from the machine's")
  func earlyStamps() throws {
    let run = try run(
      with: [",stamp=-1.5s"], "--pre", "500ms", "--post", "500ms", "--trigger", "time=3s", "--no-clip")
    try #require(run.status == 0, "\(run.errors)")
    let camera = try #require(try group().cameras.last)
    #expect(camera.methods == [.trigger] && camera.uncertainty == nil)
    #expect((.milliseconds(-5)...(.milliseconds(5))).contains(camera.offset), "\(camera.offset)")
  }

  @Test("is a group of the library, which loses each take that is removed, and goes with the last")
  func library() throws {
    let recorded = try run("", with: [",fps=120"], "--frames", "12", "--no-clip")
    try #require(recorded.status == 0, "\(recorded.errors)")
    func takes(_ arguments: String...) throws -> OvercrankProgram {
      try OvercrankProgram(["takes"] + arguments)
    }
    func listed() throws -> [String: String] {
      let run = try takes("list", folder.url.path, "--json")
      let entries = try #require(
        try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
      return Dictionary(
        uniqueKeysWithValues: entries.compactMap { entry in
          (entry["name"] as? String).map { ($0, (entry["group"] as? String) ?? "none") }
        })
    }
    let file = folder.path("x.group.json")
    #expect(try listed() == ["x-A": file, "x-B": file])
    let lines = try takes("list", folder.url.path).output.split(separator: "\n")
    #expect(lines.first?.hasPrefix("group  ") == true && lines.dropFirst().allSatisfy { $0.hasPrefix("x ") })
    let shown = try takes("show", folder.path("x-B.take.json"))
    #expect(shown.output.contains("camera B of x.group.json, with x-A.take.json"), "\(shown.output)")

    let removed = try takes("remove", folder.path("x-A.take.json"), "--force")
    #expect(removed.status == 0 && removed.errors.contains("no longer names x-A"), "\(removed.errors)")
    let rest = try group()
    #expect(rest.cameras.map(\.name) == ["B"] && rest.cameras[0].offset == .zero)
    #expect(try listed() == ["x-B": file])
    let last = try takes("remove", folder.path("x-B.take.json"), "--force")
    #expect(last.output.contains("x.group.json: deleted for good."), "\(last.output)")
    #expect(try folder.names == ["small.json"])
  }

  @Test("is labelled, found, verified and removed as one group")
  func item() throws {
    let recorded = try run("", with: [",fps=120"], "--frames", "12", "--no-clip")
    try #require(recorded.status == 0, "\(recorded.errors)")
    let place = ["--folder", folder.url.path]
    func takes(_ arguments: String...) throws -> OvercrankProgram {
      try OvercrankProgram(["takes"] + arguments + place)
    }
    let labelled = try takes("label", "x", "over the wall")
    #expect(
      labelled.status == 0 && labelled.errors.contains("x.group.json: has the label"), "\(labelled.errors)")
    let shown = try takes("show", "over the wall")
    #expect(
      shown.output.contains("a group of 2 takes") && shown.output.contains("over the wall"), "\(shown.output)"
    )
    let clip = folder.url.appending(path: "x-slow.mp4")
    try Data("clip".utf8).write(to: clip)
    let sheet = try takes("show", "x")
    #expect(
      sheet.output.contains("\n  clip       x-slow.mp4, 4 B")
        && sheet.output.contains("\n  recorded   20"),
      "\(sheet.output)")
    let verified = try takes("verify", "x")
    #expect(verified.status == 65 && verified.output.contains("x-slow.mp4: "), "\(verified.output)")
    #expect(verified.output.contains("x-B.take.json: is intact."), "\(verified.output)")
    let held = try FileLock([FilePath(folder.path("x-B.master.mov"))], for: .reading)
    let busy = try takes("remove", "x", "--force")
    #expect(busy.status == 75 && busy.errors.contains("Nothing was deleted"), "\(busy.errors)")
    held.release()
    let removed = try takes("remove", "x", "x-A", "--force")
    #expect(removed.status == 0 && removed.errors.isEmpty, "\(removed.errors)")
    #expect(try folder.names == ["small.json"])
  }

  @Test("is shown, and made one clip, by its name or its label, as a take is")
  func named() throws {
    let library = folder.url.appending(path: "overcrank")
    try FileManager.default.createDirectory(at: library, withIntermediateDirectories: false)
    func run(_ arguments: String...) throws -> OvercrankProgram {
      try OvercrankProgram(arguments, environment: ["XDG_VIDEOS_DIR": folder.url.path])
    }
    let recorded = try run(
      "record", camera(), "--with", camera(), "--fps", "240", "--frames", "24", "--no-clip", "--no-thumbnail",
      "--label", "over the wall", "-o", library.appending(path: "x.mp4").path)
    try #require(recorded.status == 0, "\(recorded.errors)")
    let shown = try run("show", "over the wall")
    #expect(
      shown.status == 0 && shown.output.contains("a group of 2 takes"), "\(shown.output + shown.errors)")
    let copied = try run("retime", "x", "--copy", "--speed", "1/8")
    #expect(copied.status == 64 && copied.errors.contains("a clip of a group"), "\(copied.errors)")
    let made = try run("retime", "over the wall", "--speed", "1/8", "--preset", "ultrafast")
    #expect(made.status == 0, "\(made.errors)")
    #expect(FileManager.default.fileExists(atPath: library.appending(path: "x-slow.mp4").path))
  }

  @Test("begins nothing if a camera cannot start, and names it")
  func startFailure() throws {
    let run = try run("", with: [",disconnect=0"], "--duration", "1s")
    #expect(run.status != 0)
    #expect(run.errors.contains("Camera B: "), "\(run.errors)")
    #expect(try folder.names == ["small.json"])
  }

  @Test("names the camera in every event")
  func events() throws {
    let run = try run(
      "", with: [""], "--post", "200ms", "--trigger", "time=500ms", "--no-clip", "--events", "-")
    try #require(run.status == 0, "\(run.errors)")
    let events = try run.output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    for camera in ["A", "B"] {
      let own = events.filter { $0["camera"] as? String == camera }.compactMap { $0["event"] as? String }
      #expect(own.first == "started" && own.last == "ended", "\(own)")
      #expect(own.contains("triggered") && own.contains("take_ended"))
    }
    #expect(events.allSatisfy { $0["camera"] != nil })
  }

  @Test("is refused if only some cameras are in virtual time")
  func mixed() throws {
    let run = try OvercrankProgram(
      ["record", camera(), "--with", "sim:", "--duration", "1s", "-o", folder.path("x.mp4")])
    #expect(run.status != 0)
    #expect(run.errors.contains("Give clock=virtual to all cameras, or to none"), "\(run.errors)")
    #expect(try folder.names == ["small.json"])
  }

  @Test("on a disk that becomes full has complete takes and their group", .enabled(if: SmallDisk.isPossible))
  func fullDisk() throws {
    let disk = try #require(try SmallDisk(bytes: 1 << 20))
    let run = try OvercrankProgram(
      "record", camera(), "--with", camera(), "--fps", "240", "--duration", "5s", "--no-clip",
      "--no-thumbnail",
      "-o", disk.path("x.mp4"))
    #expect(run.status == 74)
    for name in ["A", "B"] {
      #expect(run.errors.contains("Camera \(name): \(disk.path("x-\(name).master.mov"))"))
    }
    #expect(
      try disk.names
        == ["A", "B"].flatMap { ["x-\($0).master.mov", "x-\($0).take.json"] } + ["x.group.json"])
    for name in ["x-A", "x-B"] {
      let take = try #require(try Take.read(from: FilePath(disk.path("\(name).take.json"))))
      checkTruth(take)
      #expect(take.frames.lost.disk == take.frames.lost.total && take.frames.written > 0)
      let strips = try StripVideo(disk.path("\(name).master.mov"))
      #expect(strips.numbers == take.sequences.map { UInt32($0) } && strips.complaints.isEmpty)
    }
    let group = try TakeGroup.read(from: FilePath(disk.path("x.group.json")))
    #expect(group.cameras.map(\.name) == ["A", "B"])
  }

  @Test("of which two are started with one name: one has it, and the other is refused and leaves nothing")
  func twoAtOnce() throws {
    let first = try OvercrankProgram(
      [
        "record", camera(), "--with", camera(), "--fps", "240", "--no-clip", "--no-thumbnail", "-o",
        folder.path("x.mp4"),
      ],
      whileRunning: { process in
        for name in ["x-A", "x-B"] { folder.waitForVideo(of: process, clip: name) }
        for replacing in [[], ["--force"]] {
          let second = try OvercrankProgram(
            ["record", camera(), "--with", camera(), "--frames", "24", "-o", folder.path("x.mp4")] + replacing
          )
          #expect(second.status == 75)
          #expect(second.errors.contains("another program is writing"), "\(second.errors)")
        }
        kill(process.processIdentifier, SIGINT)
      })
    try #require(first.status == 0, "\(first.errors)")
    for name in ["x-A", "x-B"] { #expect(try take(name).frames.written > 24) }
    #expect(
      try folder.names == [
        "small.json", "x-A.master.mov", "x-A.take.json", "x-B.master.mov", "x-B.take.json", "x.group.json",
      ])
    #expect(try group().failed.isEmpty)
  }

  @Test("replaces files only if told to")
  func existing() throws {
    try Data("{}".utf8).write(to: folder.url.appending(path: "x.group.json"))
    let refused = try run("", with: [""], "--duration", "100ms", "--no-clip")
    #expect(refused.status == 73)
    #expect(refused.errors.contains("x.group.json"), "\(refused.errors)")
    let run = try run("", with: [""], "--duration", "100ms", "--no-clip", "--force")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try group().cameras.count == 2)
  }
}
