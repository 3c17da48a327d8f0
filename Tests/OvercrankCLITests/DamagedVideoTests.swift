import FrameJudge
import Foundation
import Testing

@Suite("A video that is damaged in the middle", .tags(.program), .timeLimit(.minutes(1)))
struct DamagedVideoTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func ffmpeg(_ arguments: String...) throws {
    _ = try Program.run("ffmpeg", ["-v", "error", "-nostdin"] + arguments)
  }

  /// Changes the bytes of the file at `path`.
  private func change(_ path: String, _ change: (inout [UInt8]) throws -> Void) throws {
    var bytes = Array(try Data(contentsOf: URL(filePath: path)))
    try change(&bytes)
    try Data(bytes).write(to: URL(filePath: path))
  }

  /// Returns the places of a video's packets in its file, and their sizes.
  private func packets(_ path: String) throws -> (places: [Int], sizes: [Int]) {
    let answer = try Program.run(
      "ffprobe",
      ["-v", "error", "-select_streams", "v", "-show_entries", "packet=pos,size", "-of", "csv=p=0", path])
    let rows = String(decoding: answer.output, as: UTF8.self).split(separator: "\n")
      .map { $0.split(separator: ",").compactMap { Int($0) } }.filter { $0.count >= 2 }
    return (rows.map { $0[1] }, rows.map { $0[0] })
  }

  /// Both commands name the damage and its place, and the clip shows neither what is missing nor what depends on it: of
  /// frames 0 to 5, the first one is a keyframe.
  @Test(
    "is told with its place, and frames that depend on missing ones are not shown",
    arguments: [("flv", 1, 2), ("nut", -1, 0), ("mkv", -1, 0), ("ts", 0, 2)])
  func gap(_ kind: String, _ offset: Int, _ dependents: Int) throws {
    let run = try OvercrankProgram([
      "record", SmallCamera.inVirtualTime(), "--format", "raw", "--frames", "12", "--no-clip", "-o",
      folder.path("x.mp4"),
    ])
    try #require(run.status == 0, "\(run.errors)")
    let path = folder.path("y.\(kind)")
    try ffmpeg(
      "-r", "30", "-i", folder.path("x.master.mov"), "-vf", "crop=320:64:0:0", "-pix_fmt", "yuv420p", "-r",
      "30",
      "-c:v", "libx264", "-g", "6", "-bf", "0", "-preset", "ultrafast", "-crf", "12", path)
    let whole = try OvercrankProgram("show", path)
    #expect(whole.status == 0, "\(whole.errors)")
    let (places, sizes) = try packets(path)
    try #require(places.count == 12)
    try change(path) { bytes in
      let end = kind == "ts" ? places[4] : places[3] + sizes[3] / 2
      for place in places[3] + offset..<end { bytes[place] = 0xa5 }
    }
    let clip = folder.path("clip.mp4")
    let made = try OvercrankProgram("retime", path, "--speed", "1", "-o", clip)
    let shown = try OvercrankProgram("show", path)
    #expect(try StripVideo(clip).numbers == [0, 1, 2, 2, 2, 2, 6, 7, 8, 9, 10, 11], "\(made.output)")
    let words = "\(dependents) of the source's frames are damaged"
    #expect(made.output.contains(words) == (dependents > 0), "\(made.output)")
    // Receivers of transport streams lose packets so often that it is no error.
    for run in kind == "ts" ? [] : [made, shown] {
      #expect(run.status == 65 && !run.errors.contains("missing at its end"), "\(run.errors)")
      #expect(run.errors.contains("is damaged at byte") && run.errors.contains("frames there are missing"))
    }
    if kind == "ts" { #expect(made.status == 0 && shown.status == 0, "\(made.errors)\(shown.errors)") }
  }

  @Test("is told also if libav reads nothing behind it, or goes back", arguments: [true, false])
  func lastFrames(_ isRepeated: Bool) throws {
    let path = folder.path("x.nut")
    try ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=size=176x144:rate=25", "-frames:v", "24", "-c:v", "libx264", "-g", "20",
      "-pix_fmt", "yuv420p", path)
    let (places, sizes) = try packets(path)
    #expect(try OvercrankProgram("show", path).status == 0)
    try change(path) { bytes in
      let (start, end) = (places[21], places[23] + sizes[23])
      if isRepeated {
        bytes.insert(contentsOf: bytes[start..<end], at: start + sizes[21] / 2)
      } else {
        for place in start - 1..<end { bytes[place] = 0xa5 }
      }
    }
    let shown = try OvercrankProgram("show", path)
    #expect(shown.status == 65 && shown.errors.contains("damaged"), "\(shown.output)\(shown.errors)")
  }

  /// Several threads of libavcodec conceal damage by what the others have decoded by then.
  @Test("becomes the same clip in each run", arguments: [["libx264"], ["mpeg4", "-q:v", "3"]])
  func sameClip(_ codec: [String]) throws {
    let path = folder.path("x.mp4")
    _ = try Program.run(
      "ffmpeg",
      ["-v", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc2=size=320x240:rate=30", "-frames:v", "90"]
        + ["-g", "30", "-bf", "2", "-c:v"] + codec + [path])
    let (places, sizes) = try packets(path)
    var random = SplitMix(state: 3)
    try change(path) { bytes in
      for (place, size) in zip(places, sizes).dropFirst(10) where size > 200 {
        for _ in 0..<2 { bytes[place + 100 + Int(random.next() % UInt64(size - 100))] ^= 4 }
      }
    }
    let clip = folder.path("clip.mkv")
    var clips: Set<[String]> = []
    for _ in 0..<6 {
      let run = try OvercrankProgram(
        "retime", path, "--speed", "1", "--codec", "ffv1", "--force", "-o", clip)
      #expect(run.status == 0 && run.output.contains("frames are damaged"), "\(run.errors)\(run.output)")
      clips.insert(try FrameHashes(clip).hashes)
    }
    #expect(clips.count == 1)
  }

  @Test(
    "in the header of a picture is told in the same words by retime and show",
    arguments: [("x.png", 18), ("x.png", 22), ("x.bmp", 19), ("x.apng", 25)])
  func header(_ name: String, _ place: Int) throws {
    let path = folder.path(name)
    let count = name.hasSuffix("apng") ? "3" : "1"
    let format = name.hasSuffix("bmp") ? "bgr24" : "rgb24"
    try ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=10", "-frames:v", count, "-pix_fmt", format, path)
    #expect(try OvercrankProgram("show", path).status == 0)
    try change(path) { $0[place] = 0xff }
    let shown = try OvercrankProgram("show", path)
    let made = try OvercrankProgram("retime", path, "--speed", "1", "-o", folder.path("clip.mp4"))
    #expect(shown.status == 65 && made.status == 65, "\(shown.errors)\(made.errors)")
    let words = "\(path): no frame of it can be decoded. Try another copy of it."
    #expect(shown.errors.contains(words) && made.errors.contains(words), "\(shown.errors)\(made.errors)")
    #expect(try folder.names == [name])
  }
}
