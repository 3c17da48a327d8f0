import FilmJudge
import Foundation
import Testing

@Suite("overcrank bench")
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

  @Test("tells the three rates apart, each lost frame by its stage, and the cause")
  func shortfall() throws {
    let run = try OvercrankProgram(
      "bench", "sim:,buffers=32,rate=100,corrupt=20-24,jitter=300us", "--fps", "120", "--max-width", "1280",
      "--duration", "1s", "--json")
    #expect(run.status == 0, "\(run.errors)")
    let report = try run.json(Report.self)
    #expect(report.claimed_fps == 120)
    #expect(report.accepted_fps == 120)
    // The camera's own timestamps are by its schedule, whatever this machine does.
    #expect(try #require(report.measured_fps) > 99 && #require(report.measured_fps) < 101)
    let frames = try #require(report.frames)
    #expect(frames.lost.corrupt == 5)
    #expect(frames.sent == frames.written + frames.lost.driver + frames.lost.corrupt + frames.lost.ring)
    #expect(try #require(report.jitter_us).max <= 600)
    #expect(report.sustained == false)
    #expect(report.causes.contains { $0.cause.contains("fewer frames than were accepted") })
  }

  @Test("of all modes measures each one that promises a rate")
  func all() throws {
    let run = try OvercrankProgram(
      "bench", "sim:", "--all", "--format", "mjpeg", "--duration", "200ms", "--json")
    #expect(run.status == 0, "\(run.errors)")
    let reports = try run.json([Report].self)
    #expect(
      reports.map { "\($0.mode.width) \($0.mode.fps)" } == [
        "1280 240.0", "1280 120.0", "1920 120.0", "1920 60.0",
      ])
    for report in reports { #expect(abs((report.measured_fps ?? 0) - report.mode.fps) < 0.01) }
  }

  @Test("whose camera gives out says so, with what came until then")
  func disconnect() throws {
    let run = try OvercrankProgram("bench", "sim:,disconnect=20", "--duration", "2s")
    #expect(run.status == 74)
    #expect(run.output.contains("20 came"))
    #expect(run.output.contains("It ended before its time"))
    #expect(run.errors.contains("unplugged"))
  }

  @Test("draws a plot, and overwrites none")
  func plot() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("rate.svg")
    let arguments = ["bench", "sim:", "--duration", "100ms", "--plot", path]
    #expect(try OvercrankProgram(arguments).status == 0)
    // Throws where a parser that is not ours finds it malformed.
    try Program.run("python3", ["-c", "import sys, xml.dom.minidom as x; x.parse(sys.argv[1])", path])
    let before = try Data(contentsOf: URL(filePath: path))
    #expect(try OvercrankProgram(arguments).status == 73)
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    #expect(try OvercrankProgram(arguments + ["--force"]).status == 0)
  }

  @Test(
    "refuses what contradicts itself",
    arguments: [
      ["--all", "--fps", "240"], ["--all", "--plot", "a.svg"], ["--duration", "0"], ["--plot", "a.png"],
    ])
  func contradictions(_ options: [String]) throws {
    #expect(try OvercrankProgram(["bench", "sim:"] + options).status == 64)
  }
}
