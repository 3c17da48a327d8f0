import Testing

@testable import OvercrankCLI

/// An invalid command line, with text that its message must contain.
struct WrongUsage: Sendable, CustomTestStringConvertible {
  var arguments: [String]
  var words: String
  var testDescription: String { arguments.joined(separator: " ") }

  /// Creates the command line of `arguments`, in which `''` is an empty one.
  init(_ arguments: String, _ words: String) {
    self.arguments = arguments.split(separator: " ").map { $0 == "''" ? "" : String($0) }
    self.words = words
  }

  static let all: [WrongUsage] = [
    WrongUsage("retime x.mp4 --crop 8x8", "from 16 to 16384 pixels each way"),
    WrongUsage(
      "retime x.mp4 --crop 641x361", "\"641x361\" is not in even numbers, which video needs; 640x360 is"),
    WrongUsage("retime x.mp4 --crop middle", "9:16 (the largest of this shape)"),
    WrongUsage("record sim: -o clips/.mp4", "must end in .mp4"),
    WrongUsage("record sim: -o ''", "is invalid"), WrongUsage("retime ''", "is invalid"),
    WrongUsage("retime x.mp4 -o ''", "is invalid"), WrongUsage("record sim: --events ''", "is invalid"),
    WrongUsage("record sim: --fps 0", "rate"),
    WrongUsage("record sim: --fps -5", "rate"),
    WrongUsage("record sim: --with fps=120", "a camera, such as 2 or sim:"),
    WrongUsage("record sim: --with sim: --reconnect", "--reconnect continues in a take of one camera alone"),
    WrongUsage(
      "record sim: --with sim: --trigger enter --frames 9 --takes 2", "give --post or --duration instead."),
    WrongUsage("record sim: --with sim:,fps=fast", "rate"),
    WrongUsage("record sim: --pre 1s", "add --trigger enter, or \(TriggerOptions.otherKinds)."),
    WrongUsage("record sim: --trigger motion,area:5%", "motion=area:5%"),
    WrongUsage("record sim: --speed 0", "speed"),
    WrongUsage("record sim: --speed 0s:1,1s:0", "\"1s:0\" has the speed 0"),
    WrongUsage(
      "retime x.mp4 --speed 0s:1,2s:1/8,1s:1", "\"1s:1\" is earlier than the point before it, at 2s"),
    WrongUsage("retime x.mp4 --in 2s --out 1s", "--out must be later than --in"),
    WrongUsage("retime x.mp4 --crop 641x360+0+0", "even numbers"),
    WrongUsage("retime x.mp4 --scale 0x0", "even numbers"),
    WrongUsage("retime x.mp4 --codec prores --crf 20", "--crf cannot be used with --codec prores"),
    WrongUsage("retime x.mp4 --codec mjpeg --preset slow", "--preset cannot be used with --codec mjpeg"),
    WrongUsage("retime x.mp4 --codec vp9", "codec"),
    WrongUsage(
      "retime x.mp4 --speed 8x", "1/8 or 8x-slower for 8 times slower, 8x-faster for 8 times faster"),
    WrongUsage("retime x.mp4 --size 640x360", "Did you mean --scale (the clip) or --crop"),
    WrongUsage("record sim: --rate 240", "Did you mean --fps (the camera) or --clip-fps (the clip)?"),
    WrongUsage("retime x.mp4 --quality 20", "Did you mean --crf?"),
    WrongUsage("retime a.mp4 --slower 3 -o x.mp4", "There is no option --slower."),
    WrongUsage("retime a.mp4 --cropp 64x64 -o x.mp4", "There is no option --cropp. Did you mean --crop"),
    WrongUsage("retime a.mp4 --gif", "A name that ends in .gif makes a GIF"),
    WrongUsage("record sim: --loop", "There is no option --loop. --reverse and --bounce change the order"),
    WrongUsage("takes export --foler a", "There is no option --foler. Did you mean --folder"),
    WrongUsage("retime a.mp4 --speed 0,125", "\"0,125\" has a decimal comma; write 0.125 instead."),
    WrongUsage("record sim: --duration 1,5s", "\"1,5s\" has a decimal comma; write 1.5s instead."),
    WrongUsage("retime a.mp4 --clip-fps 59,94 -o x.mp4", "write 59.94 instead."),
    WrongUsage("retime a.mp4 --zoom 2 --zoom-at 0,5", "from 0, the left or upper edge, to 1"),
    WrongUsage("list", "Did you mean devices or takes list?"),
    WrongUsage("play drop.mp4", "Did you mean takes open?"),
    WrongUsage("rename a b", "Did you mean takes label?"),
    WrongUsage("takes rename a b", "Did you mean label?"),
    WrongUsage("takes rm a", "Did you mean remove?"),
    WrongUsage("gif drop.mp4", "makes a GIF"),
    WrongUsage("help takes bogus", "There is no command \"bogus\"."),
    WrongUsage("help film", "There is no command \"film\". Did you mean record?"),
    WrongUsage("rec sim:", "There is no command \"rec\". Did you mean record or recover?"),
    WrongUsage("film sim:", "Did you mean record?"),
    WrongUsage("profiles lst", "Did you mean list?"),
    WrongUsage("record sim: --max-width 720p", "such pictures are 1280 wide"),
    WrongUsage("retime a.mp4 b.mp4 -o x.mp4", "Name a folder"),
    WrongUsage("retime a.mp4 --fps 25 --clip-fps 30", "mean the same here"),
    WrongUsage("retime a.mp4 --speed 1/8 --copy --fps 30", "--fps cannot be used with it"),
    WrongUsage("retime a.mp4 --speed 1/8 --copy --in-place --force", "--force"),
    WrongUsage("record sim: --rotate 45", "0, 90, 180 or 270 degrees, clockwise"),
    WrongUsage("snap sim: --rotate -90", "\"-90\" is not a rotation"),
    WrongUsage("retime a.mp4 --copy --speed 2 --in-place --rotate 90", "leave out --rotate and --mirror"),
    WrongUsage("record sim: --max-size 0", "such as 4GB, 700MB"),
    WrongUsage("record sim: --max-size 4PB", "a size above zero"),
    WrongUsage("record sim: --quality best", "high (the widest), medium (at most 1280 wide), low"),
    WrongUsage("record sim: --quality 4k,high", "\"4k\" is not a quality"),
    WrongUsage("bench sim: --all --quality low", "--quality"),
    WrongUsage("record sim: --audio stretch", "no audio"),
    WrongUsage("record sim: --frames-json", "give both"),
    WrongUsage("bench sim: --force", "--plot"),
    WrongUsage("bench sim: --all --prefer unbinned", "--prefer"),
    WrongUsage("retime x.mp4 --speed 1/8 --copy --fill blend", "--fill cannot be used with it"),
    WrongUsage("retime x.mp4 --speed 1/8 --copy --deflicker", "--deflicker cannot be used with it"),
    WrongUsage("retime x.mp4 --speed 1/8 --copy --zoom 2", "--zoom cannot be used with it"),
    WrongUsage("retime x.mp4 --zoom 0.5", "not a zoom from 1"),
    WrongUsage("retime x.mp4 --zoom-at 0.5,0.5", "--zoom-at needs --zoom"),
    WrongUsage("record sim: --follow 0,0@0s", "--follow needs --zoom"),
    WrongUsage("record sim: --zoom 2 --zoom-at 0.5,2", "from 0, the left or upper edge, to 1"),
    WrongUsage("retime x.mp4 --zoom 2 --zoom-at 0,0 --follow 0,0@0s", "give one of them"),
    WrongUsage("retime x.mp4 --develop none --black 64", "--black cannot be used with it"),
    WrongUsage("retime x.mp4 --white-balance 1,2", "such as 1.9,1,1.6"),
    WrongUsage("retime x.mp4 --white-balance 1,0,nan", "such as 1.9,1,1.6"),
    WrongUsage("record sim: --black -1", "not a level of a sensor"),
    WrongUsage("record sim: --develop maybe", "auto"),
    WrongUsage("retime x.mp4 --speed 1/8 --in-place", "--copy"),
    WrongUsage("retime x.mp4 --speed 1/8 --copy --in-place -o y.mp4", "leave out -o"),
    WrongUsage("record sim: --duration 0", "duration"),
    WrongUsage("record sim: --duration soon", "duration"),
    WrongUsage("record sim: --frames 0", "--frames"),
    WrongUsage("record sim: --frames -3", "give at least 1"),
    WrongUsage("record sim: --format nothing-such", "format"),
    WrongUsage("retime x.mp4 --crf -1", "--crf -1.0 is out of range; --codec h264 takes 0 to 51"),
    WrongUsage("retime x.mp4 --fps 2000000", "at most a million frames per second"),
    WrongUsage("record sim: --crf 99", "--crf"),
    WrongUsage("record sim: --frames 3 --duration 3s", "one of them"),
    WrongUsage("record sim: -o clip.txt", ".mp4"),
    WrongUsage("record sim: --pre 2s", "--trigger enter"),
    WrongUsage("record sim: --post 2s", "--trigger enter"),
    WrongUsage("record sim: --takes 2", "--trigger enter"),
    WrongUsage("record sim: --trigger knock", "socket=NAME"),
    WrongUsage("record sim: --trigger socket=a/b", "slash"),
    WrongUsage("record sim: --trigger time=noon", "14:30:00"),
    WrongUsage("record sim: --trigger udp=70000", "from 1 to 65535"),
    WrongUsage("record sim: --trigger udp=localhost:9000", "an address in digits"),
    WrongUsage("record sim: --trigger udp=9000,osc:go", "osc:/trigger"),
    WrongUsage(
      "record sim: --trigger udp=9000,osc:/a --trigger udp=9000,osc:/b", "Two options use UDP port 9000"),
    WrongUsage(
      "record sim: --trigger gpio=gpiochip0:17 --pulse gpio=gpiochip0:17", "Two options use GPIO line"),
    WrongUsage("record sim: --trigger time=1s --pulse gpio=gpiochip0:17,falling", "a GPIO line alone"),
    WrongUsage("record sim: --trigger input=event0,key:KEY_NONE", "KEY_ENTER"),
    WrongUsage("record sim: --trigger gpio=17", "gpiochip0:17"),
    WrongUsage("record sim: --pulse 17", "gpio=gpiochip0:17"),
    WrongUsage("record sim: --mic sim: --trigger audio=5", "from 6 to 80 dB"),
    WrongUsage("record sim: --mic sim: --trigger audio=12,distance:3", "3m or 50cm"),
    WrongUsage("record sim: --trigger enter --trigger key", "one of them"),
    WrongUsage("record sim: --trigger signal --trigger signal", "twice"),
    WrongUsage("record sim: --trigger enter --takes -1", "--takes -1 is negative"),
    WrongUsage("record sim: --trigger enter --post 0", "--post"),
    WrongUsage("record sim: --trigger enter --post 1s --duration 1s", "one of them"),
    WrongUsage("record sim: --ring 3", "512MiB"),
    WrongUsage("record sim: --timeout 0", "--timeout"),
    WrongUsage("trigger a/b", "slash"),
    WrongUsage("formats sim: --from x", "not both"),
    WrongUsage("snap sim: -o x.bmp", "\"x.bmp\" is not a valid picture name"),
    WrongUsage("snap sim: -o x.png --as tiff", "does not name a tiff file"),
    WrongUsage("snap sim: -o x.png --jpeg-quality 9", "a png file is lossless"),
    WrongUsage("snap sim: --jpeg-quality 0", "from 1 to 100"),
    WrongUsage("snap sim: --burst 0", "from 1 to 10000"),
    WrongUsage("snap sim: --strict", "lost frames within a --burst"),
    WrongUsage("snap sim: --flash --keep-controls", "without --flash"),
    WrongUsage("snap sim: --skip -1", "from 0 to 10000"),
    WrongUsage("snap sim: --keep-controls --gain 4", "without --gain"),
    WrongUsage("snap sim: --largest --burst 2 --fps 240", "without --largest or without --fps"),
    WrongUsage("snap sim: --largest --quality low", "both choose the still's size"),
    WrongUsage("snap sim: --largest --motion-photo", "without --motion-photo and --live-photo"),
    WrongUsage("snap sim: --motion-photo --burst 3", "--burst does not apply to Motion Photos"),
    WrongUsage("snap sim: --motion-photo --as png", "--as does not apply to Motion Photos"),
    WrongUsage("snap sim: --shots 2", "--shots applies only to Motion Photos"),
    WrongUsage("snap sim: --motion-photo -o x.png", "End the name in .MP.jpg"),
    WrongUsage("snap sim: --trigger enter", "--trigger applies only to Motion Photos"),
    WrongUsage("snap sim: --motion-photo --live-photo", "--live-photo a pair"),
    WrongUsage("snap sim: --live-photo --burst 3", "--burst does not apply to Motion Photos"),
    WrongUsage("record sim: --trigger motion=threshold:0", "from 1 to 254"),
    WrongUsage("record sim: --trigger motion=speed:1", "threshold:25"),
    WrongUsage("record sim: --ramp zoom=0s", "TIME:VALUE"),
    WrongUsage("controls sim: --ramp zoom=0s", "TIME:VALUE"),
    WrongUsage("bench sim: --keep-controls --gain 3", "without --gain"),
    WrongUsage("bench sim: --gain -3", "\"-3\" is not auto"),
    WrongUsage("bench sim: --all --fps 240", "drop --fps or --all"),
    WrongUsage("bench sim: --all --plot a.svg", "drop --all or --plot"),
    WrongUsage("bench sim: --duration 0", "--duration 0 measures nothing"),
    WrongUsage("bench sim: --plot a.png", "name must end in .svg"),
    WrongUsage("bench sim: --csv --json", "two forms of the same"),
    WrongUsage("retime a.mp4 --speed 0s:1,0,5s:1/8", "\"0,5s:1/8\" has a decimal comma; write 0.5s:1/8"),
    WrongUsage(
      "retime a.mp4 --zoom 0s:1,2s:1,5", "\"2s:1,5\" has a decimal comma; write 2s:1.5 instead."),
    WrongUsage("retime a.mp4 --zoom 2 --follow 0,2,0,5@0s", "write 0.2,0.5 for the position instead."),
    WrongUsage("record sim: --ramp gain=0s:1,0,5s:2", "write 0.5s:2 instead."),
    WrongUsage("retime a.mp4 --crop 9x16", "9:16 is the largest part of that shape"),
  ]
}

@Suite("A command line")
struct WrongUsageTests {
  @Test(
    "is refused with 64 and a clear message before anything is done, if it is invalid",
    arguments: WrongUsage.all)
  func refused(_ item: WrongUsage) throws {
    let error = try #require(throws: (any Error).self) { try Overcrank.command(item.arguments) }
    let failure = Overcrank.failure(for: error, of: item.arguments)
    #expect(failure.exitCode == 64)
    #expect(failure.message.contains(item.words), "\(failure.message)")
  }

  @Test("is accepted if it is valid", arguments: ["record sim: --fps 240 --duration 1s", "devices"])
  func right(_ line: String) throws {
    _ = try Overcrank.command(line.split(separator: " ").map(String.init))
  }
}
