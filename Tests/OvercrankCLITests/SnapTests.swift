import CameraModel
import FrameJudge
import Foundation
import Platform
import SystemPackage
import Testing

@Suite("A still", .tags(.program), .timeLimit(.minutes(1)))
struct SnapTests {
  private struct Report: Decodable {
    var file: String
    var width: Int
    var height: Int
    var bytes: Int
    var sequence: UInt32
    var skipped: Int
    var untouched: Bool
    var camera: CameraIdentity
    var captured_at: String
    var lost_before: Int64
  }

  @Test(
    "of a simulated camera is a JPEG of the numbered frame, in whatever format it was captured",
    arguments: [
      ("", [], 640, true), ("huffman=missing", [], 640, true), ("", ["--format", "raw"], 320, false),
      ("", ["--fps", "240"], 320, true), ("corrupt=2-4", ["--skip", "3"], 640, true),
    ])
  func simulated(_ faults: String, _ options: [String], _ width: Int, _ isUntouched: Bool) throws {
    let folder = try TemporaryFolder()
    let file = folder.path("still.jpg")
    let run = try OvercrankProgram(
      ["snap", SmallCamera.inVirtualTime(faults), "-o", file, "--json"] + options)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.isEmpty)
    let report = try run.json(Report.self)
    #expect(report.width == width)
    #expect(report.untouched == isUntouched)
    #expect(report.bytes == (try Data(contentsOf: URL(filePath: file))).count)
    // Damaged frames do not count towards --skip.
    #expect(report.sequence >= UInt32(report.skipped) + (faults.contains("corrupt") ? 3 : 0))
    let video = try StripVideo(file)
    #expect(video.complaints.isEmpty, "\(video.complaints)")
    #expect(video.numbers == [report.sequence])
    #expect(try Probe(file).streams.first?.width == width)
    // A program that opens the JPEG needs its tables.
    #expect(try Data(contentsOf: URL(filePath: file)).firstRange(of: [0xff, 0xc4]) != nil)
    #expect(try folder.names == ["still.jpg"])
  }

  @Test("of the largest mode, between frames at another rate, states how long none were captured")
  func largest() throws {
    struct Gaps: Decodable { var mode_gaps_ns: [Int64] }
    let folder = try TemporaryFolder()
    let file = folder.path("still.jpg")
    let run = try OvercrankProgram(
      "snap", SmallCamera.inVirtualTime(), "--largest", "--fps", "240", "-o", file, "--json")
    #expect(run.status == 0, "\(run.errors)")
    let report = try run.json(Report.self)
    #expect(report.width == 640)
    #expect(try StripVideo(file).numbers == [report.sequence])
    #expect(report.sequence >= 5)
    let gaps = try run.json(Gaps.self).mode_gaps_ns
    #expect(gaps.count == 2 && gaps.allSatisfy { $0 > 0 }, "\(gaps)")
    #expect(run.errors.contains("and back: no frame arrived for"), "\(run.errors)")
    let plain = try OvercrankProgram(
      "snap", SmallCamera.inVirtualTime(), "--largest", "-o", file, "--force", "--json")
    #expect(plain.status == 0, "\(plain.errors)")
    #expect(try plain.json(Report.self).width == 640)
    #expect(try plain.json(Gaps.self).mode_gaps_ns.isEmpty)
  }

  @Test(
    "has its time and settings in each kind of file",
    arguments: [
      ("jpg", []), ("png", []), ("tif", []), ("jpg", ["--rotate", "90"]), ("jpg", ["--format", "raw"]),
    ])
  func tags(_ kind: String, _ options: [String]) throws {
    let folder = try TemporaryFolder()
    let file = folder.path("still.\(kind)")
    let before = Date()
    let run = try OvercrankProgram(
      ["snap", SmallCamera.inVirtualTime(), "--exposure", "2ms", "--gain", "40", "-o", file, "--json"]
        + options,
      environment: ["TZ": "Asia/Kolkata"])
    #expect(run.status == 0, "\(run.errors)")
    let report = try run.json(Report.self)
    let tags = try ExifTool(file)
    #expect(tags.complaints.isEmpty, "\(tags.complaints)")
    #expect(tags.number("ExposureTime") == 0.002)
    let comment = try #require(tags.text("UserComment"))
    #expect(comment.hasPrefix("frame \(report.sequence), ") && comment.hasSuffix(", gain 40"), "\(comment)")
    #expect(tags.text("Software")?.hasPrefix("Overcrank ") == true)
    #expect(tags.text("Model") == report.camera.card)
    let name = kind == "tif" ? "Image" : "ExifImage"
    #expect(tags.number("\(name)Width") == Double(report.width))
    #expect(tags.number("\(name)Height") == Double(report.height))
    // The pixels are rotated, so no tag is needed.
    if kind != "tif" { #expect(tags.number("Orientation") == 1) }
    // To the microsecond, in the time zone of the program; JSON has the same in UTC.
    let moment = try #require(tags.text("SubSecDateTimeOriginal"))
    #expect(moment.hasSuffix("+05:30"), "\(moment)")
    let reader = DateFormatter()
    reader.locale = Locale(identifier: "en_US_POSIX")
    reader.dateFormat = "yyyy:MM:dd HH:mm:ss.SSSSSSXXX"
    let date = try #require(reader.date(from: moment), "\(moment)")
    // In virtual time its time after the start follows from its number, however fast it arrives.
    let ahead = Double(report.sequence + 1) / 30
    #expect(date >= before.addingTimeInterval(-0.001) && date <= Date() + ahead, "\(moment)")
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    #expect(abs(try Date(report.captured_at, strategy: style).timeIntervalSince(date)) < 0.002)
    guard kind != "tif" else { return }
    let thumbnail = folder.path("thumbnail.jpg")
    try ExifTool.data("ThumbnailImage", of: file).write(to: URL(filePath: thumbnail))
    let small = try #require(try Probe(thumbnail).streams.first)
    #expect(small.width.map { $0 <= 160 } == true && small.height.map { $0 <= 120 } == true)
    #expect(max(small.width ?? 0, small.height ?? 0) >= 120)
  }

  @Test("without loss has the pixels of the camera's JPEG", arguments: ["png", "tif"])
  func lossless(_ kind: String) throws {
    let folder = try TemporaryFolder()
    let file = folder.path("still.\(kind)")
    let run = try OvercrankProgram("snap", SmallCamera.inVirtualTime(), "--fps", "240", "-o", file, "--json")
    #expect(run.status == 0, "\(run.errors)")
    let report = try run.json(Report.self)
    #expect(!report.untouched)
    let video = try StripVideo(file)
    #expect(video.complaints.isEmpty, "\(video.complaints)")
    #expect(video.numbers == [report.sequence])
    #expect(try Probe(file).streams.first?.pix_fmt == "rgb24")
  }

  @Test("as a JPEG of another quality is encoded again, and is smaller")
  func quality() throws {
    let folder = try TemporaryFolder()
    func snap(_ options: String...) throws -> Report {
      let run = try OvercrankProgram(
        [
          "snap", SmallCamera.inVirtualTime(), "--fps", "240", "--force", "--json", "-o",
          folder.path("s.jpg"),
        ]
          + options)
      #expect(run.status == 0, "\(run.errors)")
      return try run.json(Report.self)
    }
    let (good, poor) = (try snap("--jpeg-quality", "90"), try snap("--jpeg-quality", "20"))
    #expect(!good.untouched && !poor.untouched)
    #expect(poor.bytes < good.bytes)
    #expect(try StripVideo(folder.path("s.jpg")).numbers == [poor.sequence])
  }

  @Test("in a burst: every frame of the camera, each in its own numbered file")
  func burst() throws {
    let folder = try TemporaryFolder()
    let run = try OvercrankProgram(
      "snap", SmallCamera.inVirtualTime(), "--fps", "240", "--burst", "24", "--strict",
      "--json",
      "-o",
      folder.path("b.jpg"))
    #expect(run.status == 0, "\(run.errors)")
    let reports = try run.json([Report].self)
    #expect(reports.count == 24)
    let first = try #require(reports.first).sequence
    #expect(reports.map(\.sequence) == Array(first..<first + 24))
    #expect(reports.allSatisfy { $0.lost_before == 0 })
    for (index, report) in reports.enumerated() {
      let name = "b-0\(index < 9 ? "0" : "")\(index + 1).jpg"
      #expect(report.file == folder.path(name))
    }
    #expect(try StripVideo(folder.path("b-%03d.jpg")).numbers == reports.map(\.sequence))
    #expect(try folder.names.count == 24)
  }

  @Test("in a burst reports the frames lost between two, and --strict applies to them")
  func lossyBurst() throws {
    let folder = try TemporaryFolder()
    let run = try OvercrankProgram(
      "snap", SmallCamera.inVirtualTime("drop=3+9-10"), "--fps", "240", "--burst", "8",
      "--strict",
      "--json",
      "-o", folder.path("b.jpg"))
    #expect(run.status == 4, "\(run.errors)")
    #expect(run.errors == "2 frames were lost between the first still and the last.\n")
    // Frame 3 was lost before the first one kept.
    let reports = try run.json([Report].self)
    #expect(reports.map(\.sequence) == [6, 7, 8, 11, 12, 13, 14, 15])
    #expect(reports.map(\.lost_before) == [0, 0, 0, 2, 0, 0, 0, 0])
  }

  @Test("in a burst replaces nothing, and is refused before the camera starts")
  func takenBurst() throws {
    let folder = try TemporaryFolder()
    try Data("mine".utf8).write(to: URL(filePath: folder.path("b-003.png")))
    let run = try OvercrankProgram(
      "snap", SmallCamera.inVirtualTime(), "--burst", "4", "-o", folder.path("b.png"))
    #expect(run.status == 73, "\(run.errors)")
    #expect(try folder.names == ["b-003.png"])
  }

  @Test("in a burst replaces a longer one of its name whole, or nothing")
  func replacedBurst() throws {
    let folder = try TemporaryFolder()
    func snap(_ count: Int) throws -> OvercrankProgram {
      try OvercrankProgram(
        "snap", SmallCamera.inVirtualTime(), "--burst", "\(count)", "--force", "-o", folder.path("b.jpg"))
    }
    #expect(try snap(5).status == 0)
    for name in ["b-9.jpg", "b-010.jpg", "b-011.png"] {
      try Data("mine".utf8).write(to: URL(filePath: folder.path(name)))
    }
    #expect(try snap(3).status == 0)
    let mine = ["b-010.jpg", "b-011.png", "b-9.jpg"]
    #expect(try folder.names == ["b-001.jpg", "b-002.jpg", "b-003.jpg"] + mine)
    // One that is being read is not replaced in part.
    let lock = try FileLock([FilePath(folder.path("b-003.jpg"))], for: .reading)
    let refused = try snap(2)
    lock.release()
    #expect(refused.status == 75 && refused.errors.contains("b-003.jpg"), "\(refused.errors)")
    #expect(try folder.names == ["b-001.jpg", "b-002.jpg", "b-003.jpg"] + mine)
  }

  @Test("in a burst that does not fit on the disk leaves the one that it would replace unchanged")
  func failedBurst() throws {
    let folder = try TemporaryFolder()
    /// Runs `snap` on a camera with this noise, with files of at most `limit` KiB.
    func snap(_ count: Int, noise: Int, limit: String) throws -> (status: String, errors: String) {
      let camera = "sim:,clock=virtual,noise=\(noise)"
      let run = try Program.run(
        "bash",
        [
          "-c",
          """
          ulimit -f \(limit); '\(OvercrankProgram.url.path)' snap \(camera) --max-width 640 --fps 120 \
          --burst \(count) --force -o '\(folder.path("b.jpg"))' >'\(folder.path("output"))'; echo $?
          """,
        ])
      return (String(decoding: run.output, as: UTF8.self), run.errors)
    }
    func pictures() throws -> [String: Data] {
      var pictures: [String: Data] = [:]
      for name in try folder.names where name != "output" {
        pictures[name] = try Data(contentsOf: URL(filePath: folder.path(name)))
      }
      return pictures
    }
    let first = try snap(3, noise: 0, limit: "unlimited")
    #expect(first.status == "0\n", "\(first.errors)")
    let former = try pictures()
    #expect(former.keys.sorted() == ["b-001.jpg", "b-002.jpg", "b-003.jpg"])
    let failed = try snap(2, noise: 20, limit: "8")
    #expect(failed.status == "74\n", "\(failed.errors)")
    #expect(failed.errors.contains("The former pictures are unchanged"), "\(failed.errors)")
    #expect(try pictures() == former)
    // What is in the way of the last is found before the first is written.
    try FileManager.default.createDirectory(
      atPath: folder.path("b-004.jpg"), withIntermediateDirectories: false)
    let blocked = try snap(4, noise: 20, limit: "unlimited")
    try FileManager.default.removeItem(atPath: folder.path("b-004.jpg"))
    #expect(blocked.status == "73\n" && blocked.errors.contains("b-004.jpg"), "\(blocked.errors)")
    #expect(try pictures() == former)
  }

  @Test("is written over another only with --force")
  func existing() throws {
    let folder = try TemporaryFolder()
    let file = folder.path("still.jpg")
    try Data("mine".utf8).write(to: URL(filePath: file))
    let refused = try OvercrankProgram("snap", SmallCamera.inVirtualTime(), "-o", file)
    #expect(refused.status == 73)
    #expect(refused.errors.contains("--force"))
    #expect(try Data(contentsOf: URL(filePath: file)) == Data("mine".utf8))
    #expect(try OvercrankProgram("snap", SmallCamera.inVirtualTime(), "-o", file, "--force").status == 0)
    #expect(try StripVideo(file).numbers.count == 1)
  }

  @Test("is saved to the library folder if no file is named")
  func library() throws {
    let folder = try TemporaryFolder()
    let run = try OvercrankProgram(
      ["snap", SmallCamera.inVirtualTime()], environment: ["XDG_VIDEOS_DIR": folder.url.path])
    #expect(run.status == 0, "\(run.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("overcrank"))
    #expect(names.count == 1 && names[0].hasPrefix("overcrank-") && names[0].hasSuffix(".jpg"))
  }

  @Test("reports why the library folder cannot be created")
  func noLibrary() throws {
    let run = try OvercrankProgram(
      ["snap", SmallCamera.inVirtualTime()], environment: ["XDG_VIDEOS_DIR": "/proc/no"])
    #expect(run.status == 73)
    #expect(
      run.errors == """
        overcrank: /proc/no/overcrank: the library folder cannot be created: /proc/no: No such file or directory \
        (errno 2). Name a file in another folder.

        """)
  }

  @Test(
    "is taken in the camera's light with --flash, whatever kind it is",
    arguments: [("torch", ["--max-width", "1280"]), ("illuminator", ["--format", "raw"])])
  func lit(light: String, options: [String]) throws {
    let folder = try TemporaryFolder()
    /// The sum of the picture's levels.
    func level(_ name: String, _ camera: String, _ flags: [String]) throws -> Int {
      let file = folder.path(name)
      let run = try OvercrankProgram(["snap", "sim:\(camera)", "-o", file] + options + flags)
      #expect(run.status == 0, "\(run.errors)")
      let decoded = try Program.run(
        "ffmpeg", ["-v", "error", "-i", file, "-f", "rawvideo", "-pix_fmt", "gray", "-"])
      return decoded.output.reduce(0) { $0 + Int($1) }
    }
    let bright = try level("bright.jpg", ",clock=virtual", [])
    let dark = try level("dark.jpg", ",clock=virtual,light=\(light)", [])
    let lit = try level("lit.jpg", ",clock=virtual,light=\(light)", ["--flash"])
    #expect(dark * 10 < bright * 6 && lit == bright, "\(dark) \(lit) \(bright)")
  }

  @Test(
    "with wrong input ends with the documented exit code",
    arguments: [
      ("sim: --flash", 69), ("sim:,light=flash --flash", 69), ("sim:,light=lamp --flash", 64),
      ("sim: --fps 1000", 69), ("sim: --format H264", 69),
      ("/dev/video987", 69), ("sim: -o /nowhere/x.jpg", 73), ("sim: --set iris=4 -o x.jpg", 69),
      ("sim: --set gain=400 -o x.jpg", 64),
    ])
  func wrong(_ arguments: String, _ status: Int32) throws {
    let words = arguments.split(separator: " ").map(String.init)
    #expect(try OvercrankProgram(["snap"] + words).status == status)
  }
}

@Suite(
  "A still of the kernel's camera", .serialized, .tags(.kernel), .needs(KernelCameras.vivid),
  .timeLimit(.minutes(15)))
struct KernelSnapTests {
  @Test("shows the transmitted colours in every format, and restores the camera's settings")
  func kernel() throws {
    let node = try #require(KernelCameras.vivid)
    try KernelCameras.setElsewhere(node)
    let before = try KernelCameras.settings(of: node)
    let folder = try TemporaryFolder()
    for format in ["YUYV", "UYVY", "NV12", "YU12", "RGB3", "BGR3", "GREY"] {
      let file = folder.path("\(format).jpg")
      let run = try OvercrankProgram(
        "snap", node, "--format", format, "--skip", "1", "-o", file)
      #expect(run.status == 0, "\(format): \(run.errors)")
      // vivid's 75 % colour bars: white, yellow, cyan, green, magenta, red, blue, black. The lower half has
      // no text.
      let decoded = try Program.run(
        "ffmpeg",
        [
          "-v", "error", "-i", file, "-vf", "crop=iw:2:0:400,format=rgb24,scale=8:1:flags=area", "-f",
          "rawvideo", "-pix_fmt", "rgb24", "-",
        ])
      let bars = [UInt8](decoded.output)
      #expect(bars.count == 24)
      // Green is the fourth: 191, with the weight of BT.709 in vivid's own grey, 0.7152.
      let green = format == "GREY" ? [137, 137, 137] : [0, 191, 0]
      #expect(zip(bars[9..<12], green).allSatisfy { abs(Int($0) - $1) <= 12 }, "\(format): \(bars)")
    }
    #expect(try KernelCameras.settings(of: node) == before)
  }

  @Test("is taken with the requested controls, which are then restored")
  func controls() throws {
    let node = try #require(KernelCameras.vivid)
    let before = try KernelCameras.settings(of: node)
    let folder = try TemporaryFolder()
    /// The grey of the darkest bar, the last.
    func darkest(_ options: String...) throws -> UInt8 {
      let file = folder.path("still.jpg")
      let run = try OvercrankProgram(
        ["snap", node, "--format", "YUYV", "--skip", "1", "--force", "-o", file]
          + options)
      #expect(run.status == 0, "\(run.errors)")
      #expect(try KernelCameras.settings(of: node) == before)
      let crop = "crop=iw/16:2:iw*31/32-iw/32:400,format=gray,scale=1:1:flags=area"
      let decoded = try Program.run(
        "ffmpeg", ["-v", "error", "-i", file, "-vf", crop, "-f", "rawvideo", "-pix_fmt", "gray", "-"])
      return try #require(decoded.output.first)
    }
    #expect(try darkest() < 20)
    #expect(try darkest("--set", "brightness=228") > 80)
    let run = try OvercrankProgram(
      "snap", node, "--set", "brightness=9", "--gain", "40", "--json", "-o", folder.path("told.jpg"))
    #expect(run.status == 0, "\(run.errors)")
    let told = try run.json(Controlled.self).controls
    #expect(told["brightness"]?.to == 9 && told["gain"]?.to == 40 && told["gain_automatic"]?.to == 0)
    #expect(try KernelCameras.settings(of: node) == before)
  }

  private struct Controlled: Decodable { var controls: [String: ControlInForce] }
}
