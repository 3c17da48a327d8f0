import FrameJudge
import Foundation
import Testing

/// A command line that cannot work, with its exit code and the text that its message must contain.
struct WrongInput: Sendable, CustomTestStringConvertible {
  var arguments: [String]
  var status: Int32
  var words: String
  var testDescription: String { arguments.joined(separator: " ") }

  init(_ arguments: String, _ status: Int32, _ words: String) {
    self.arguments = arguments.split(separator: " ").map(String.init)
    self.status = status
    self.words = words
  }

  static let all: [WrongInput] = [
    WrongInput("record /dev/video987", 69, "overcrank devices"),
    WrongInput("record 987", 69, "/dev/video987"),
    WrongInput("record /tmp", 69, "directory"),
    WrongInput("record /dev/null", 69, "not a video device"),
    WrongInput("record no-camera-is-called-so", 69, "no-camera-is-called-so"),
    WrongInput("record sim:nothing", 69, "sim:nothing"),
    WrongInput("record sim:,drip=3", 64, "did you mean drop=?"),
    WrongInput("record sim:,dorp=3", 64, "did you mean drop=?"),
    WrongInput("record sim:,wobble=3", 64, "drop=, corrupt="),
    WrongInput("record sim", 69, "Did you mean \"sim:\", the simulated camera?"),
    WrongInput("record sim,drop=2%", 69, "Did you mean \"sim:,drop=2%\", the simulated camera?"),
    WrongInput("record drop.mp4", 69, "overcrank retime drop.mp4"),
    WrongInput("record ./drop.MOV", 69, "overcrank retime ./drop.MOV"),
    WrongInput("record sim: --crop 4000x3000 -o x.mp4", 64, "1280x720 would fit"),
    WrongInput("record sim: --crop 1280x720+100+0 -o x.mp4", 64, "From that offset, the maximum is 1180x720"),
    WrongInput("record sim: --fps abc", 64, "rate"),
    WrongInput("record sim: --fps 500", 69, "--fps 240"),
    WrongInput(
      "record sim: --fps 500 --duration 2s --mic sim: --no-clip", 69,
      "overcrank record sim: --fps 240 --duration 2s --mic sim: --no-clip\n"),
    WrongInput("retime x.mp4 --speed @/no/such/ramp.txt", 66, "/no/such/ramp.txt"),
    WrongInput("retime x.mp4 --speed @/dev/null", 64, "contains no speed"),
    WrongInput("record sim: --codec prores -o x.mp4", 69, "ends in .mov"),
    WrongInput(
      "record sim: drop2.mp4", 64,
      "\"drop2.mp4\" is a file name, but a camera is expected here. To write to it, give -o drop2.mp4."),
    WrongInput("snap sim: shot.JPG", 64, "To write to it, give -o shot.JPG."),
    WrongInput("record front back", 69, "No camera is known to be back"),
    WrongInput(
      "record /dev/video987 no-such-camera", 69, "None of these cameras is available: /dev/video987:"),
    WrongInput("record /dev/video987 sim:,drip=3", 64, "drop="),
    WrongInput("select external", 69, "No camera is known to be external"),
    WrongInput("select sim: --fps 240 --quality 2160p,1080p", 69, "2160p: none of its modes has 2160 rows"),
    WrongInput(
      "select sim: --fps 240 --quality 1080p", 69, "no mode of quality 1080p has at least 99 % of 240 fps"),
    WrongInput("select sim: --format h264", 69, "none of its modes has the format h264; it has MJPG, YUYV"),
    WrongInput("select sim: --format h264 --fps 240", 69, "none of its modes has the format h264"),
    WrongInput("select sim: --max-width 10 --fps max", 69, "none of its modes is at most 10 pixels wide"),
    WrongInput("record sim:,flicker=100:2", 64, "100:0.3"),
    WrongInput("retime x.mp4 --speed 0s:1,1s:1/8 --copy --in-place", 64, "one constant speed"),
    WrongInput("record sim: --max-width 10", 69, "\"overcrank formats sim:\""),
    WrongInput("record sim: --format h264", 69, "\"overcrank formats sim:\""),
    WrongInput("record sim: --set brightnes=3", 69, "\"overcrank controls sim:\""),
    WrongInput("controls sim: --set brightnes=3", 69, "\"overcrank controls sim:\""),
    WrongInput("takes show nosuch --folder /tmp", 66, "\"overcrank takes list /tmp\" lists them"),
    WrongInput("record --setup nosuch", 66, "\"overcrank setups save nosuch sim: --fps 240\" saves one"),
    WrongInput("retime /etc/hostname 1/8", 66, "Did you mean --speed 1/8?"),
    WrongInput("retime /etc/hostname /no/such/notes.txt", 66, "Check the name.\n"),
    WrongInput("retime a.mp4 --mic sim:", 64, "\"overcrank record --mic default\""),
    WrongInput("setups save bad --fps 240,5", 64, "write 240.5 instead."),
    WrongInput("setups save bad --lable x", 64, "There is no option --lable. Did you mean --label"),
    WrongInput("record sim: -o {label}.mp4", 64, "give --label"),
    WrongInput("version", 64, "\"overcrank --version\" prints it"),
    WrongInput("render a.mp4", 64, "Did you mean retime?"),
    WrongInput("record sim: -o /no/such/folder/x.mp4", 73, "/no/such/folder"),
    WrongInput("record sim: -o /proc/x.mp4", 73, "/proc"),
    WrongInput("record sim: --trigger key", 64, "--trigger stdin"),
    WrongInput("record sim: --ring 900000GiB --frames 5", 74, "--ring"),
    WrongInput("trigger nobody-is-called-so", 69, "--trigger socket=nobody-is-called-so"),
    WrongInput("select sim: --fps 500", 69, "--fps 240"),
    WrongInput("select --from /no/such/table.json --fps 30", 66, "/no/such/table.json"),
    WrongInput("select --from /dev/null --fps 30", 65, "/dev/null"),
    WrongInput("formats --from -", 65, "standard input"),
    WrongInput("formats --from /etc/passwd", 65, "v4l2-ctl --list-formats-ext"),
    WrongInput("simulate sim: --to /dev/null", 69, "not a video device"),
    WrongInput("recover /no/such/x.mp4", 66, "/no/such/x.mp4"),
    WrongInput("recover /etc/passwd", 65, "/etc/passwd"),
    WrongInput("retime /no/such/x.mov --speed 1/4", 66, "/no/such/x.mov"),
    WrongInput("retime /tmp --speed 1/4", 66, "folder"),
    WrongInput("retime /dev/null --speed 1/4", 66, "is a device"),
    WrongInput("retime /dev/zero --speed 1/4 --copy --in-place", 66, "is a device"),
    WrongInput("recover /dev/null", 66, "is a device"),
    WrongInput("select --from /tmp --fps 30", 66, "Is a directory"),
    WrongInput("select --from /dev/zero --fps 30", 65, "too large"),
    WrongInput("nonsense", 64, "nonsense"),
  ]
}

@Suite(
  "Wrong input ends in one clear message and the documented exit code", .tags(.program),
  .timeLimit(.minutes(1)))
struct WrongInputTests {
  @Test("of any kind", arguments: WrongInput.all)
  func wrong(_ item: WrongInput) throws {
    let run = try OvercrankProgram(item.arguments)
    #expect(run.status == item.status)
    #expect(run.errors.contains(item.words), "\(run.errors)")
    #expect(run.output.isEmpty)
  }

  @Test(
    "an existing output is unchanged, whichever of the three files it is",
    arguments: ["x.mp4", "x.master.mov", "x.take.json"])
  func exists(_ name: String) throws {
    let folder = try TemporaryFolder()
    try Data("mine".utf8).write(to: folder.url.appending(path: name))
    let run = try OvercrankProgram(
      "record", SmallCamera.inVirtualTime(), "--frames", "5", "-o", folder.path("x.mp4"))
    #expect(run.status == 73)
    #expect(run.errors.contains("--force"))
    #expect(try folder.names == [name])
    #expect(try Data(contentsOf: folder.url.appending(path: name)) == Data("mine".utf8))
  }

  @Test(
    "a folder with the name of an output is reported before the recording, even with --force",
    arguments: [[], ["--force"]])
  func folderInTheWay(_ options: [String]) throws {
    for name in ["x.mp4", "x.master.mov", "x.take.json"] {
      let folder = try TemporaryFolder()
      try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: false)
      let run = try OvercrankProgram(
        ["record", SmallCamera.inVirtualTime(), "--frames", "5", "-o", folder.path("x.mp4")] + options)
      #expect(run.status == 73)
      #expect(run.errors.contains("\(name): exists, and is not a file"), "\(run.errors)")
      #expect(!run.errors.contains("Recording"))
      #expect(try folder.names == [name])
    }
  }

  @Test("options for a clip without a clip are reported")
  func withoutClip() throws {
    let folder = try TemporaryFolder()
    let run = try OvercrankProgram(
      "record", SmallCamera.inVirtualTime(), "--frames", "2", "--no-clip", "--codec", "hevc", "--speed",
      "1/8", "-o",
      folder.path("x.mp4"))
    #expect(run.status == 0)
    #expect(
      run.errors.contains("--no-clip writes no clip: --speed, --codec have no effect."), "\(run.errors)")
    #expect(try folder.names == ["x.master.mov", "x.take.json"])
  }

  @Test(
    "a recording that is interrupted before its first frame says so", arguments: [SIGINT, SIGTERM, SIGHUP])
  func noFrameYet(_ signal: Int32) throws {
    let folder = try TemporaryFolder()
    let run = try OvercrankProgram(
      [
        "record", SmallCamera.inRealTime("stall=1h@0"), "--timeout", "1h", "--duration", "1h", "-o",
        folder.path("x.mp4"),
      ],
      whileRunning: { process in
        while process.isRunning, try folder.names.isEmpty { usleep(20_000) }
        kill(process.processIdentifier, signal)
      })
    #expect(run.status == 130, "\(run.errors)")
    #expect(run.errors.contains("there is no take"))
    #expect(run.output.isEmpty)
    #expect(try folder.names.isEmpty)
  }

  /// A video of ten small frames in a folder of its own.
  private func video() throws -> (folder: TemporaryFolder, video: String) {
    let folder = try TemporaryFolder()
    let video = folder.path("film.mov")
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x32:r=60", "-frames:v", "10", "-c:v", "mjpeg", video)
    return (folder, video)
  }

  @Test(
    "a clip does not replace its source by any name, even with --force", arguments: [[], ["--copy"]])
  func ownSource(_ way: [String]) throws {
    let (folder, video) = try video()
    let before = try Data(contentsOf: URL(filePath: video))
    try FileManager.default.createSymbolicLink(atPath: folder.path("other.mov"), withDestinationPath: video)
    try FileManager.default.linkItem(atPath: video, toPath: folder.path("hard.mov"))
    for name in ["film.mov", "other.mov", "hard.mov"] {
      let run = try OvercrankProgram(
        ["retime", video, "--speed", "1/4", "--force", "-o", folder.path(name)] + way)
      #expect(run.status == 73)
      #expect(run.errors.contains("is the source itself"), "\(run.errors)")
    }
    #expect(try Data(contentsOf: URL(filePath: video)) == before)
    #expect(try folder.names == ["film.mov", "hard.mov", "other.mov"])
  }

  @Test("no output replaces another file that the command reads, even with --force")
  func ownInputs() throws {
    let (folder, video) = try video()
    let (curve, second) = (folder.path("ramp.mp4"), folder.path("film-slow.mp4"))
    try Data("0s:1/4".utf8).write(to: URL(filePath: curve))
    try FileManager.default.copyItem(atPath: video, toPath: second)
    let former = try Data(contentsOf: URL(filePath: second))
    let camera = ["record", SmallCamera.inVirtualTime(), "--frames", "3"]
    for arguments in [
      ["retime", video, "--speed", "@\(curve)", "-o", curve],
      ["retime", video, second, "--preset", "ultrafast"],
      camera + ["--speed", "@\(curve)", "-o", curve],
      camera + ["--speed", "@\(curve)", "--no-clip", "-o", folder.path("x.mp4"), "--events", curve],
    ] {
      let run = try OvercrankProgram(arguments + ["--force"])
      #expect(run.status == 73)
      #expect(run.errors.contains("is read by this very command"), "\(run.errors)")
    }
    #expect(try String(contentsOfFile: curve, encoding: .utf8) == "0s:1/4")
    #expect(try Data(contentsOf: URL(filePath: second)) == former)
  }

  @Test("no output replaces the take, the sidecar or an image that its source is read with, by whatever link")
  func linkedInputs() throws {
    let folder = try TemporaryFolder()
    let recording = try OvercrankProgram(
      "record", SmallCamera.inVirtualTime(), "--frames", "3", "--no-clip", "-o", folder.path("x.mp4"))
    #expect(recording.status == 0, "\(recording.errors)")
    let (take, master) = (folder.path("x.take.json"), folder.path("x.master.mov"))
    let phone = folder.path("phone.mov")
    try FileManager.default.copyItem(atPath: master, toPath: phone)
    try FileManager.default.createDirectory(atPath: folder.path("images"), withIntermediateDirectories: false)
    try Program.ffmpeg("-i", master, folder.path("images/%03d.png"))
    // The content is at the output's name, and the name that is read is a link there.
    let inputs = [(take, "take.mp4"), (take, "take.png"), (folder.path("images/002.png"), "image.mp4")]
    let outputs = inputs.map { folder.path($0.1) }
    func refuse(_ arguments: [String], reading input: String, at output: String) throws {
      let content = try Data(contentsOf: URL(filePath: input))
      try FileManager.default.moveItem(atPath: input, toPath: output)
      try FileManager.default.createSymbolicLink(atPath: input, withDestinationPath: output)
      let run = try OvercrankProgram(arguments + ["--force", "-o", output])
      #expect(run.status == 73)
      #expect(run.errors.contains("is read by this very command"), "\(run.errors)")
      #expect(try Data(contentsOf: URL(filePath: output)) == content)
      try FileManager.default.removeItem(atPath: input)
      try FileManager.default.moveItem(atPath: output, toPath: input)
    }
    try refuse(["retime", master, "--speed", "1/2"], reading: take, at: outputs[0])
    try refuse(["takes", "still", take], reading: master, at: outputs[1])
    try refuse(
      ["retime", folder.path("images/%03d.png"), "--capture-rate", "240"], reading: inputs[2].0,
      at: outputs[2])
    // The take of an animation is found by the name that it lists.
    let animation = try OvercrankProgram("retime", master, "--speed", "1/8", "-o", folder.path("y.gif"))
    #expect(animation.status == 0, "\(animation.errors)")
    try refuse(["retime", folder.path("y.gif"), "--speed", "1/2"], reading: take, at: outputs[0])
    try Data("<plist/>".utf8).write(to: URL(filePath: folder.path("phone.AAE")))
    try refuse(
      ["retime", phone, "--speed", "1/2"], reading: folder.path("phone.AAE"), at: folder.path("aae.mp4"))
  }

  @Test("a clip's name without -o is treated as a source, and the error says so")
  func forgottenOption() throws {
    let (folder, video) = try video()
    let run = try OvercrankProgram("retime", video, folder.path("slow.mp4"))
    #expect(run.status == 66)
    #expect(run.errors.contains("To name the clip, use -o \(folder.path("slow.mp4"))."), "\(run.errors)")
    #expect(try folder.names == ["film.mov"])
  }

  @Test(
    "a pipe is not a video, and is not waited for", arguments: [[], ["--copy"], ["--copy", "--in-place"]])
  func pipe(_ way: [String]) throws {
    let folder = try TemporaryFolder()
    #expect(mkfifo(folder.path("x.mov"), 0o600) == 0)
    let run = try OvercrankProgram(["retime", folder.path("x.mov"), "--speed", "1/4"] + way)
    #expect(run.status == 66)
    #expect(run.errors.contains("is a pipe"), "\(run.errors)")
    #expect(try folder.names == ["x.mov"])
  }

  @Test(
    "an impossible destination of a clip is refused",
    arguments: [("no/x.mp4", "mkdir -p"), ("film.mov/x.mp4", "is a file"), ("d.mp4", "regular")])
  func noPlace(_ name: String, _ words: String) throws {
    let (folder, video) = try video()
    try FileManager.default.createDirectory(atPath: folder.path("d.mp4"), withIntermediateDirectories: false)
    let run = try OvercrankProgram("retime", video, "--speed", "1/4", "--force", "-o", folder.path(name))
    #expect(run.status == 73)
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(try folder.names == ["d.mp4", "film.mov"])
  }

  @Test("a source whose recording was cut off must be recovered first", arguments: ["x.mp4", "x.master.mov"])
  func cutOff(_ name: String) throws {
    let folder = try TemporaryFolder()
    try Data("frames".utf8).write(to: folder.url.appending(path: "x.master.mov.part"))
    let run = try OvercrankProgram("retime", folder.path(name), "--speed", "1/4")
    #expect(run.status == 66)
    #expect(run.errors.contains("overcrank recover \(folder.path(name))"), "\(run.errors)")
    #expect(try folder.names == ["x.master.mov.part"])
  }

  @Test(
    "a full disk leaves no incomplete clip", .enabled(if: SmallDisk.isPossible), arguments: [[], ["--copy"]])
  func fullDiskForAClip(_ way: [String]) throws {
    let folder = try TemporaryFolder()
    let video = folder.path("film.mov")
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=320x240:r=60", "-frames:v", "30", "-vf", "noise=alls=90:allf=t",
      "-c:v",
      "mjpeg", "-q:v", "2", video)
    let disk = try #require(try SmallDisk(bytes: 64 << 10))
    let run = try OvercrankProgram(["retime", video, "--speed", "1/4", "-o", disk.path("x.mov")] + way)
    #expect(run.status == 74)
    #expect(run.errors.contains("full"), "\(run.errors)")
    #expect(try disk.names == [])
  }

  @Test(
    "a full disk leaves what fits as a complete master, and exit code 74", .enabled(if: SmallDisk.isPossible))
  func fullDisk() throws {
    let disk = try #require(try SmallDisk(bytes: 6 << 20))
    let run = try OvercrankProgram(
      "record", "sim:,clock=virtual", "--frames", "480", "-o", disk.path("x.mp4"))
    #expect(run.status == 74)
    #expect(run.errors.contains("full"), "\(run.errors)")
    let numbers = try StripVideo(disk.path("x.master.mov")).numbers
    #expect(numbers.count > 5)
    #expect(!numbers.contains(nil))
    #expect(try !disk.names.contains { $0.hasSuffix(".part") || $0 == "x.mp4" })
  }
}
