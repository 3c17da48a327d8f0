import CameraModel
import FilmJudge
import Foundation
import Microphones
import Platform
import SystemPackage
import Takes
import Testing
import Timebase
import V4L2

@testable import Cameras
@testable import Capture
@testable import OvercrankCLI

/// `docs/json.md` against what the encoders write.
@Suite("docs/json.md has every key that is printed, and no other", .tags(.program), .timeLimit(.minutes(1)))
struct JSONPageTests {
  /// The page: for each section its keys, with the words for their values.
  private let page: [String: [String: String]]
  private let folder: TemporaryFolder
  private let seen = Seen()

  /// The keys that were met in some JSON, as `section.key`.
  private final class Seen {
    var keys: Set<String> = []
  }

  init() throws {
    folder = try TemporaryFolder()
    let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/json.md")
    var page: [String: [String: String]] = [:]
    var section = ""
    for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
      if let heading = line.wholeMatch(of: /##+ (.*)/) { section = Self.anchor(heading.output.1) }
      guard let row = line.wholeMatch(of: /\| `([^`]+)` \| (.*?) \|.*/) else { continue }
      page[section, default: [:]][String(row.output.1)] = String(row.output.2)
    }
    self.page = page
  }

  private static func anchor(_ heading: some StringProtocol) -> String {
    heading.lowercased().replacing(" ", with: "-")
  }

  /// Holds `json` against a section, and notes the keys that are there.
  private func check(_ json: Any, _ section: String, isArray: Bool = false) throws {
    guard !isArray else {
      for item in try #require(json as? [Any], "\(section)") { try check(item, section) }
      return
    }
    let object = try #require(json as? [String: Any], "\(section)")
    let fields = try #require(page[section], "docs/json.md has no section \(section)")
    for (key, value) in object {
      guard let words = fields[key] else {
        Issue.record("docs/json.md: \(section) does not tell of \"\(key)\"")
        continue
      }
      seen.keys.insert("\(section).\(key)")
      guard !(value is NSNull) else { continue }
      let link = words.firstMatch(of: /\(#([a-z-]+)\)/).map { String($0.output.1) }
      if words.hasPrefix("by name") {
        let named = try #require(value as? [String: Any], "\(section).\(key)")
        if let link { for value in named.values { try check(value, link) } }
      } else if let link {
        try check(value, link, isArray: words.hasPrefix("array of"))
      } else {
        #expect(Self.isOf(words, value), "docs/json.md: \(section).\(key) is no \(words): \(value)")
      }
    }
  }

  /// Whether a value is what the page says of it.
  private static func isOf(_ words: String, _ value: Any) -> Bool {
    switch words {
    case "text": value is String
    case "true or false": value is Bool
    case "number": value is NSNumber && !(value is String)
    case "number or text": value is NSNumber || value is String
    case "interval": (value as? [Any])?.count == 2
    default: words.hasPrefix("array of") && value is [Any]
    }
  }

  /// What the tool prints on standard output.
  private func run(_ arguments: [String], status: Int32 = 0) throws -> Any {
    let run = try OvercrankProgram(arguments + ["--json"])
    #expect(run.status == status, "\(arguments): \(run.errors)")
    return try JSONSerialization.jsonObject(with: Data(run.output.utf8))
  }

  private func encoded(_ value: some Encodable) throws -> Any {
    try JSONSerialization.jsonObject(with: JSONEncoder().encode(value), options: .fragmentsAllowed)
  }

  @Test("of every command")
  func allKeys() throws {
    try checkRecordings()
    try checkChoices()
    try checkTables()
    try checkProfiles()
    try checkSetups()
    for (section, fields) in page where !section.isEmpty {
      let unseen = fields.keys.filter { !seen.keys.contains("\(section).\($0)") }
      #expect(unseen.isEmpty, "docs/json.md: \(section) tells of \(unseen), which nothing prints")
    }
  }

  private func checkRecordings() throws {
    let clip = folder.path("x.mp4")
    let copies = try TemporaryFolder()
    let takes = try run([
      "record", "sim:,accept=60@1920x1080,drop=20-24,buffers=32", "--fps", "120", "--frames", "40",
      "--deflicker", "--preset", "ultrafast", "--scale", "160", "--frames-json", "--max-size", "1TB",
      "--quality",
      "1440p,high", "--rotate", "180", "--clip-while-filming", "-o", clip, "--no-thumbnail", "--export",
      copies.url.path,
    ])
    try check(takes, "take", isArray: true)
    try check(
      run([
        "record", "sim:", "--max-width", "640", "--frames", "80", "--no-clip", "-o", folder.path("heard.mp4"),
        "--mic", "sim:,drop=1ms-90s",
      ]), "take", isArray: true)
    // What is lost of a microphone that goes meanwhile is a matter of time.
    let lost = try JSONDecoder().decode(
      Take.Audio.Loss.self, from: Data(#"{"time_ns": 5, "samples": 1}"#.utf8))
    try check(encoded(lost), "lost-audio")
    let file = try JSONSerialization.jsonObject(
      with: Data(contentsOf: URL(filePath: folder.path("x.take.json"))))
    try check(file, "take")
    let (inFile, printed) = (
      try #require(file as? [String: Any]), try #require((takes as? [[String: Any]])?.first)
    )
    #expect(Set(printed.keys) == Set(inFile.keys).union(["take", "master_bytes", "export"]))
    #expect(printed["master"] as? String == folder.path("x.master.mov"))
    #expect(printed["take"] as? String == folder.path("x.take.json"))
    #expect((printed["clips"] as? [[String: Any]])?.first?["file"] as? String == clip)
    try check(encoded(FrameRun(sequence: 1, count: 2)), "frame-run")
    try check(encoded(ControlInForce(value: 1)), "setting")
    try check(
      encoded(
        Take.Clip.Development(
          black: 0.0626, from: "profile", profile: "imx219", whiteBalance: [1.9, 1, 1.6], matrix: nil)),
      "development")
    let change = Take.ControlChange(time: Instant(nanoseconds: 5), name: "gain", value: 1)
    try check(encoded(change), "control-change")
    let former = Mode(fourcc: "MJPG", width: 8, height: 8, interval: FrameInterval(1, 30))
    try check(encoded(Take.ModeChange(from: former, gap: .seconds(1))), "mode-change")
    let changed =
      #"{"outcome": "changed", "fourcc": "GREY", "width": 8, "height": 8, "time_ns": 1, "gap_ns": 2,"#
      + #""accepted_interval": [1, 30], "reason": "why"}"#
    let modeReply = try JSONDecoder().decode(ModeReply.self, from: Data(changed.utf8))
    try check(encoded(modeReply), "mode-reply")

    let master = folder.path("x.master.mov")
    try check(
      run(["retime", master, "--speed", "1/8", "--scale", "160", "--fill", "flow"]), "clip", isArray: true)
    try check(
      run(["retime", master, "--speed", "1/8", "--copy", "--in-place"]), "changed-film", isArray: true)
    try check(run(["recover", clip]), "recovery")
    try check(run(["takes", "motion-photo", master]), "motion-photo", isArray: true)
    try checkLibrary(clip, master)
    try check(run(["snap", "sim:", "-o", folder.path("s.jpg")]), "still")
    let reply = try JSONDecoder().decode(
      TriggerReply.self, from: Data(#"{"outcome": "started", "take": 1, "time_ns": 5}"#.utf8))
    try check(encoded(reply), "reply")
    try check(
      encoded(JSONDecoder().decode(StillReply.self, from: Data(#"{"id": 1, "time_ns": 5}"#.utf8))),
      "still-reply")
    let map = MotionMap(columns: 2, rows: 1, changed: [0, 1], counted: [1, 1])
    let look = MotionLook(
      sequence: 1, timestamp: Instant(nanoseconds: 5), score: 0.5, isOnset: true, isMoving: true, light: 1.5,
      stillUntil: Instant(nanoseconds: 1),
      map: map)
    try check(encoded(StudioReport(address: "http://127.0.0.1:1/#2", port: 1, token: "2")), "studio-address")
    let mode = Mode(fourcc: "MJPG", width: 8, height: 8, interval: FrameInterval(1, 30))
    try check(encoded(MotionReport(look, MotionSettings(), in: mode)), "look")
  }

  private func checkLibrary(_ clip: String, _ master: String) throws {
    try check(run(["takes", "list", folder.url.path]), "library-entry", isArray: true)
    try check(run(["takes", "show", clip]), "take")
    try check(run(["takes", "frames", clip]), "frame", isArray: true)
    try check(run(["show", clip]), "film")
    try check(run(["takes", "export", folder.url.path, clip], status: 73), "export", isArray: true)
    try check(run(["takes", "verify", clip]), "verification", isArray: true)
    try Data("short".utf8).write(to: URL(filePath: clip))
    try check(run(["takes", "verify", clip], status: 65), "verification", isArray: true)
    try FileManager.default.removeItem(atPath: clip)
  }

  private func checkChoices() throws {
    try check(run(["select", "sim:,accept=60@1920x1080", "--fps", "120", "--verify"]), "choice")
    try check(run(["select", "sim:", "--fps", "500"], status: 69), "choice")
    try check(run(["bench", "sim:,rate=100", "--fps", "240", "--duration", "300ms"]), "rates")
    try check(run(["doctor", "sim:", "-o", folder.url.path]), "examination")
    try check(run(["doctor", "no-such-camera", "-o", folder.url.path], status: 1), "examination")
    try check(run(["devices"]), "device", isArray: true)
    try check(run(["devices", "--microphones"]), "microphone", isArray: true)
    try check(encoded(microphones()), "microphone", isArray: true)
    let node = VideoNode(path: "/dev/video0", links: [], capabilities: nil, failure: nil, usb: nil)
    try check(encoded(node), "device")
    let mode = Mode(fourcc: "MJPG", width: 8, height: 8, interval: FrameInterval(1, 30))
    try check(
      encoded(SimulateCommand.Report(camera: "sim:", device: "/dev/video0", mode: mode, frames: 1)),
      "playback")
  }

  /// The microphone of a machine that has one.
  private func microphones() throws -> [MicrophoneNode] {
    let sound = folder.url.appending(path: "proc/asound")
    try FileManager.default.createDirectory(at: sound, withIntermediateDirectories: true)
    try " 0 [Mic            ]: USB-Audio - Mic\n".write(
      to: sound.appending(path: "cards"), atomically: true, encoding: .utf8)
    try "00-00: USB Audio : USB Audio : capture 1\n".write(
      to: sound.appending(path: "pcm"), atomically: true, encoding: .utf8)
    return MicrophoneNode.all(in: SystemFolder(root: FilePath(folder.url.path)))
  }

  private func checkTables() throws {
    let pad = """
      {"index": 0, "flags": ["source"], "code": "Y8_1X8", "size": [8, 8], "interval": [1, 30],
       "selections": {"crop": [0, 0, 8, 8]},
       "links": [{"entity": 2, "name": "b", "pad": 0, "flags": ["enabled"]}]}
      """
    let text = """
      {"card": "A", "modes": [
        {"fourcc": "GREY", "width": 8, "height": 8, "intervals": [[1, 30]]},
        {"fourcc": "GREY", "width": 8, "height": 4, "stepwise": {"min": [1, 60], "max": [1, 1], "step": [1, 60]}},
        {"fourcc": "GREY", "width": 4, "height": 8, "continuous": {"min": [1, 60], "max": [1, 1]}},
        {"fourcc": "YUYV", "size_stepwise": {"min": [8, 8], "max": [16, 16], "step": [8, 8]}, "sampled": true,
         "intervals": [[1, 30]]},
        {"fourcc": "NV12", "size_continuous": {"min": [8, 8], "max": [16, 16]}, "intervals": [[1, 30]]}],
       "graph": {"media": "/dev/media0", "driver": "d", "model": "m", "bus": "b", "chain": [1],
        "entities": [{"id": 1, "name": "a", "function": "sensor", "node": "/dev/v4l-subdev0", "pads": [\(pad)]}],
        "sensor_modes": [{"code": "Y8_1X8", "min_size": [8, 8], "max_size": [8, 8], "intervals": [[1, 30]]}],
        "bus_codes": {"GREY": ["Y8_1X8"]}, "timed_by_blanking": true}}
      """
    var table = try JSONDecoder().decode(CameraTable.self, from: Data(text.utf8))
    let rate = try FrameRate(text: "30")
    table.rows[0].measured = [MeasuredRate(asked: rate, got: rate)]
    try check(encoded(table), "table")
    try check(run(["formats", "sim:"]), "table")
    try check(run(["controls", "sim:"]), "control", isArray: true)
    let menu = Control(id: 1, name: "Menu", kind: .menu, minimum: 0, maximum: 1, value: 0)
    try check(encoded(CameraControl(menu, items: [ControlMenuItem(index: 0, name: "a")])), "control")
  }

  private func checkSetups() throws {
    let setups = folder.path("overcrank/setups")
    try FileManager.default.createDirectory(atPath: setups, withIntermediateDirectories: true)
    try Data("fsp: 240\n".utf8).write(to: URL(filePath: "\(setups)/wrong.yaml"))
    func json(_ line: String, status: Int32 = 0) throws -> Any {
      let run = try OvercrankProgram(
        line.split(separator: " ").map(String.init), environment: ["XDG_CONFIG_HOME": folder.url.path])
      #expect(run.status == status, "\(line): \(run.errors)")
      return try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    }
    try check(json("setups save --json lab sim: --fps 240"), "setup")
    try check(json("setups show lab --json"), "setup")
    try check(json("setups list --json"), "setup-entry", isArray: true)
    try check(json("setups check --json", status: 65), "setup-check", isArray: true)
  }

  private func checkProfiles() throws {
    try check(run(["profiles", "list"]), "profile-entry", isArray: true)
    let wrong = folder.path("wrong.yaml")
    try Data("id: [1".utf8).write(to: URL(filePath: wrong))
    try check(run(["profiles", "check", wrong], status: 65), "check", isArray: true)
    try check(run(["profiles", "show", "imx219"]), "profile")
    for entry in ProfileLibrary().entries {
      var profile = entry.profile
      profile.kind = .depth
      try check(encoded(profile), "profile")
    }
  }

  @Test("has a row for every command that prints JSON")
  func allCommands() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/OvercrankCLI/Commands").standardizedFileURL
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      guard text.contains("Console.sayJSON"), let match = text.firstMatch(of: /commandName: "([a-z]+)"/)
      else {
        continue
      }
      let parent = ["Profiles", "Setups", "Takes"].first { name.hasPrefix($0) }?.lowercased()
      let command = (parent.map { "\($0) " } ?? "") + match.output.1
      #expect(page[""]?[command] != nil, "docs/json.md does not say what \(command) --json prints")
    }
  }
}
