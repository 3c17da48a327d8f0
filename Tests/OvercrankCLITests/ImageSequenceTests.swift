import FrameJudge
import Foundation
import Takes
import Testing

@Suite("Numbered images and pipes", .tags(.program), .timeLimit(.minutes(1))) struct ImageSequenceTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The frames of a simulated camera, each in its own file, of every kind, numbered from 7 on.
  private static let images = Result { () throws -> TemporaryFolder in
    let folder = try TemporaryFolder()
    let run = try OvercrankProgram([
      "record", SmallCamera.inVirtualTime(), "--format", "raw", "--frames", "30", "--no-clip", "-o",
      folder.path("x.mp4"),
    ])
    try #require(run.status == 0, "\(run.errors)")
    try #require(Array(try folder.take().sequences) == Array(0..<30))
    let kinds = ["png", "jpg", "tiff"].flatMap { kind in
      [
        "-fps_mode", "passthrough", "-start_number", "7", "-vf", "crop=320:64:0:0",
        folder.path("f-%04d.\(kind)"),
      ]
    }
    try Program.run("ffmpeg", ["-v", "error", "-nostdin", "-i", folder.path("x.master.mov")] + kinds)
    return folder
  }

  /// Writes this many images, and returns the numbers in their pixels.
  @discardableResult
  private func writeImages(_ kind: String, count: Int = 12) throws -> [UInt32?] {
    let images = try Self.images.get()
    try FileManager.default.createDirectory(atPath: folder.path("a%b"), withIntermediateDirectories: true)
    for number in 7..<7 + count {
      let name = String(format: "f-%04d.", number) + kind
      try FileManager.default.copyItem(atPath: images.path(name), toPath: folder.path("a%b/\(name)"))
    }
    return (0..<count).map { UInt32($0) }
  }

  @Test("are a source in which a missing number is a lost frame", arguments: ["png", "jpg", "tiff"])
  func missing(_ kind: String) throws {
    let numbers = try writeImages(kind)
    for lost in [11, 12] {
      try FileManager.default.removeItem(atPath: folder.path("a%b/f-00\(lost).\(kind)"))
    }
    let run = try OvercrankProgram([
      "retime", folder.path("a%b/f-%04d.\(kind)"), "--capture-rate", "240", "--speed", "1/8", "--json", "-o",
      folder.path("slow.mp4"),
    ])
    try #require(run.status == 0, "\(run.errors)")
    var due = numbers
    for place in [4, 5] { due[place] = numbers[3] }
    #expect(try StripVideo(folder.path("slow.mp4")).numbers == due)
    #expect(
      run.errors.contains("2 numbers are missing (11 to 12), and count as lost frames"), "\(run.errors)")
    #expect(run.output.contains("\"held\" : 2") || run.output.contains("\"held\":2"), "\(run.output)")
  }

  /// libav searches for the last image with doubled steps, so the result depends on the place of the gap.
  @Test("may miss any number", arguments: [8, 10, 13, 16, 26, 35])
  func missingAnywhere(_ lost: Int) throws {
    try writeImages("png", count: 30)
    try FileManager.default.removeItem(atPath: folder.path("a%b/f-00\(lost < 10 ? "0" : "")\(lost).png"))
    let run = try OvercrankProgram([
      "retime", folder.path("a%b/f-%04d.png"), "--capture-rate", "240", "--speed", "1/8", "-o",
      folder.path("slow.mp4"),
    ])
    try #require(run.status == 0, "\(run.errors)")
    var due = Array(0..<30).map { UInt32?($0) }
    due[lost - 7] = UInt32(lost - 8)
    #expect(try StripVideo(folder.path("slow.mp4")).numbers == due)
  }

  @Test(
    "are refused, with no output left, if one differs from the first, which the message names",
    arguments: ["png", "jpg", "tiff"], ["scale=256:32", "format=gray", "format=rgb48be"])
  func unlike(_ kind: String, _ filter: String) throws {
    guard kind != "jpg" || filter != "format=rgb48be" else { return }
    try writeImages(kind, count: 4)
    let image = folder.path("a%b/f-0009.\(kind)")
    try Program.ffmpeg(
      "-i", image, "-frames:v", "1", "-vf", filter, "-update", "1", folder.path("other.\(kind)"))
    try FileManager.default.removeItem(atPath: image)
    try FileManager.default.moveItem(atPath: folder.path("other.\(kind)"), toPath: image)
    let run = try OvercrankProgram([
      "retime", folder.path("a%b/f-%04d.\(kind)"), "--capture-rate", "240", "-o", folder.path("slow.mp4"),
    ])
    #expect(run.status == 65 && run.errors.contains("f-0009.\(kind): is "), "\(run.status): \(run.errors)")
    #expect(try !folder.names.contains { $0.hasPrefix("slow") })
  }

  @Test("are refused if there are none, or if one is empty or not a file")
  func refusals() throws {
    let none = try OvercrankProgram(["retime", folder.path("%06d.png"), "-o", folder.path("x.mp4")])
    #expect(none.status == 66 && none.errors.contains("no image matches this pattern"), "\(none.errors)")
    // libav would wait for ever.
    #expect(mkfifo(folder.path("000001.png"), 0o600) == 0)
    let pipe = try OvercrankProgram(["retime", folder.path("%06d.png"), "-o", folder.path("x.mp4")])
    #expect(pipe.status == 66 && pipe.errors.contains("000001.png: is a pipe"), "\(pipe.errors)")
    // libav treats an empty image as the end of the video.
    try FileManager.default.removeItem(atPath: folder.path("000001.png"))
    try writeImages("png")
    try Data().write(to: folder.url.appending(path: "a%b/f-0012.png"))
    let empty = try OvercrankProgram(["retime", folder.path("a%b/f-%04d.png"), "-o", folder.path("y.mp4")])
    #expect(empty.status == 65 && empty.errors.contains("f-0012.png: is empty"), "\(empty.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("y.mp4")))
    try FileManager.default.removeItem(atPath: folder.path("a%b/f-0012.png"))
    try Data([1]).write(to: folder.url.appending(path: "a%b/f-1700000000000.png"))
    let large = try OvercrankProgram(["retime", folder.path("a%b/f-%04d.png"), "-o", folder.path("y.mp4")])
    #expect(large.status == 65 && large.errors.contains("f-1700000000000.png: its number"), "\(large.errors)")
  }

  @Test("need a rate")
  func rate() throws {
    try writeImages("png", count: 4)
    let run = try OvercrankProgram(["retime", folder.path("a%b/f-%04d.png"), "-o", folder.path("slow.mp4")])
    #expect(run.status == 64 && run.errors.contains("--capture-rate 240"), "\(run.status): \(run.errors)")
    #expect(try !folder.names.contains("slow.mp4"))
    let facts = try OvercrankProgram(["show", folder.path("a%b/f-%04d.png")])
    #expect(
      facts.output.contains("4 frames\n") && facts.output.contains("images have no rate"), "\(facts.output)")
    #expect(!facts.output.contains(" 0 kB"), "\(facts.output)")
  }

  @Test(
    "are decoded except for a damaged one, which is named; if all are damaged, that is an error",
    arguments: ["png", "jpg"])
  func damaged(_ kind: String) throws {
    let numbers = try writeImages(kind, count: 6)
    func image(_ number: Int) -> URL {
      folder.url.appending(path: "a%b/f-00\(number < 10 ? "0" : "")\(number).\(kind)")
    }
    let whole = try Data(contentsOf: image(9))
    try whole.prefix(whole.count / 2).write(to: image(9))
    try Data((0..<3000).map { UInt8($0 * 7 & 255) }).write(to: image(11))
    let arguments = [
      "retime", folder.path("a%b/f-%04d.\(kind)"), "--capture-rate", "240", "--force", "-o",
      folder.path("slow.mp4"),
    ]
    let run = try OvercrankProgram(arguments)
    #expect(run.status == 0 && run.output.contains("2 of the source's frames are damaged"), "\(run.output)")
    for name in ["f-0009.\(kind): is damaged", "f-0011.\(kind): is damaged"] {
      #expect(run.errors.contains(name), "\(run.errors)")
    }
    var due = numbers
    (due[2], due[4]) = (numbers[1], numbers[3])
    #expect(try StripVideo(folder.path("slow.mp4")).numbers == due)
    for number in 7...12 { try Data(count: 3000).write(to: image(number)) }
    let none = try OvercrankProgram(arguments)
    #expect(none.status == 65 && none.errors.contains("f-%04d.\(kind)"), "\(none.status): \(none.errors)")
  }

  @Test("are refused one by one, by their folder or with a star, and the message shows their pattern")
  func pattern() throws {
    try writeImages("png", count: 4)
    let images = folder.path("a%b")
    for (names, status) in [
      ([images], 66), (["\(images)/*.png"], 66), (["\(images)/f-0007.png"], 64),
      (["\(images)/f-0007.png", "\(images)/f-0008.png"], 64),
    ] as [([String], Int32)] {
      let run = try OvercrankProgram(
        ["retime"] + names + ["--capture-rate", "240", "-o", folder.path("x.mp4")])
      #expect(
        run.status == status && run.errors.contains("\(images)/f-%04d.png"), "\(run.status): \(run.errors)")
    }
    try FileManager.default.removeItem(atPath: "\(images)/f-0010.png")
    for number in [8, 9] { try FileManager.default.removeItem(atPath: "\(images)/f-000\(number).png") }
    // A single one is a video of one frame.
    let single = try OvercrankProgram(
      ["retime", "\(images)/f-0007.png", "--capture-rate", "240", "-o", folder.path("x.mp4")])
    #expect(single.status == 0, "\(single.errors)")
  }

  @Test(
    "A video on standard input becomes a clip, and leaves nothing else",
    arguments: ["yuv4mpegpipe", "matroska"])
  func standardInput(_ format: String) throws {
    let numbers = try writeImages("png")
    let video = try Program.run(
      "ffmpeg",
      [
        "-v", "error", "-nostdin", "-framerate", "30", "-start_number", "7", "-i",
        folder.path("a%%b/f-%04d.png"),
        "-pix_fmt", "yuv420p", "-f", format, "-",
      ]
    ).output
    let place = folder.path("place")
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    let run = try OvercrankProgram(
      ["retime", "-", "--speed", "1/2", "--clip-fps", "30", "-o", "\(place)/slow.mp4"], input: video)
    try #require(run.status == 0, "\(run.errors)")
    #expect(try StripVideo("\(place)/slow.mp4").numbers == numbers.flatMap { [$0, $0] })
    #expect(try FileManager.default.contentsOfDirectory(atPath: place) == ["slow.mp4"])
  }

  @Test("Standard input is refused without a name for the clip, or if it is empty")
  func emptyInput() throws {
    let nameless = try OvercrankProgram(["retime", "-"])
    #expect(nameless.status == 64 && nameless.errors.contains("Name its clip with -o"), "\(nameless.errors)")
    let empty = try OvercrankProgram(["retime", "-", "-o", folder.path("x.mp4")])
    #expect(empty.status == 66 && empty.errors.contains("standard input: is empty"), "\(empty.errors)")
    let noise = try OvercrankProgram(
      ["retime", "-", "-o", folder.path("x.mp4")], input: Data((0..<9999).map { UInt8($0 * 7 & 255) }))
    #expect(noise.status == 65, "\(noise.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path(".")).isEmpty)
  }
}
