import FrameJudge
import Foundation
import Testing

@Suite("takes align", .tags(.program), .timeLimit(.minutes(1)))
struct TakesAlignTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private struct Group: Decodable {
    struct Camera: Decodable {
      let name: String
      let take: String
      let offset_ns: Int64
      let uncertainty_ns: Int64
      let by: [String]
      let rate_ppm: Double
      let rate_uncertainty_ppm: Double?
      let line_time_ns: Int64?
    }

    let cameras: [Camera]
  }

  private func record(_ faults: String, _ name: String) throws {
    let run = try OvercrankProgram(
      "record", SmallCamera.inVirtualTime(faults), "--fps", "240", "--frames", "200", "--no-clip",
      "--no-thumbnail", "-o", folder.path("\(name).mp4"))
    try #require(run.status == 0, "\(run.errors)")
  }

  private func group(_ name: String) throws -> Group {
    try JSONDecoder().decode(Group.self, from: Data(contentsOf: URL(filePath: folder.path(name))))
  }

  @Test("finds the phases of takes recorded one after the other, and names the group after both")
  func stamps() throws {
    try record("phase=1ms", "jump-A")
    try record("phase=3ms,jitter=100us", "jump-B")
    let takes = ["A", "B"].map { folder.path("jump-\($0).take.json") }
    let before = try takes.map { try Data(contentsOf: URL(filePath: $0)) }
    let run = try OvercrankProgram(["takes", "align"] + takes + ["--by", "stamps"])
    #expect(run.status == 0 && run.output.contains("B: its first frame lies "), "\(run.errors)")
    let cameras = try group("jump.group.json").cameras
    #expect(cameras.map(\.name) == ["A", "B"])
    #expect(cameras.map(\.take) == ["jump-A.take.json", "jump-B.take.json"])
    let place = cameras[1]
    #expect(place.by == ["stamps"] && place.uncertainty_ns < 100_000)
    #expect((place.offset_ns - 2_000_000).magnitude <= UInt64(place.uncertainty_ns), "\(place)")
    #expect(try takes.map { try Data(contentsOf: URL(filePath: $0)) } == before)

    let again = try OvercrankProgram(["takes", "align"] + takes + ["--by", "stamps"])
    #expect(again.status == 73, "\(again.errors)")
    let inPlace = try OvercrankProgram("takes", "align", folder.path("jump.group.json"), "--by", "stamps")
    #expect(inPlace.status == 0, "\(inPlace.errors)")
  }

  @Test(
    "finds a camera's place within 0.2 ms by the rows that see flashes, with a constant error of its timestamps"
  )
  func flashes() throws {
    // At different rows of both cameras, below the strip; the second camera's timestamps are 7 ms late.
    let moments = ["104", "239.5", "383.9", "519", "662.7", "802.2", "942", "1081.3"]
    let flashes = moments.map { "flash=\($0)ms" }.joined(separator: ",")
    for (name, camera) in [("A", "phase=1ms,rows=5.3us"), ("B", "phase=3ms,rows=5us,ppm=40,stamp=7ms")] {
      let run = try OvercrankProgram(
        "record", "sim:,clock=virtual,\(camera),\(flashes)", "--format", "mjpeg", "--fps", "240", "--frames",
        "280", "--no-clip", "--no-thumbnail", "-o", folder.path("jump-\(name).mp4"))
      try #require(run.status == 0, "\(run.errors)")
    }
    let takes = ["A", "B"].map { folder.path("jump-\($0).take.json") }
    let run = try OvercrankProgram(["takes", "align"] + takes + ["--by", "flash"])
    #expect(run.status == 0 && run.output.contains("its clock is"), "\(run.errors)")
    let cameras = try group("jump.group.json").cameras
    let place = cameras[1]
    let error = (place.offset_ns - 2_000_000).magnitude
    #expect(error < 200_000 && error <= UInt64(place.uncertainty_ns) && place.by == ["flash"], "\(place)")
    let rateError = try #require(place.rate_uncertainty_ppm)
    #expect((place.rate_ppm + 40).magnitude <= rateError, "\(place)")
    for (camera, line) in zip(cameras, [5300, 5000]) {
      let found = try #require(camera.line_time_ns)
      #expect((found - Int64(line)).magnitude < 300, "\(camera)")
    }

    // The stamps claim more than they know.
    let claim = """
      {"overcrank":"0.2.0","trigger":null,"cameras":[
      {"name":"A","take":"jump-A.take.json","offset_ns":0,"rate_ppm":0,"uncertainty_ns":0,"by":["stamps"]},
      {"name":"B","take":"jump-B.take.json","offset_ns":9000000,"rate_ppm":0,"uncertainty_ns":1,"by":["stamps"]}]}
      """
    try Data(claim.utf8).write(to: URL(filePath: folder.path("jump.group.json")))
    let seen = try OvercrankProgram("takes", "align", folder.path("jump.group.json"), "--by", "flash")
    #expect(seen.status == 0, "\(seen.errors)")
    #expect(try group("jump.group.json").cameras[1].offset_ns == place.offset_ns)
  }

  @Test("replaces no place by a less certain one unless forced")
  func lessCertain() throws {
    try record("phase=1ms", "jump-A")
    try record("phase=3ms,jitter=500us", "jump-B")
    let file = folder.path("x.group.json")
    let align = ["takes", "align", file, "--by", "stamps"]
    let text = """
      {"overcrank":"0.2.0","trigger":null,"cameras":[
      {"name":"A","take":"jump-A.take.json","offset_ns":0,"rate_ppm":0,"uncertainty_ns":0,"by":["clap"]},
      {"name":"B","take":"jump-B.take.json","offset_ns":5,"rate_ppm":0,"uncertainty_ns":1,"by":["clap"]}]}
      """
    try Data(text.utf8).write(to: URL(filePath: file))
    let refused = try OvercrankProgram(align)
    #expect(refused.status == 73 && refused.errors.contains("B: its place is known to"), "\(refused.errors)")
    #expect(try group("x.group.json").cameras[1].offset_ns == 5)
    #expect(try OvercrankProgram(align + ["--force"]).status == 0)
    #expect(try group("x.group.json").cameras[1].by == ["stamps"])
  }

  @Test("says what a take lacks for a method")
  func lacking() throws {
    try record("", "a")
    try record("", "b")
    for (method, words) in [
      ("clap", "has no audio"), ("trigger", "no trigger began it"), ("flash", "no flash was found in it"),
    ] {
      let run = try OvercrankProgram(
        "takes", "align", folder.path("a.take.json"), folder.path("b.take.json"), "--by", method)
      #expect(run.status == 65 && run.errors.contains(words), "\(run.status) \(run.errors)")
    }
    #expect(try !folder.names.contains { $0.hasSuffix(".group.json") })
  }

  @Test("names the frames that were lost where a flash is missing", arguments: ["", ",flash=602ms"])
  func lostFlash(another: String) throws {
    try record("phase=1ms,rows=10us,flash=411ms\(another)", "a")
    try record("phase=1ms,rows=10us,drop=96-99+150,flash=411ms\(another)", "b")
    let run = try OvercrankProgram(
      "takes", "align", folder.path("a.take.json"), folder.path("b.take.json"), "--by", "flash")
    #expect(run.status == 65 && run.errors.contains("frames 96-99, 150 are missing in "), "\(run.errors)")
    #expect(
      run.errors.contains(another.isEmpty ? "no flash was found" : "1 flash was found"), "\(run.errors)")
  }

  @Test(
    "refuses a clap if one take has no audio, and names that take", arguments: [["a", "b"], ["b", "a"]])
  func unheard(takes: [String]) throws {
    try record("", "a")
    let run = try OvercrankProgram(
      "record", SmallCamera.inVirtualTime(), "--mic", "sim:", "--fps", "240", "--frames", "200", "--no-clip",
      "--no-thumbnail", "-o", folder.path("b.mp4"))
    try #require(run.status == 0, "\(run.errors)")
    let align = try OvercrankProgram(
      ["takes", "align"] + takes.map { folder.path("\($0).take.json") } + ["--by", "clap"])
    #expect(align.status == 65 && align.errors.contains("a.take.json: has no audio"), "\(align.errors)")
  }

  @Test("follows no link to a take in another folder")
  func elsewhere() throws {
    try record("", "a")
    try record("", "b")
    let other = try TemporaryFolder()
    try FileManager.default.moveItem(atPath: folder.path("a.take.json"), toPath: other.path("a.take.json"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("a.take.json"), withDestinationPath: other.path("a.take.json"))
    let run = try OvercrankProgram(
      "takes", "align", folder.path("a.take.json"), folder.path("b.take.json"), "--by", "stamps")
    #expect(run.status == 66 && run.errors.contains("link to another folder"), "\(run.status) \(run.errors)")
  }
}
