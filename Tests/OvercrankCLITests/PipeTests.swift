import FrameJudge
import Foundation
import Testing

@Suite("Clips on standard output, and truncated video", .tags(.program), .timeLimit(.minutes(1)))
struct PipeTests {
  let folder: TemporaryFolder
  private let program = OvercrankProgram.url.path

  init() throws { folder = try TemporaryFolder() }

  /// Records a master of `count` frames. Returns the numbers in their pixels.
  private func record(_ count: Int) throws -> [UInt32?] {
    let run = try OvercrankProgram([
      "record", SmallCamera.inVirtualTime(), "--format", "raw", "--fps", "240", "--frames", "\(count)",
      "--no-clip",
      "-o",
      folder.path("x.mp4"),
    ])
    try #require(run.status == 0, "\(run.errors)")
    return try folder.take().sequences.map { UInt32($0) }
  }

  /// Runs `script` in the folder, where `$P` is the program. Returns its standard error.
  @discardableResult
  private func shell(_ script: String) throws -> String {
    let words = "set -e -o pipefail; cd '\(folder.url.path)'; P='\(program)'; \(script)"
    return try Program.run("bash", ["-c", words]).errors
  }

  /// The frames of `master` as a Y4M video of the rows with the strip.
  private func writeY4M(_ name: String, count: Int = 12) throws -> [UInt32?] {
    let numbers = try record(count)
    try Program.ffmpeg(
      "-i", folder.path("x.master.mov"), "-fps_mode", "passthrough", "-vf", "crop=320:64:0:0", "-pix_fmt",
      "yuv420p", "-f", "yuv4mpegpipe", folder.path(name))
    return numbers
  }

  @Test("hold the frames of the clip, and make a filter")
  func filter() throws {
    let numbers = try record(24)
    let words = try shell("$P retime x.master.mov --speed 1/8 -o - > slow.y4m")
    #expect(try StripVideo(folder.path("slow.y4m")).numbers == numbers)
    #expect(words.contains("standard output: 24 frames at 30 fps"), "\(words)")
    let head = try Data(contentsOf: URL(filePath: folder.path("slow.y4m"))).prefix(80)
    #expect(String(decoding: head, as: UTF8.self).hasPrefix("YUV4MPEG2 W320 H180 F30:1 Ip"))

    try shell("$P retime - --speed 1/2 --clip-fps 30 -q -o - < slow.y4m | $P retime - -q -o again.mp4")
    #expect(try StripVideo(folder.path("again.mp4")).numbers == numbers.flatMap { [$0, $0] })
    #expect(try !folder.names.contains { $0.hasPrefix(".overcrank") })
  }

  @Test(
    "keep the source's depth and the shape of its pixels",
    arguments: ["yuv420p10le", "yuv422p12le", "yuv444p", "gray"])
  func depth(_ pixels: String) throws {
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=d=0.5:s=320x240:r=24000/1001,setsar=4/3", "-pix_fmt", pixels, "-c:v",
      "ffv1", folder.path("film.mkv"))
    try shell(
      """
      $P retime film.mkv --speed 1 --clip-fps 24000/1001 -q -o - > film.y4m
      for film in film.mkv film.y4m; do ffmpeg -v error -i $film -pix_fmt \(pixels) -f framemd5 $film.md5; done
      ffprobe -v error -show_entries stream=r_frame_rate,sample_aspect_ratio,pix_fmt -of csv=p=0 film.y4m > told
      """)
    func sums(_ name: String) throws -> [Substring] {
      try String(contentsOfFile: folder.path(name), encoding: .utf8).split(separator: "\n")
        .filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: ",").last }
    }
    // libav's reader knows grey and deep pictures by the same names.
    let told = try String(contentsOfFile: folder.path("told"), encoding: .utf8)
    #expect(told.contains(pixels) && told.contains("24000/1001") && told.contains("4:3"), "\(told)")
    let (video, clip) = (try sums("film.mkv.md5"), try sums("film.y4m.md5"))
    #expect(!video.isEmpty && video == clip)
  }

  @Test("end without an error when the reader has enough")
  func reader() throws {
    _ = try record(48)
    let words = try shell(
      "$P retime x.master.mov --speed 1/8 -o - | head -c 100000 > some; echo \"${PIPESTATUS[@]}\" > codes")
    #expect(try String(contentsOfFile: folder.path("codes"), encoding: .utf8) == "0 0\n")
    #expect(words.contains("the program that read it stopped"), "\(words)")
    #expect(try Data(contentsOf: URL(filePath: folder.path("some"))).count == 100_000)
  }

  @Test(
    "are refused with options that have no effect there",
    arguments: ["--json", "--copy --speed 1/2", "--codec hevc", "--crf 20", "--audio pitch", "--force"])
  func refusals(_ options: String) throws {
    let run = try OvercrankProgram(
      ["retime", "none.mov", "-o", "-"] + options.split(separator: " ").map(String.init))
    let name = options.split(separator: " ")[0]
    #expect(run.status == 64 && run.errors.contains(name) && run.output.isEmpty, "\(run.errors)")
  }

  @Test("are refused on a terminal, and on a full disk")
  func places() throws {
    _ = try record(4)
    try shell("script -qec \"$P retime x.master.mov -o -\" /dev/null > told < /dev/null || echo $? > code")
    #expect(try String(contentsOfFile: folder.path("code"), encoding: .utf8) == "64\n")
    #expect(
      try String(contentsOfFile: folder.path("told"), encoding: .utf8).contains(
        "standard output is a terminal"))
    try shell("$P retime x.master.mov -o - > /dev/full 2> told || echo $? > code")
    #expect(try String(contentsOfFile: folder.path("code"), encoding: .utf8) == "74\n")
    #expect(
      try String(contentsOfFile: folder.path("told"), encoding: .utf8).contains(
        "standard output: cannot be written"))
  }

  @Test("A source that is truncated, or followed by other data, is a clip of its whole frames, and an error")
  func cut() throws {
    let numbers = try writeY4M("film.y4m")
    let video = try Data(contentsOf: URL(filePath: folder.path("film.y4m")))
    for (name, bytes, count) in [
      ("cut", video.dropLast(9), 11), ("cut in a header", video.dropLast(320 * 64 * 3 / 2 + 3), 11),
      ("rubbish behind", video + Data(repeating: 7, count: 999), 12),
    ] {
      let run = try OvercrankProgram(
        ["retime", "-", "--capture-rate", "240", "--force", "-o", folder.path("clip.mp4")], input: bytes)
      #expect(run.status == 65, "\(name): \(run.errors)")
      #expect(
        run.errors.contains("standard input: is cut off or damaged: \(count) frames can be read"),
        "\(name): \(run.errors)")
      #expect(!run.errors.contains("/proc/"), "\(run.errors)")
      #expect(try StripVideo(folder.path("clip.mp4")).numbers == Array(numbers.prefix(count)), "\(name)")
    }
  }

  @Test("A source that ends before the frames in its index is a clip of those it has, and an error")
  func cutBehindIndex() throws {
    let run = try OvercrankProgram(
      "record", SmallCamera.inVirtualTime(), "--fps", "240", "--frames", "24", "-o",
      folder.path("x.mp4"))
    try #require(run.status == 0, "\(run.errors)")
    let place = try Program.run(
      "ffprobe",
      ["-v", "error", "-show_entries", "packet=pos", "-of", "csv=p=0", folder.path("x.mp4")])
    let end = try #require(Int(String(decoding: place.output, as: UTF8.self).split(separator: "\n")[12]))
    let video = try Data(contentsOf: URL(filePath: folder.path("x.mp4"))).prefix(end)
    try video.write(to: folder.url.appending(path: "cut.mp4"))
    let clip = try OvercrankProgram("retime", folder.path("cut.mp4"), "-o", folder.path("clip.mp4"))
    #expect(
      clip.status == 65 && clip.errors.contains("is cut off or damaged: 12 frames can be read"),
      "\(clip.errors)")
    // The last ones are not those before the cut: they are stored in decoding order.
    let numbers = try StripVideo(folder.path("clip.mp4")).numbers
    #expect(numbers.count == 12 && numbers.prefix(9) == Array(0..<9).map { UInt32?($0) }[...], "\(numbers)")
    let copy = try OvercrankProgram(
      "retime", folder.path("cut.mp4"), "--copy", "--speed", "1/2", "-o", folder.path("copy.mov"))
    #expect(
      copy.status == 65 && copy.errors.contains("12 of its 24 frames are beyond its end"), "\(copy.errors)")
    #expect(try !folder.names.contains("copy.mov"))
  }

  @Test("A clip never replaces a take's master or the video at standard input")
  func itself() throws {
    let run = try OvercrankProgram(
      "record", SmallCamera.inVirtualTime(), "--fps", "240", "--frames", "6", "-o",
      folder.path("x.mp4"))
    try #require(run.status == 0, "\(run.errors)")
    for (video, input) in [("x.mp4", "x.master.mov"), ("-", "x.mp4")] {
      let target = folder.path(input)
      let before = try Data(contentsOf: URL(filePath: target))
      let script =
        "'\(OvercrankProgram.url.path)' retime \(video) --force -o \(input) <x.mp4 2>told; echo $? >code"
      _ = try Program.run("bash", ["-c", "cd '\(folder.url.path)'; \(script)"])
      #expect(try String(contentsOfFile: folder.path("code"), encoding: .utf8) == "73\n", "\(video)")
      #expect(try Data(contentsOf: URL(filePath: target)) == before)
    }
  }

  @Test(
    "A header with impossible numbers is bad data",
    arguments: [
      "W99999999 H99999999 F30:1", "W0 H0 F30:1", "W-5 H7 F30:1", "W30000 H30000 F30:1",
      "W2000000 H2000 F30:1",
      "W64 H64 F2147483647:1", "W64 H64 F1:2147483647", "W64 H64 F-3:7", "W64 H64 F99999999999:1",
      "W64 H64 F30",
      "W64 F30:1", "H64 F30:1", "W99999999999999999999 H64", "W64 H64 Cbogus", "W64 H64 F30:1 A1:1 Ip",
    ])
  func header(_ words: String) throws {
    let input = Data("YUV4MPEG2 \(words)\nFRAME\n".utf8) + Data(repeating: 60, count: 6143)
    let run = try OvercrankProgram(["retime", "-", "-o", folder.path("clip.mp4")], input: input)
    #expect(run.status == 65 && run.errors.contains("standard input"), "\(run.status): \(run.errors)")
    #expect(!run.errors.contains("/proc/"), "\(run.errors)")
    #expect(try folder.names.isEmpty)
  }

  @Test(
    "Endless input that is not a video is refused by its first bytes",
    arguments: ["/dev/zero", "/dev/urandom"])
  func endless(_ source: String) throws {
    let script = "'\(program)' retime - --capture-rate 240 -o clip.mp4 <\(source) 2>told; echo $? >code"
    _ = try Program.run("bash", ["-c", "cd '\(folder.url.path)'; ulimit -f 2000000; \(script)"])
    let told = try String(contentsOfFile: folder.path("told"), encoding: .utf8)
    #expect(try String(contentsOfFile: folder.path("code"), encoding: .utf8) == "65\n", "\(told)")
    #expect(told.contains("standard input: ") && !told.contains("/proc/"), "\(told)")
    #expect(try Set(folder.names) == ["code", "told"])
  }

  @Test("libav's own messages are not printed", arguments: ["nut", "mov", "mkv", "ts"])
  func silence(_ format: String) throws {
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=320x240:r=30", "-frames:v", "9", "-c:v", "libx264",
      folder.path("x.\(format)"))
    let video = try Data(contentsOf: URL(filePath: folder.path("x.\(format)")))
    for bytes in [video.prefix(video.count / 2 | 1), video.dropLast(5)] {
      for more in [[], ["--copy", "--speed", "1/2"]] {
        let run = try OvercrankProgram(
          ["retime", "-", "--capture-rate", "240", "--force", "-o", folder.path("clip.mov")] + more,
          input: bytes)
        #expect(run.status == 65, "\(run.errors)")
        #expect(!run.errors.contains("["), "\(run.errors)")
        #expect(!run.errors.contains("real-time"), "\(run.errors)")
      }
    }
  }

  @Test("Standard input cannot be changed in place")
  func inPlace() throws {
    let run = try OvercrankProgram("retime", "-", "--copy", "--in-place", "--speed", "1/2")
    #expect(run.status == 64 && run.errors.contains("standard input"), "\(run.errors)")
  }
}
