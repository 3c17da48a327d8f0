import FrameJudge
import Foundation
import Overcrank
import Retime
import Testing
import Timebase

@testable import OvercrankCLI

@Suite("Setups: a user's saved recording options", .tags(.program), .timeLimit(.minutes(1)))
struct SetupTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ line: String) throws -> OvercrankProgram {
    try OvercrankProgram(
      line.split(separator: " ").map(String.init), environment: ["XDG_CONFIG_HOME": folder.path("config")])
  }

  private func write(_ name: String, _ text: String) throws -> String {
    let setups = folder.path("config/overcrank/setups")
    try FileManager.default.createDirectory(atPath: setups, withIntermediateDirectories: true)
    let path = "\(setups)/\(name).yaml"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  private struct Recorded: Decodable {
    struct Mode: Decodable {
      var fps: Double
      var width: Int
    }
    struct Frames: Decodable { var written: Int }
    var mode: Mode
    var frames: Frames
    var clips: [String]
  }

  @Test("a camera is never an option")
  func hostileCamera() throws {
    _ = try write("inj", "camera: ['sim:', '--output=\(folder.path("made.mp4"))', '--force']\nframes: 2\n")
    for line in ["record --setup inj", "setups check inj"] {
      let refused = try run(line)
      #expect(
        refused.status == 65 && refused.errors.contains("is an option, not a camera"), "\(refused.errors)")
    }
    #expect(try folder.names == ["config"])
  }

  @Test("a dangling link does not keep other setups from being checked")
  func danglingLink() throws {
    let good = try write("good", "fps: 240\n")
    for (name, target) in [("loop", "loop.yaml"), ("gone", "/no/such/setup.yaml")] {
      try FileManager.default.createSymbolicLink(
        atPath: good.replacing("good.yaml", with: "\(name).yaml"), withDestinationPath: target)
    }
    let checked = try run("setups check")
    #expect(checked.status == 65 && checked.errors.contains("1 of 3 setups is valid."), "\(checked.errors)")
  }

  @Test(
    "the check also reports a value that no recording accepts",
    arguments: [
      ("mic: 'sim:,loud=1'", "mic"), ("mic: 'hw:{1}'", "mic"), ("mic: usb,none,default", "mic"),
      ("speed: '@/no/such/curve'", "speed"), ("speed: film", "speed"), ("force: perhaps", "force"),
      ("trigger: [enter, '--output=/x']", "trigger"), ("trigger: '--help'", "trigger"),
    ])
  func badValues(_ line: String, _ key: String) throws {
    let path = try write("bad", "fps: 240\n\(line)\n")
    let checked = try run("setups check bad")
    #expect(checked.status == 65 && checked.errors.contains("\(path):2: \(key): "), "\(checked.errors)")
  }

  @Test("a value whose device is absent at the moment is valid")
  func absentMicrophone() throws {
    _ = try write("good", "mic: 'hw:9,0,usb,sim:,drift=5ppm'\nspeed: '0s:1, 1s:1/8'\nforce: \"yes\"\n")
    #expect(try run("setups check good").status == 0)
  }

  @Test("a saved setup records as its options do, and the command line takes precedence")
  func roundTrip() throws {
    let saved = try run("setups save lab sim: --fps 240 --quality 480p,high --no-clip --frames 12")
    #expect(saved.status == 0, "\(saved.errors)")
    #expect(saved.output == "\(folder.path("config/overcrank/setups/lab.yaml"))\n")
    #expect(try run("setups list").output == "lab\n")
    #expect(
      try run("setups show lab").output
        == "camera: 'sim:'\nfps: 240\nquality: '480p,high'\nno-clip: true\nframes: 12\n")
    #expect(try run("setups check").status == 0)

    let plain = try run("record --setup lab --json -o \(folder.path("a.mp4"))")
    let take = try #require(try plain.json([Recorded].self).first)
    #expect((take.mode.fps, take.mode.width, take.frames.written) == (240, 640, 12))

    // Another rate, another end, which replaces --frames, and another camera.
    let other = try run(
      "record sim:,buffers=32 --setup=lab --fps 120 --duration 50ms --quality high --json -o \(folder.path("b.mp4"))"
    )
    let second = try #require(try other.json([Recorded].self).first)
    #expect((second.mode.fps, second.mode.width) == (120, 1920))
    #expect((5...7).contains(second.frames.written))
  }

  @Test("a setup of the same name is unchanged, unless it may be replaced")
  func replacing() throws {
    #expect(try run("setups save lab sim: --fps 240").status == 0)
    let refused = try run("setups save lab sim: --fps 120")
    #expect(refused.status == 73)
    #expect(refused.errors.contains("setups save --replace lab"))
    #expect(try run("setups show lab").output.contains("fps: 240"))
    #expect(try run("setups save --replace lab sim: --fps 120").status == 0)
    #expect(try run("setups show lab").output.contains("fps: 120"))
  }

  @Test("the take keeps a setup's options for the clip")
  func clip() throws {
    _ = try write("slow", "camera: 'sim:'\nspeed: 1/4\nframes: 6\n")
    let run = try run("record --setup slow --preset ultrafast -o \(folder.path("x.mp4"))")
    #expect(run.status == 0, "\(run.errors)")
    let spec = ClipSpec(try #require(try folder.take().wantedClip))
    #expect(try spec == ClipSpec(RenderSpec(speed: SpeedCurve(text: "1/4"), preset: .ultrafast)))
  }

  @Test("a list is an option given several times; of cameras, the first available one is used")
  func lists() throws {
    _ = try write(
      "list",
      "# a comment\ncamera: [/dev/video987, 'sim:']\nframes: 3\nno-clip: yes\nset: [gain=5, brightness=3]\n")
    let run = try run("record --setup list --json -o \(folder.path("c.mp4"))")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("/dev/video987"))
    #expect(try run.json([Recorded].self).first?.frames.written == 3)
  }

  @Test(
    "an error names its file, line and key",
    arguments: [
      ("fps: 240\nfsp: 120\n", ":2: fsp: record has no such option; similar options: for, fps"),
      ("fps: 240\n\nrotate: 45\n", ":3: rotate: The value '45' is invalid"),
      ("quality: best\n", ":1: quality: The value 'best' is invalid"),
      ("no-clip: perhaps\n", ":1: no-clip: expected true or false"),
      ("fps: [240, 120]\n", ":1: fps: expected a single value"),
      ("fps: {a: 1}\n", ":1: fps: expected a value or a list of values"),
      ("duration: 0\n", ":1: duration: --duration 0 records nothing; give a longer time"),
      ("setup: other\n", ":1: setup: record has no such option"),
      ("fps: 240\nfps: 120\n", "duplicate key: fps"),
      ("just words\n", "expected keys with values"),
      ("max-size: 0\n", ":1: max-size: The value '0' is invalid"),
    ])
  func mistakes(_ text: String, _ words: String) throws {
    let path = try write("bad", text)
    for line in ["record sim: --setup bad", "setups check bad"] {
      let run = try run(line)
      #expect(run.status == 65, "\(line): \(run.errors)")
      #expect(run.errors.contains(path), "\(line): \(run.errors)")
      #expect(run.errors.contains(words), "\(line): \(run.errors)")
    }
  }

  @Test("an error on the command line does not name the setup")
  func commandLine() throws {
    _ = try write("good", "fps: 240\n")
    let run = try run("record sim: --setup good --rotate 45")
    #expect(run.status == 64)
    #expect(!run.errors.contains("good.yaml"))
  }

  @Test("an option may need one that the command line gives")
  func incomplete() throws {
    _ = try write("pre", "pre: 100ms\npost: 100ms\n")
    #expect(try run("setups check pre").status == 0)
    let run = try run("record sim: --setup pre")
    #expect(run.status == 64)
    #expect(run.errors.contains("--trigger"))
  }

  @Test("a setup is removed by its name, even if it is unreadable")
  func remove() throws {
    let file = try write("lab", "fps: [240\n")
    #expect(try run("setups check lab").status == 65)
    let removal = try run("setups remove lab")
    #expect(removal.status == 0)
    #expect(removal.output == "\(file)\n")
    #expect(!FileManager.default.fileExists(atPath: file))
    #expect(try run("setups remove lab").status == 66)
    #expect(try run("setups remove ../lab").status == 64)
  }

  @Test("without a home folder, or with an invalid one, the system's is used")
  func home() throws {
    let home = try #require(FileManager.default.homeDirectory(forUser: NSUserName())).path
    for variables in [["HOME": ""], ["HOME": "a/b", "XDG_CONFIG_HOME": "c"]] {
      let run = try OvercrankProgram(
        ["setups", "show", "no-such-setup"], environment: ["XDG_CONFIG_HOME": ""].merging(variables) { $1 })
      #expect(run.status == 66)
      #expect(run.errors.contains("\(home)/.config/overcrank/setups/no-such-setup.yaml"), "\(run.errors)")
    }
  }

  @Test("for an unknown setup, similar names are shown")
  func unknown() throws {
    _ = try write("lab", "fps: 240\n")
    let run = try run("record sim: --setup lob")
    #expect(run.status == 66)
    #expect(run.errors.contains("Did you mean lab?"))
    #expect(try self.run("record sim: --setup ../lab").status == 64)
    #expect(try self.run("setups save .x --fps 240").status == 64)
    #expect(try self.run("setups save lab2 --fsp 240").status == 64)
    #expect(try self.run("setups save lab2").status == 64)
  }

  @Test("every option of record can be in one")
  func complete() {
    let help = RecordCommand.helpMessage(columns: 500)
    for match in help.matches(of: /(?:^|[ ,\/])--([a-z][a-z-]*)/) {
      let name = String(match.output.1)
      guard !["help", "help-all", "version", "setup", "list-formats-ext"].contains(name) else { continue }
      guard help.contains("  --\(name)") || help.contains(", --\(name)") || help.contains("/--\(name)") else {
        continue
      }
      #expect(RecordOptions.all[name] != nil, "--\(name)")
    }
    #expect(RecordOptions.all["camera"]?.isRepeating == true)
    #expect(RecordOptions.all["fps"]?.takesValue == true)
    #expect(RecordOptions.all["no-clip"]?.takesValue == false)
    #expect(RecordOptions.all["clip-while-filming"]?.key == "clip-while-recording")
  }

  @Test("command-line words are read as the parser reads them")
  func given() {
    let words = ["sim:", "--fps", "240", "-qv", "--max-size=4GB", "-o", "x.mp4", "--no-clip", "--", "-odd"]
    let given = RecordOptions.all.given(in: words)
    #expect(
      given.map(\.key) == ["camera", "fps", "quiet", "verbose", "max-size", "output", "no-clip", "camera"])
    #expect(given.map(\.value) == ["sim:", "240", nil, nil, "4GB", "x.mp4", nil, "-odd"])
  }
}
