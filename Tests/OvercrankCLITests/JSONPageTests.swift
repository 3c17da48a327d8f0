import FrameJudge
import Foundation
import Testing

/// JSON that a section of `docs/json.md` describes.
struct DescribedJSON: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let section: String
  let isArray: Bool
  let make: @Sendable (JSONPageRun) throws -> Any

  /// A value of ours as JSON.
  static func value(_ section: String, _ value: @escaping @Sendable () throws -> any Encodable) -> Self {
    Self(testDescription: "a value", section: section, isArray: false) { _ in try encoded(value()) }
  }

  /// The output of `line` with `--json`, in a folder `@` that has the take `x` and a user's setups.
  static func command(
    _ line: String, _ section: String, isArray: Bool = false, status: Int32 = 0,
    prepare: @escaping @Sendable (TemporaryFolder) throws -> Void = { _ in }
  ) -> Self {
    Self(testDescription: line, section: section, isArray: isArray) { shared in
      let folder = try TemporaryFolder()
      try shared.copyTake(to: folder)
      try prepare(folder)
      let words = line.split(separator: " ").map { word in
        word == "@" || word.hasPrefix("@/") ? folder.url.path + word.dropFirst() : String(word)
      }
      let run = try OvercrankProgram(words + ["--json"], environment: ["XDG_CONFIG_HOME": folder.url.path])
      #expect(run.status == status, "\(run.errors)")
      return try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    }
  }

  static func encoded(_ value: any Encodable) throws -> Any {
    try JSONSerialization.jsonObject(with: JSONEncoder().encode(value), options: .fragmentsAllowed)
  }
}

/// `docs/json.md` compared with the encoders' output.
@Suite(
  "docs/json.md has every printed key, and no other", .tags(.program), .timeLimit(.minutes(1)),
  MeetsEveryKey())
struct JSONPageTests {
  @Test(
    "of every command, and of output that needs devices which this machine may lack",
    arguments: [DescribedJSON.recording] + DescribedJSON.commands + DescribedJSON.values)
  func keys(_ item: DescribedJSON) throws {
    let run = try #require(JSONPageRun.current)
    try run.check(item.make(run), item.section, isArray: item.isArray)
  }
}

extension DescribedJSON {
  /// The output of the shared take's recording, which has more than its file.
  static let recording = Self(testDescription: "record", section: "take", isArray: true) { run in
    let takes = try JSONSerialization.jsonObject(with: run.printed)
    let file = try JSONSerialization.jsonObject(
      with: Data(contentsOf: URL(filePath: "\(run.recordedIn)/x.take.json")))
    try run.check(file, "take")
    let inFile = try #require(file as? [String: Any])
    let printed = try #require((takes as? [[String: Any]])?.first)
    #expect(Set(printed.keys) == Set(inFile.keys).union(["take", "master_bytes", "export"]))
    #expect(printed["master"] as? String == "\(run.recordedIn)/x.master.mov")
    #expect(printed["take"] as? String == "\(run.recordedIn)/x.take.json")
    #expect((printed["clips"] as? [[String: Any]])?.first?["file"] as? String == "\(run.recordedIn)/x.mp4")
    return takes
  }

  static let commands: [Self] = [
    .command(
      "record sim: --max-width 640 --frames 80 --ring 32MiB --no-clip -o @/heard.mp4 --mic sim:,drop=1ms-90s",
      "take",
      isArray: true),
    .command(
      "record sim:,clock=virtual --with sim:,clock=virtual --max-width 640 --frames 8 --no-clip -o @/two.mp4",
      "take", isArray: true),
    .command("retime @/x.master.mov --speed 1/8 --scale 160 --fill flow", "clip", isArray: true),
    .command("retime @/x.master.mov --speed 1/8 --copy --in-place", "changed-video", isArray: true),
    .command("recover @/x.mp4", "recovery"),
    .command("show @/x.mp4", "video"),
    .command("takes list @", "library-entry", isArray: true),
    .command("takes list @", "library-entry", isArray: true) { folder in
      let run = try OvercrankProgram("snap", "sim:,clock=virtual", "-o", folder.path("photo.jpg"))
      #expect(run.status == 0, "\(run.errors)")
    },
    .command("takes edit @/x.mp4 --speed 1/2 --scale 160", "clip", isArray: true),
    .command("takes align @/two.group.json --by stamps", "group") { folder in
      let run = try OvercrankProgram(
        "record", "sim:,clock=virtual", "--with", "sim:,clock=virtual", "--max-width", "640", "--frames", "8",
        "--no-clip", "-o", folder.path("two.mp4"))
      #expect(run.status == 0, "\(run.errors)")
    },
    .command("takes show @/x.mp4", "take"),
    .command("takes frames @/x.mp4", "frame", isArray: true),
    .command("takes export @ @/x.mp4", "export", isArray: true, status: 73),
    .command("takes export @/away @/x.mp4 --clips --move", "export", isArray: true) { folder in
      try FileManager.default.createDirectory(atPath: folder.path("away"), withIntermediateDirectories: false)
    },
    .command("takes show @/x.master.mov", "take", prepare: moveClip),
    .command("takes verify @/x.mp4", "verification", isArray: true),
    .command("takes verify @/x.mp4", "verification", isArray: true, status: 65) { folder in
      try Data("short".utf8).write(to: folder.url.appending(path: "x.mp4"))
    },
    .command("takes motion-photo @/x.master.mov", "motion-photo", isArray: true),
    .command("snap sim: -o @/s.jpg", "still"),
    .command("select sim:,accept=60@1920x1080 --fps 120 --verify", "choice"),
    .command("select sim: --fps 500", "choice", status: 69),
    .command("bench sim:,rate=100 --fps 240 --duration 300ms", "rates"),
    .command("doctor sim: -o @", "examination"),
    .command("doctor no-such-camera -o @", "examination", status: 1),
    .command("devices", "device", isArray: true),
    .command("devices --microphones", "microphone", isArray: true),
    .command("formats sim:", "table"),
    .command("controls sim:", "control", isArray: true),
    .command("profiles list", "profile-entry", isArray: true),
    .command("profiles check @/wrong.yaml", "check", isArray: true, status: 65) { folder in
      try Data("id: [1".utf8).write(to: folder.url.appending(path: "wrong.yaml"))
    },
    .command("profiles show imx219", "profile"),
    .command("setups save lab sim: --fps 240", "setup"),
    .command("setups show lab", "setup", prepare: writeSetups),
    .command("setups list", "setup-entry", isArray: true, prepare: writeSetups),
    .command("setups check", "setup-check", isArray: true, status: 65, prepare: writeSetups),
  ]

  /// A valid setup, and an invalid one.
  @Sendable private static func writeSetups(_ folder: TemporaryFolder) throws {
    let setups = folder.url.appending(path: "overcrank/setups")
    try FileManager.default.createDirectory(at: setups, withIntermediateDirectories: true)
    try Data("fps: 240\n".utf8).write(to: setups.appending(path: "lab.yaml"))
    try Data("fsp: 240\n".utf8).write(to: setups.appending(path: "wrong.yaml"))
  }
}
