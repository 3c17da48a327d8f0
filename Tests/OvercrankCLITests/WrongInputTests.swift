import FilmJudge
import Foundation
import Testing

/// A command line that cannot work, with the exit code and the words that it must end with.
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
    WrongInput("record /dev/null", 69, "no video device"),
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
    WrongInput("record sim: --crop 1280x720+100+0 -o x.mp4", 64, "From there, 1180x720 is the most"),
    WrongInput("retime x.mp4 --crop 8x8", 64, "from 16 to 16384 pixels each way"),
    WrongInput(
      "retime x.mp4 --crop 641x361", 64, "\"641x361\" is not in even numbers, which video needs; 640x360 is"),
    WrongInput("retime x.mp4 --crop middle", 64, "9:16 (the largest of this shape)"),
    WrongInput("record sim: --fps 0", 64, "rate"),
    WrongInput("record sim: --fps -5", 64, "rate"),
    WrongInput("record sim: --fps abc", 64, "rate"),
    WrongInput("record sim: --fps 500", 69, "--fps 240"),
    WrongInput(
      "record sim: --fps 500 --duration 2s --mic sim: --no-clip", 69,
      "overcrank record sim: --fps 240 --duration 2s --mic sim: --no-clip\n"),
    WrongInput(
      "record sim: --pre 1s", 64, "add --trigger enter, or key, signal, socket, stdin, time=10s, motion."),
    WrongInput("record sim: --trigger motion,area:5%", 64, "motion=area:5%"),
    WrongInput("record sim: --speed 0", 64, "speed"),
    WrongInput("record sim: --speed 0s:1,1s:0", 64, "\"1s:0\" has the speed 0"),
    WrongInput("retime x.mp4 --speed 0s:1,2s:1/8,1s:1", 64, "\"1s:1\" comes after 2s"),
    WrongInput("retime x.mp4 --speed @/no/such/ramp.txt", 66, "/no/such/ramp.txt"),
    WrongInput("retime x.mp4 --speed @/dev/null", 64, "holds no speed"),
    WrongInput("retime x.mp4 --in 2s --out 1s", 64, "--out must be later than --in"),
    WrongInput("retime x.mp4 --crop 641x360+0+0", 64, "even numbers"),
    WrongInput("retime x.mp4 --scale 0x0", 64, "even numbers"),
    WrongInput("retime x.mp4 --codec prores --crf 20", 64, "--crf has no meaning"),
    WrongInput("retime x.mp4 --codec mjpeg --preset slow", 64, "--preset has no meaning"),
    WrongInput("record sim: --codec prores -o x.mp4", 69, "end in .mov"),
    WrongInput("retime x.mp4 --codec vp9", 64, "codec"),
    WrongInput(
      "retime x.mp4 --speed 8x", 64, "1/8 or 8x-slower plays 8 times slower, 8x-faster 8 times faster"),
    WrongInput("retime x.mp4 --size 640x360", 64, "Did you mean --scale (the clip) or --crop"),
    WrongInput("record sim: --rate 240", 64, "Did you mean --fps (the camera) or --clip-fps (the clip)?"),
    WrongInput("retime x.mp4 --quality 20", 64, "Did you mean --crf?"),
    WrongInput("retime a.mp4 --slower 3 -o x.mp4", 64, "There is no option --slower."),
    WrongInput("retime a.mp4 --cropp 64x64 -o x.mp4", 64, "There is no option --cropp. Did you mean --crop"),
    WrongInput("retime a.mp4 --gif", 64, "\"ffmpeg -i CLIP clip.gif\" makes a GIF of it"),
    WrongInput("record sim: --loop", 64, "There is no option --loop. Players repeat a clip"),
    WrongInput("takes export --foler a", 64, "There is no option --foler. Did you mean --folder"),
    WrongInput("retime a.mp4 --speed 0,125", 64, "\"0,125\" has a decimal comma; write 0.125 instead."),
    WrongInput("record sim: --duration 1,5s", 64, "\"1,5s\" has a decimal comma; write 1.5s instead."),
    WrongInput("retime a.mp4 --clip-fps 59,94 -o x.mp4", 64, "write 59.94 instead."),
    WrongInput("retime a.mp4 --zoom 2 --zoom-at 0,5", 64, "from 0, the left or upper edge, to 1"),
    WrongInput(
      "record sim: drop2.mp4", 64,
      "\"drop2.mp4\" is the name of a file, and only cameras are named here. -o drop2.mp4"),
    WrongInput("snap sim: shot.JPG", 64, "-o shot.JPG writes to it"),
    WrongInput("list", 64, "Did you mean devices or takes list?"),
    WrongInput("play drop.mp4", 64, "Did you mean takes open?"),
    WrongInput("rename a b", 64, "Did you mean takes label?"),
    WrongInput("takes rename a b", 64, "Did you mean label?"),
    WrongInput("takes rm a", 64, "Did you mean remove?"),
    WrongInput("gif drop.mp4", 64, "makes a GIF of it"),
    WrongInput("help takes bogus", 64, "There is no command \"bogus\"."),
    WrongInput("help film", 64, "There is no command \"film\". Did you mean record?"),
    WrongInput("rec sim:", 64, "There is no command \"rec\". Did you mean record or recover?"),
    WrongInput("film sim:", 64, "Did you mean record?"),
    WrongInput("profiles lst", 64, "Did you mean list?"),
    WrongInput("record sim: --max-width 720p", 64, "such pictures are 1280 wide"),
    WrongInput("retime a.mp4 b.mp4 -o x.mp4", 64, "Name a folder"),
    WrongInput("retime a.mp4 --fps 25 --clip-fps 30", 64, "the same here"),
    WrongInput("retime a.mp4 --speed 1/8 --copy --fps 30", 64, "--fps has no meaning"),
    WrongInput("retime a.mp4 --speed 1/8 --copy --in-place --force", 64, "--force"),
    WrongInput("record front back", 69, "No camera is known to be back"),
    WrongInput("record /dev/video987 no-such-camera", 69, "None of these cameras is there: /dev/video987:"),
    WrongInput("record /dev/video987 sim:,drip=3", 64, "drop="),
    WrongInput("select external", 69, "No camera is known to be external"),
    WrongInput("record sim: --rotate 45", 64, "0, 90, 180 or 270 degrees, clockwise"),
    WrongInput("snap sim: --rotate -90", 64, "\"-90\" is not a number of quarters"),
    WrongInput("retime a.mp4 --copy --speed 2 --in-place --rotate 90", 64, "leave out --rotate and --mirror"),
    WrongInput("record sim: --max-size 0", 64, "such as 4GB, 700MB"),
    WrongInput("record sim: --max-size 4PB", 64, "a size of more than nothing"),
    WrongInput("record sim: --quality best", 64, "high (the widest), medium (at most 1280 wide), low"),
    WrongInput("record sim: --quality 4k,high", 64, "\"4k\" is not a quality"),
    WrongInput("select sim: --fps 240 --quality 2160p,1080p", 69, "2160p: none of its modes has 2160 rows"),
    WrongInput(
      "select sim: --fps 240 --quality 1080p", 69, "no mode of quality 1080p has at least 99 % of 240 fps"),
    WrongInput("bench sim: --all --quality low", 64, "--quality"),
    WrongInput("record sim: --audio stretch", 64, "no audio"),
    WrongInput("record sim: --frames-json", 64, "give both"),
    WrongInput("bench sim: --force", 64, "--plot"),
    WrongInput("bench sim: --all --prefer unbinned", 64, "--prefer"),
    WrongInput("select sim: --format h264", 69, "none of its modes has the format h264; it has MJPG, YUYV"),
    WrongInput("select sim: --format h264 --fps 240", 69, "none of its modes has the format h264"),
    WrongInput("select sim: --max-width 10 --fps max", 69, "none of its modes is at most 10 pixels wide"),
    WrongInput("retime x.mp4 --speed 1/8 --copy --fill blend", 64, "--fill has no meaning"),
    WrongInput("retime x.mp4 --speed 1/8 --copy --deflicker", 64, "--deflicker has no meaning"),
    WrongInput("retime x.mp4 --speed 1/8 --copy --zoom 2", 64, "--zoom has no meaning"),
    WrongInput("retime x.mp4 --zoom 0.5", 64, "no zoom from 1"),
    WrongInput("retime x.mp4 --zoom-at 0.5,0.5", 64, "--zoom-at needs --zoom"),
    WrongInput("record sim: --follow 0,0@0s", 64, "--follow needs --zoom"),
    WrongInput("record sim: --zoom 2 --zoom-at 0.5,2", 64, "from 0, the left or upper edge, to 1"),
    WrongInput("retime x.mp4 --zoom 2 --zoom-at 0,0 --follow 0,0@0s", 64, "give one of them"),
    WrongInput("retime x.mp4 --develop none --black 64", 64, "--black has no meaning"),
    WrongInput("retime x.mp4 --white-balance 1,2", 64, "such as 1.9,1,1.6"),
    WrongInput("retime x.mp4 --white-balance 1,0,nan", 64, "such as 1.9,1,1.6"),
    WrongInput("record sim: --black -1", 64, "no level of a sensor"),
    WrongInput("record sim: --develop maybe", 64, "auto"),
    WrongInput("record sim:,flicker=100:2", 64, "100:0.3"),
    WrongInput("retime x.mp4 --speed 1/8 --in-place", 64, "--copy"),
    WrongInput("retime x.mp4 --speed 0s:1,1s:1/8 --copy --in-place", 64, "one speed throughout"),
    WrongInput("retime x.mp4 --speed 1/8 --copy --in-place -o y.mp4", 64, "leave out -o"),
    WrongInput("record sim: --duration 0", 64, "duration"),
    WrongInput("record sim: --duration soon", 64, "duration"),
    WrongInput("record sim: --frames 0", 64, "--frames"),
    WrongInput("record sim: --frames -3", 64, "give at least 1"),
    WrongInput("record sim: --format nothing-such", 64, "format"),
    WrongInput("record sim: --max-width 10", 69, "overcrank formats"),
    WrongInput("retime x.mp4 --crf -1", 64, "--crf -1.0 is not from 0 to 51"),
    WrongInput("retime x.mp4 --fps 2000000", 64, "to a million frames per second"),
    WrongInput("record sim: --crf 99", 64, "--crf"),
    WrongInput("record sim: --frames 3 --duration 3s", 64, "one of them"),
    WrongInput("record sim: -o clip.txt", 64, ".mp4"),
    WrongInput("record sim: -o /no/such/folder/x.mp4", 73, "/no/such/folder"),
    WrongInput("record sim: -o /proc/x.mp4", 73, "/proc"),
    WrongInput("record sim: --pre 2s", 64, "--trigger enter"),
    WrongInput("record sim: --post 2s", 64, "--trigger enter"),
    WrongInput("record sim: --takes 2", 64, "--trigger enter"),
    WrongInput("record sim: --trigger knock", 64, "socket=NAME"),
    WrongInput("record sim: --trigger socket=a/b", 64, "slash"),
    WrongInput("record sim: --trigger time=noon", 64, "14:30:00"),
    WrongInput("record sim: --trigger enter --trigger key", 64, "one of them"),
    WrongInput("record sim: --trigger signal --trigger signal", 64, "twice"),
    WrongInput("record sim: --trigger key", 64, "--trigger stdin"),
    WrongInput("record sim: --trigger enter --takes -1", 64, "less than none"),
    WrongInput("record sim: --trigger enter --post 0", 64, "--post"),
    WrongInput("record sim: --trigger enter --post 1s --duration 1s", 64, "one of them"),
    WrongInput("record sim: --ring 3", 64, "512MiB"),
    WrongInput("record sim: --ring 900000GiB --frames 5", 74, "--ring"),
    WrongInput("record sim: --timeout 0", 64, "--timeout"),
    WrongInput("trigger nobody-is-called-so", 69, "--trigger socket=nobody-is-called-so"),
    WrongInput("trigger a/b", 64, "slash"),
    WrongInput("select sim: --fps 500", 69, "--fps 240"),
    WrongInput("select --from /no/such/table.json --fps 30", 66, "/no/such/table.json"),
    WrongInput("select --from /dev/null --fps 30", 65, "/dev/null"),
    WrongInput("formats sim: --from x", 64, "not both"),
    WrongInput("formats --from -", 65, "standard input"),
    WrongInput("formats --from /etc/passwd", 65, "v4l2-ctl --list-formats-ext"),
    WrongInput("simulate sim: --to /dev/null", 69, "no video device"),
    WrongInput("recover /no/such/x.mp4", 66, "/no/such/x.mp4"),
    WrongInput("recover /tmp", 66, "folder"),
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
  "Wrong input ends in one clear message and the contract's exit code", .tags(.program),
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
    "an output that exists is left as it is, whichever of the three files it is",
    arguments: ["x.mp4", "x.master.mov", "x.take.json"])
  func exists(_ name: String) throws {
    let folder = try TemporaryFolder()
    try Data("mine".utf8).write(to: folder.url.appending(path: name))
    let run = try OvercrankProgram("record", "sim:", "--frames", "5", "-o", folder.path("x.mp4"))
    #expect(run.status == 73)
    #expect(run.errors.contains("--force"))
    #expect(try folder.names == [name])
    #expect(try Data(contentsOf: folder.url.appending(path: name)) == Data("mine".utf8))
  }

  @Test(
    "a folder in the place of a file is told before filming, with --force too", arguments: [[], ["--force"]])
  func folderInTheWay(_ options: [String]) throws {
    for name in ["x.mp4", "x.master.mov", "x.take.json"] {
      let folder = try TemporaryFolder()
      try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: false)
      let run = try OvercrankProgram(
        ["record", "sim:", "--frames", "5", "-o", folder.path("x.mp4")] + options)
      #expect(run.status == 73)
      #expect(run.errors.contains("\(name): exists and is not a file"), "\(run.errors)")
      #expect(!run.errors.contains("Recording"))
      #expect(try folder.names == [name])
    }
  }

  @Test("options of a clip that is not made are told of")
  func withoutClip() throws {
    let folder = try TemporaryFolder()
    let run = try OvercrankProgram(
      "record", "sim:", "--frames", "2", "--no-clip", "--codec", "hevc", "--speed", "1/8", "-o",
      folder.path("x.mp4"))
    #expect(run.status == 0)
    #expect(run.errors.contains("--no-clip writes no clip: --speed, --codec do nothing."), "\(run.errors)")
    #expect(try folder.names == ["x.master.mov", "x.take.json"])
  }

  @Test(
    "a recording that is interrupted before its first frame says so", arguments: [SIGINT, SIGTERM, SIGHUP])
  func noFrameYet(_ signal: Int32) throws {
    let folder = try TemporaryFolder()
    let run = try OvercrankProgram(
      ["record", "sim:,stall=1h@0", "--timeout", "1h", "--duration", "1h", "-o", folder.path("x.mp4")],
      whileRunning: { process in
        while process.isRunning, try folder.names.isEmpty { usleep(20_000) }
        kill(process.processIdentifier, signal)
      })
    #expect(run.status == 130, "\(run.errors)")
    #expect(run.errors.contains("there is no take"))
    #expect(run.output.isEmpty)
    #expect(try folder.names.isEmpty)
  }

  /// A film of ten small frames in a folder of its own.
  private func film() throws -> (folder: TemporaryFolder, film: String) {
    let folder = try TemporaryFolder()
    let film = folder.path("film.mov")
    try Program.ffmpeg("-f", "lavfi", "-i", "testsrc2=s=64x32:r=60", "-frames:v", "10", "-c:v", "mjpeg", film)
    return (folder, film)
  }

  @Test(
    "a clip does not replace its film by whatever name, not even with --force", arguments: [[], ["--copy"]])
  func ownFilm(_ way: [String]) throws {
    let (folder, film) = try film()
    let before = try Data(contentsOf: URL(filePath: film))
    try FileManager.default.createSymbolicLink(atPath: folder.path("other.mov"), withDestinationPath: film)
    try FileManager.default.linkItem(atPath: film, toPath: folder.path("hard.mov"))
    for name in ["film.mov", "other.mov", "hard.mov"] {
      let run = try OvercrankProgram(
        ["retime", film, "--speed", "1/4", "--force", "-o", folder.path(name)] + way)
      #expect(run.status == 73)
      #expect(run.errors.contains("is the film itself"), "\(run.errors)")
    }
    #expect(try Data(contentsOf: URL(filePath: film)) == before)
    #expect(try folder.names == ["film.mov", "hard.mov", "other.mov"])
  }

  @Test("a clip's name without -o is taken for a source, and the error says so")
  func forgottenOption() throws {
    let (folder, film) = try film()
    let run = try OvercrankProgram("retime", film, folder.path("slow.mp4"))
    #expect(run.status == 66)
    #expect(run.errors.contains("-o \(folder.path("slow.mp4")) makes a clip of that name."), "\(run.errors)")
    #expect(try folder.names == ["film.mov"])
  }

  @Test("a pipe is no film, and is not waited for", arguments: [[], ["--copy"], ["--copy", "--in-place"]])
  func pipe(_ way: [String]) throws {
    let folder = try TemporaryFolder()
    #expect(mkfifo(folder.path("x.mov"), 0o600) == 0)
    let run = try OvercrankProgram(["retime", folder.path("x.mov"), "--speed", "1/4"] + way)
    #expect(run.status == 66)
    #expect(run.errors.contains("is a pipe"), "\(run.errors)")
    #expect(try folder.names == ["x.mov"])
  }

  @Test(
    "a clip cannot go to",
    arguments: [("no/x.mp4", "mkdir -p"), ("film.mov/x.mp4", "is a file"), ("d.mp4", "regular")])
  func noPlace(_ name: String, _ words: String) throws {
    let (folder, film) = try film()
    try FileManager.default.createDirectory(atPath: folder.path("d.mp4"), withIntermediateDirectories: false)
    let run = try OvercrankProgram("retime", film, "--speed", "1/4", "--force", "-o", folder.path(name))
    #expect(run.status == 73)
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(try folder.names == ["d.mp4", "film.mov"])
  }

  @Test("a film whose recording was cut off is to be recovered first", arguments: ["x.mp4", "x.master.mov"])
  func cutOff(_ name: String) throws {
    let folder = try TemporaryFolder()
    try Data("frames".utf8).write(to: folder.url.appending(path: "x.master.mov.part"))
    let run = try OvercrankProgram("retime", folder.path(name), "--speed", "1/4")
    #expect(run.status == 66)
    #expect(run.errors.contains("overcrank recover \(folder.path(name))"), "\(run.errors)")
    #expect(try folder.names == ["x.master.mov.part"])
  }

  @Test(
    "a full disk leaves no half of a clip", .enabled(if: SmallDisk.isPossible), arguments: [[], ["--copy"]])
  func fullDiskForAClip(_ way: [String]) throws {
    let folder = try TemporaryFolder()
    let film = folder.path("film.mov")
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=320x240:r=60", "-frames:v", "30", "-vf", "noise=alls=90:allf=t",
      "-c:v",
      "mjpeg", "-q:v", "2", film)
    let disk = try #require(try SmallDisk(bytes: 64 << 10))
    let run = try OvercrankProgram(["retime", film, "--speed", "1/4", "-o", disk.path("x.mov")] + way)
    #expect(run.status == 74)
    #expect(run.errors.contains("full"), "\(run.errors)")
    #expect(try disk.names == [])
  }

  @Test(
    "a full disk leaves what fitted as a whole master, and exit code 74", .enabled(if: SmallDisk.isPossible))
  func fullDisk() throws {
    let disk = try #require(try SmallDisk(bytes: 6 << 20))
    let run = try OvercrankProgram("record", "sim:", "--frames", "480", "-o", disk.path("x.mp4"))
    #expect(run.status == 74)
    #expect(run.errors.contains("full"), "\(run.errors)")
    let numbers = try StripFilm(disk.path("x.master.mov")).numbers
    #expect(numbers.count > 5)
    #expect(!numbers.contains(nil))
    #expect(try !disk.names.contains { $0.hasSuffix(".part") || $0 == "x.mp4" })
  }
}
