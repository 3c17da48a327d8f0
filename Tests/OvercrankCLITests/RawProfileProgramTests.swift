import CameraModel
import FrameJudge
import Foundation
import Media
import Platform
import SystemPackage
import Takes
import Testing

/// A take of a computed sensor that has a user's profile, developed by the program.
@Suite("overcrank retime with a sensor that has a profile", .tags(.program), .timeLimit(.minutes(1)))
struct RawProfileProgramTests {
  let folder: TemporaryFolder
  let sensor: SensorChart.Sensor

  private struct Clip: Decodable {
    var development: Take.Clip.Development?
  }

  init() throws {
    folder = try TemporaryFolder()
    var sensor = SensorChart.Sensor(fourcc: "RG12", bits: 12, black: 256)
    sensor.mix = [0.7, 0.25, 0.05, 0.15, 0.75, 0.1, 0.05, 0.3, 0.65]
    self.sensor = sensor
    let profiles = folder.url.appending(path: "known/overcrank/profiles")
    try FileManager.default.createDirectory(at: profiles, withIntermediateDirectories: true)
    try FileManager.default.createDirectory(
      atPath: folder.path("unknown"), withIntermediateDirectories: false)
    let m = sensor.matrix
    // Another depth than the master's samples.
    let yaml = """
      id: chart
      name: A sensor of arithmetic
      match: {sensor: charted}
      drawn_as: GREY
      source: this test
      modes:
        - {sizes: [[\(SensorChart.width), \(SensorChart.height)]], rates: [24]}
      raw:
        black: 64
        bits: 10
        matrix: [[\(m[0]), \(m[1]), \(m[2])], [\(m[3]), \(m[4]), \(m[5])], [\(m[6]), \(m[7]), \(m[8])]]
        source: this test
      """
    try Data(yaml.utf8).write(to: profiles.appending(path: "chart.yaml"))
  }

  /// Records three frames of the simulated sensor; the master is then replaced by one of the chart in the
  /// sensor's numbers.
  private func record() throws {
    let run = try OvercrankProgram(
      [
        "record", "sim:chart,clock=virtual", "--frames", "3", "--no-clip", "--no-thumbnail", "-o",
        folder.path("x.mp4"),
      ],
      environment: ["XDG_CONFIG_HOME": folder.path("known")])
    try #require(run.status == 0, "\(run.errors)")
    let path = URL(filePath: folder.path("x.take.json"))
    var take = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: path)) as? [String: Any])
    #expect((take["camera"] as? [String: Any])?["sensor"] as? String == "charted")
    var mode = try #require(take["mode"] as? [String: Any])
    mode["fourcc"] = sensor.fourcc
    (take["mode"], take["master"]) = (mode, "x.master.nut")
    try JSONSerialization.data(withJSONObject: take).write(to: path)
    let format = try #require(PixelFormat(fourcc: sensor.fourcc))
    let codec = try #require(MasterFormat(format)).codec
    var muxer = try Muxer(
      to: OutputFile(FilePath(folder.path("x.master.nut")), replacing: true), container: .nut,
      video: VideoTrack(codec: codec, width: SensorChart.width, height: SensorChart.height), timescale: 24)
    for number in 0..<3 {
      let frame = sensor.frame(SensorChart.color, seed: UInt64(number) + 1)
      try frame.span.bytes.withUnsafeBytes { bytes throws(OvercrankError) in
        try muxer.write(bytes, timestamp: Int64(number), duration: 1)
      }
    }
    try muxer.finish()
  }

  private func develop(
    _ options: [String] = [], known: Bool = true
  ) throws -> (development: Take.Clip.Development, error: Double) {
    let clip = folder.path("clip.mkv")
    let run = try OvercrankProgram(
      ["retime", folder.path("x.master.nut"), "--codec", "ffv1", "--json", "--force", "-o", clip] + options,
      environment: ["XDG_CONFIG_HOME": folder.path(known ? "known" : "unknown")])
    try #require(run.status == 0, "\(run.errors)")
    let development = try #require(try run.json([Clip].self).first?.development)
    let errors = zip(try SensorChart.patches(clip), SensorChart.colors).map(SensorChart.difference)
    return (development, errors.reduce(0, +) / Double(errors.count))
  }

  @Test("uses its black level and matrix, scaled to the master's depth, and the chart keeps its colours")
  func known() throws {
    try record()
    let (development, error) = try develop()
    #expect(error < 3)
    #expect(development.blackSource == "profile")
    #expect(development.profile == "chart")
    #expect(abs(development.black * 4095 - 256) < 1)
    #expect(development.matrix?.count == 9)
    let take = try folder.take()
    #expect(take.camera.sensor == "charted")
    #expect(take.clips.last?.development == development)

    let (told, _) = try develop(["--black", "300"])
    #expect((told.blackSource, told.profile) == ("option", "chart"))
    #expect(abs(told.black * 4095 - 300) < 1)

    let (unbalanced, _) = try develop(["--white-balance", "none"])
    #expect((unbalanced.blackSource, unbalanced.matrix) == ("profile", nil))
    #expect(unbalanced.whiteBalance == [1, 1, 1])

    let (unknown, dull) = try develop(known: false)
    #expect((unknown.blackSource, unknown.profile, unknown.matrix) == ("frame", nil, nil))
    #expect(dull > 2 * error)
  }
}
