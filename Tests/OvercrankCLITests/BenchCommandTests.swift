import CameraModel
import FrameJudge
import Foundation
import Testing

@Suite("overcrank bench", .tags(.program), .timeLimit(.minutes(1)))
struct BenchCommandTests {
  private struct Report: Decodable {
    struct Frames: Decodable {
      struct Lost: Decodable {
        var driver, corrupt, ring, disk: Int
      }
      var sent, written: Int
      var lost: Lost
    }
    struct Cause: Decodable { var cause, remedy: String }
    struct Spread: Decodable { var max: Double }
    struct Mode: Decodable {
      var fourcc: String
      var width: Int
      var fps: Double
    }
    var mode: Mode
    var claimed_fps, accepted_fps, measured_fps, duration_s: Double?
    var frames: Frames?
    var jitter_us: Spread?
    var sustained: Bool?
    var causes: [Cause]
  }

  @Test("reports the three rates, the stage that lost each frame, and the cause")
  func shortfall() throws {
    let run = try OvercrankProgram(
      "bench", SmallCamera.inVirtualTime("rate=100,corrupt=20-24,jitter=300us"), "--fps", "120",
      "--duration", "1s", "--json")
    #expect(run.status == 0, "\(run.errors)")
    let report = try run.json(Report.self)
    #expect(report.claimed_fps == 120)
    #expect(report.accepted_fps == 120)
    // The camera's own timestamps follow its schedule, whatever this machine does.
    #expect(try #require(report.measured_fps) > 99 && #require(report.measured_fps) < 101)
    let frames = try #require(report.frames)
    #expect(frames.lost.corrupt == 5)
    #expect(frames.sent == frames.written + frames.lost.driver + frames.lost.corrupt + frames.lost.ring)
    #expect(try #require(report.jitter_us).max <= 600)
    #expect(report.sustained == false)
    #expect(report.causes.contains { $0.cause.contains("fewer frames per second") })
  }

  @Test("--all measures each mode that claims a rate")
  func all() throws {
    let run = try OvercrankProgram(
      "bench", SmallCamera.inVirtualTime(), "--all", "--format", "mjpeg", "--duration", "200ms", "--json")
    #expect(run.status == 0, "\(run.errors)")
    let reports = try run.json([Report].self)
    #expect(
      reports.map { "\($0.mode.width) \($0.mode.fps)" } == [
        "320 240.0", "320 120.0", "320 60.0", "320 30.0", "640 60.0", "640 30.0",
      ])
    for report in reports { #expect(abs((report.measured_fps ?? 0) - report.mode.fps) < 0.01) }
  }

  @Test("--with measures each camera in its own mode, at the same time")
  func several() throws {
    let run = try OvercrankProgram(
      "bench", SmallCamera.inVirtualTime(), "--with",
      SmallCamera.inVirtualTime("rate=100,corrupt=20-24") + ",fps=120", "--fps", "240", "--duration", "1s",
      "--json")
    #expect(run.status == 0, "\(run.errors)")
    let reports = try run.json([Report].self)
    #expect(reports.map(\.claimed_fps) == [240, 120])
    let rates = try reports.map { try #require($0.measured_fps) }
    #expect(rates[0] > 239 && rates[0] < 241 && rates[1] > 99 && rates[1] < 101, "\(rates)")
    #expect(reports.map { $0.frames?.lost.corrupt } == [0, 5] && reports[1].sustained == false)
  }

  @Test("--with sums up what all cameras send together, and names those that fall short")
  func together() throws {
    let run = try OvercrankProgram(
      "bench", SmallCamera.inVirtualTime("corrupt=20-24"), "--with", SmallCamera.inVirtualTime("rate=100"),
      "--fps", "120", "--duration", "1s")
    #expect(run.status == 0, "\(run.errors)")
    let parts = run.output.components(separatedBy: "2 cameras together:\n")
    try #require(parts.count == 2, "\(run.output)")
    #expect(parts[0].matches(of: /(?m)^Camera [AB]: .+ in .+:$/).count == 2, "\(parts[0])")
    func sent(_ text: String) -> [Int] {
      text.matches(of: /frames +(\d+) sent/).compactMap { Int($0.1) }
    }
    #expect(sent(parts[0]).count == 2 && sent(parts[1]) == [sent(parts[0]).reduce(0, +)])
    #expect(parts[1].contains(" 5 lost (5 corrupt)") && parts[1].contains(/data +[\d.]+ MB\/s/))
    #expect(
      parts[1].hasSuffix("2 of 2 cameras do not sustain their rates beside the others: A, B.\n"),
      "\(parts[1])")
  }

  @Test("--csv prints a line for each mode, with as many fields as columns")
  func csv() throws {
    let run = try OvercrankProgram(
      "bench", SmallCamera.inVirtualTime("corrupt=3"), "--all", "--format", "mjpeg", "--max-width", "320",
      "--duration", "200ms", "--csv")
    #expect(run.status == 0, "\(run.errors)")
    let lines = run.output.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    try #require(lines.count == 5)
    for (line, rate) in zip(lines.dropFirst(), [240, 120, 60, 30]) {
      let fields = Dictionary(uniqueKeysWithValues: zip(lines[0], line))
      #expect(fields.count == lines[0].count && line.count == lines[0].count)
      #expect(fields["fourcc"] == "MJPG" && fields["width"] == "320" && fields["height"] == "180")
      #expect(fields["claimed_fps"].flatMap { Double($0) } == Double(rate))
      #expect(abs((fields["measured_fps"].flatMap { Double($0) } ?? 0) - Double(rate)) < 0.01)
      #expect(fields["lost_corrupt"] == "1" && fields["lost_ring"] == "0")
    }

    let failed = try OvercrankProgram(
      "bench", SmallCamera.inVirtualTime("disconnect=0"), "--all", "--format", "raw", "--csv")
    #expect(failed.status == 74)
    #expect(failed.output.contains("\nYUYV,320,180,240.0,,,,,,"), "\(failed.output)")
    #expect(failed.errors.contains("no mode could be measured"))
  }

  @Test("reports a camera that disconnects, and what arrived before")
  func disconnect() throws {
    let run = try OvercrankProgram("bench", SmallCamera.inVirtualTime("disconnect=20"), "--duration", "2s")
    #expect(run.status == 74)
    // Frames that a busy machine has not read yet are lost with the camera.
    let came = run.output.firstMatch(of: /([0-9]+) received/).flatMap { Int($0.1) }
    #expect(came.map((1...20).contains) == true)
    #expect(run.output.contains("It ended early"))
    #expect(run.errors.contains("unplugged"))
  }

  @Test("--with reports a camera that disconnects beside the others, and not as one that falls short")
  func disconnectTogether() throws {
    let run = try OvercrankProgram(
      "bench", SmallCamera.inVirtualTime(), "--with", SmallCamera.inVirtualTime("disconnect=20"), "--fps",
      "120",
      "--duration", "1s")
    #expect(run.status == 74, "\(run.errors)")
    #expect(run.errors.contains("Camera B: ") && run.errors.contains("unplugged"), "\(run.errors)")
    #expect(run.output.hasSuffix("\n1 of 2 cameras failed before the end: B.\n"), "\(run.output)")
    #expect(!run.output.contains("beside the others"), "\(run.output)")
  }

  private struct Choice: Decodable {
    struct Mode: Decodable {
      var width: Int
      var fps: Double
      var measured_fps: Double?
    }
    var mode: Mode
  }

  @Test("saves the measured rates in a profile, and select trusts them over the claimed ones")
  func save() throws {
    let folder = try TemporaryFolder()
    let home = ["XDG_CONFIG_HOME": folder.url.path]
    let table = folder.path("blue.json")
    try Data(
      """
      {"card": "Blue Cam", "driver": "uvcvideo", "vendor_product": "1234:abcd", "modes": [
        {"fourcc": "MJPG", "width": 640, "height": 360, "intervals": [[1, 240], [1001, 120000]]},
        {"fourcc": "MJPG", "width": 320, "height": 240, "intervals": [[1, 240]]}]}
      """.utf8
    ).write(to: URL(filePath: table))
    func select(_ fps: String) throws -> Choice.Mode {
      try OvercrankProgram(["select", "--from", table, "--fps", fps, "--json"], environment: home).json(
        Choice.self
      ).mode
    }
    #expect(try select("240").width == 640)

    for (fault, fps) in [(",rate=100", "240"), ("", "119.88"), ("", "119.88")] {
      let run = try OvercrankProgram(
        ["bench", "sim:\(table),clock=virtual\(fault)", "--fps", fps, "--duration", "500ms", "--save"],
        environment: home)
      #expect(run.status == 0, "\(run.errors)")
    }
    let file = folder.path("overcrank/profiles/measured-blue-cam-1234-abcd.yaml")
    #expect(try OvercrankProgram("profiles", "check", file).status == 0)
    // The third measurement replaced the second.
    let text = try String(contentsOf: URL(filePath: file), encoding: .utf8)
    #expect(text.components(separatedBy: "asked:").count - 1 == 2)

    #expect(try select("240").width == 320)
    let slower = try select("100")
    #expect(slower.width == 640)
    #expect(slower.fps == 240)
    #expect(try #require(slower.measured_fps) >= 99)
    // "formats" shows it in each of its forms.
    func formats(_ form: String...) throws -> String {
      try OvercrankProgram(["formats", "--from", table] + form, environment: home).output
    }
    let asText = try formats().split(separator: "\n").map { $0.split(separator: " ") }
    #expect(asText.dropFirst().first?.contains("measured") == true)
    #expect(
      try #require(asText.first { $0.contains("640x360") }).contains { $0.hasSuffix("/240,119.88/119.88") })
    let records = try formats("--csv").split(separator: "\n")
    #expect(records.first?.hasSuffix(",measured_fps") == true)
    #expect(records.contains { $0.hasPrefix("MJPG,640,360,1001,120000,119.88,") && $0.hasSuffix(",119.88") })
    let rows = try #require(
      try (JSONSerialization.jsonObject(with: Data(formats("--json").utf8)) as? [String: Any])?["modes"]
        as? [[String: Any]])
    let measured = rows.compactMap { $0["measured"] as? [[String: Double]] }
    #expect(measured.count == 1 && measured[0].map { $0["asked"].map { Int($0) } } == [240, 119])
    #expect(try #require(measured[0].first?["got"]) < 110)
    // The measured rates are in the take, and read back from it.
    let clip = folder.path("x.mp4")
    let video = try OvercrankProgram(
      ["record", "sim:\(table),clock=virtual", "--fps", "100", "--frames", "8", "-o", clip], environment: home
    )
    #expect(video.status == 0, "\(video.errors)")
    #expect(
      try OvercrankProgram(
        "retime", folder.path("x.master.mov"), "--speed", "1/2", "-o", folder.path("y.mp4")
      ).status == 0)
  }

  @Test("leaves a file that it did not write unchanged")
  func foreignFile() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "overcrank/profiles/measured-simulated-camera.yaml")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    let content = Data(
      "id: measured-simulated-camera\nname: x\nmatch: {driver: sim}\nsource: me\nnative: [4, 4]\n".utf8)
    try content.write(to: file)
    let run = try OvercrankProgram(
      ["bench", "sim:,clock=virtual", "--duration", "100ms", "--save"],
      environment: ["XDG_CONFIG_HOME": folder.url.path])
    #expect(run.status == 65)
    #expect(run.errors.contains("the file holds more than measurements"))
    #expect(try Data(contentsOf: file) == content)
  }

  @Test("sets a simulated camera's controls, and reports the same as record about real-time scheduling")
  func policy() throws {
    struct Report: Decodable { var controls: [String: ControlInForce] }
    for (option, name, value) in [
      (["--set", "gain=3"], "gain", 3), (["--gain", "3"], "gain", 3),
      (["--exposure", "2ms"], "exposure_time_absolute", 20), (["--exposure", "2ms"], "auto_exposure", 1),
    ] as [([String], String, Int64)] {
      let run = try OvercrankProgram(
        ["bench", SmallCamera.inVirtualTime(), "--duration", "100ms", "--json"] + option)
      #expect(run.status == 0, "\(run.errors)")
      #expect(try run.json(Report.self).controls[name]?.to == value)
    }
    let none = try OvercrankProgram(
      "bench", SmallCamera.inVirtualTime(), "--duration", "100ms", "--set", "iris=3")
    #expect(none.status == 69 && none.errors.contains("has no control"))
    // No control was requested, so none is set.
    let plain = try OvercrankProgram("bench", SmallCamera.inVirtualTime(), "--duration", "100ms", "--json")
      .json(
        Report.self)
    #expect(!plain.controls.isEmpty && plain.controls.values.allSatisfy { $0.to == nil })
    let run = try OvercrankProgram(
      "bench", SmallCamera.inVirtualTime(), "--duration", "100ms", "--cpu", "1000", "--keep-controls")
    #expect(run.status == 0)
    #expect(run.errors.contains("may not run on CPU 1000"))
  }

  @Test("draws a plot, and does not overwrite one")
  func plot() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("rate.svg")
    let arguments = ["bench", SmallCamera.inVirtualTime(), "--duration", "100ms", "--plot", path]
    #expect(try OvercrankProgram(arguments).status == 0)
    // Throws if another parser finds it malformed.
    try Program.run("python3", ["-c", "import sys, xml.dom.minidom as x; x.parse(sys.argv[1])", path])
    let before = try Data(contentsOf: URL(filePath: path))
    #expect(try OvercrankProgram(arguments).status == 73)
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    #expect(try OvercrankProgram(arguments + ["--force"]).status == 0)
  }
}
