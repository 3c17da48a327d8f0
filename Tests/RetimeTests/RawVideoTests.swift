import CameraModel
import FrameJudge
import Foundation
import Media
import Platform
import SystemPackage
import Takes
import Testing
import Timebase

@testable import Retime

/// Videos of unprocessed sensors, computed here: a chart of known colours, captured by colours of different
/// sensitivity, with a black level and noise.
@Suite("Raw sources", .tags(.program), .timeLimit(.minutes(1))) struct RawVideoTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(
    _ sensor: SensorChart.Sensor, to path: String, count: Int = 3, color: (Int, Int, Int) -> [Double]
  ) throws {
    let format = try #require(PixelFormat(fourcc: sensor.fourcc))
    let master = try #require(MasterFormat(format))
    let colorimetry = Colorimetry(colorspace: .raw, encoding: .default, quantization: .default)
    var muxer = try Muxer(
      to: OutputFile(FilePath(path)), container: .nut,
      video: VideoTrack(
        codec: master.codec, width: SensorChart.width, height: SensorChart.height,
        color: ColorDescription(colorimetry, of: master.codec)), timescale: 24)
    for number in 0..<count {
      let frame = sensor.frame({ color($0, $1, number) }, seed: UInt64(number) + 1)
      try frame.span.bytes.withUnsafeBytes { bytes throws(OvercrankError) in
        try muxer.write(bytes, timestamp: Int64(number), duration: 1)
      }
    }
    try muxer.finish()
  }

  private func clip(
    _ path: String, _ development: DevelopmentOptions?, codec: VideoEncoder.Kind = .ffv1,
    sensor: SensorFacts? = nil
  ) async throws -> (path: String, report: ClipReport) {
    var options = RenderSpec(speed: SpeedCurve(.normal), outputRate: FrameRate(whole: 24), codec: codec)
    options.stages[DevelopmentOptions.self] = development
    if codec == .h264 { options.quality = 4 }
    var source = ClipSource(FilePath(path))
    source.sensor = sensor
    let clip = folder.path("clip.\(codec.usualContainer.fileExtension)")
    let report = try await ClipRenderer(source, spec: options).render(
      to: OutputFile(FilePath(clip), replacing: true), container: codec.usualContainer)
    return (clip, report)
  }

  private static let sensors = [
    SensorChart.Sensor(fourcc: "RGGB", bits: 8, black: 16),
    SensorChart.Sensor(fourcc: "RG10", bits: 10, black: 64),
    SensorChart.Sensor(fourcc: "BG12", bits: 12, red: (1, 1), black: 240),
    SensorChart.Sensor(fourcc: "GR16", bits: 16, red: (1, 0), black: 4096),
    SensorChart.Sensor(fourcc: "GB10", bits: 10, red: (0, 1), black: 64, sensitivity: [0.4, 0.9, 0.7]),
  ]

  private func mean(_ errors: [Double]) -> Double { errors.reduce(0, +) / Double(errors.count) }

  /// Every sensor in the codec without loss, and one in the others.
  private static let charts: [(SensorChart.Sensor, VideoEncoder.Kind)] =
    sensors.map { ($0, .ffv1) } + [(sensors[4], .h264), (sensors[1], .prores)]

  @Test("with a chart keep its colours", arguments: charts)
  private func chart(_ sensor: SensorChart.Sensor, _ codec: VideoEncoder.Kind) async throws {
    let video = folder.path("chart.nut")
    try write(sensor, to: video) { x, y, _ in SensorChart.color(x, y) }
    let exposure = sensor.sensitivity.max() ?? 1
    let (clip, report) = try await clip(video, DevelopmentOptions(), codec: codec)
    let due = SensorChart.colors.map { $0.map { SensorChart.shown(SensorChart.light($0) * exposure) } }
    let errors = zip(try SensorChart.patches(clip), due).map(SensorChart.difference)
    #expect(mean(errors) < 3, "\(sensor): \(errors)")
    let development = try #require(report.development)
    #expect(abs(development.black - Double(sensor.black) / Double(1 << sensor.bits - 1)) < 0.005)

    // With the option, it is closer.
    let gains = sensor.sensitivity.map { exposure / $0 }
    let told = DevelopmentOptions(
      whiteBalance: .gains(red: gains[0], green: gains[1], blue: gains[2]), black: sensor.black)
    let (again, _) = try await self.clip(video, told, codec: codec)
    let toldErrors = zip(try SensorChart.patches(again), due).map(SensorChart.difference)
    #expect(mean(toldErrors) < 1.5, "\(sensor): \(toldErrors)")
  }

  @Test("of a known sensor get their colours from its matrix")
  func matrix() async throws {
    var sensor = SensorChart.Sensor(fourcc: "RG12", bits: 12, black: 256)
    sensor.mix = [0.7, 0.25, 0.05, 0.15, 0.75, 0.1, 0.05, 0.3, 0.65]
    let matrix = sensor.matrix
    let video = folder.path("chart.nut")
    try write(sensor, to: video) { x, y, _ in SensorChart.color(x, y) }
    let facts = SensorFacts(black: 256.0 / 4095, matrix: matrix)
    let (right, report) = try await clip(video, DevelopmentOptions(), sensor: facts)
    #expect(report.development?.matrix == matrix)
    #expect(report.developmentSource?.black == .profile)
    let errors = zip(try SensorChart.patches(right), SensorChart.colors).map(SensorChart.difference)
    #expect(mean(errors) < 3, "\(errors)")
    let (without, _) = try await clip(video, DevelopmentOptions())
    let dull = zip(try SensorChart.patches(without), SensorChart.colors).map(SensorChart.difference)
    #expect(mean(dull) > 2 * mean(errors))
    // A matrix is for balanced colours.
    let (_, unbalanced) = try await clip(video, DevelopmentOptions(whiteBalance: .none), sensor: facts)
    #expect(unbalanced.development?.matrix == nil)
    #expect(unbalanced.development?.black == facts.black)
    #expect(unbalanced.developmentSource?.samplesFrames == false)
    let (_, told) = try await clip(video, DevelopmentOptions(black: 300), sensor: facts)
    #expect(told.development?.black == 300.0 / 4095)
    #expect(told.developmentSource?.black == .option)
  }

  @Test(
    "of monochrome sensors get a black level and a transfer function",
    arguments: [("Y10 ", 10, 64), ("GREY", 8, 16)])
  func grey(_ fourcc: String, _ bits: Int, _ black: Int) async throws {
    let video = folder.path("chart.nut")
    try write(SensorChart.Sensor(fourcc: fourcc, bits: bits, black: black, isGrey: true), to: video) {
      x, y, _ in
      SensorChart.color(x, y)
    }
    let (clip, report) = try await clip(video, DevelopmentOptions())
    #expect(report.development?.gains == [1, 1, 1])
    for (seen, patch) in zip(try SensorChart.patches(clip), SensorChart.colors) {
      let light = patch.map(SensorChart.light)
      let due = SensorChart.shown(0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2])
      #expect(abs(seen[1] - due) < 0.02, "\(seen) for \(due)")
    }
  }

  @Test("keep one white balance throughout, whatever enters the picture")
  func constant() async throws {
    let video = folder.path("chart.nut")
    try write(SensorChart.Sensor(fourcc: "RG10", bits: 10, black: 64), to: video, count: 8) { x, y, number in
      // In the second half of the video, a red object covers the upper half.
      number >= 4 && y < SensorChart.height / 2 ? [0.8, 0.1, 0.1] : SensorChart.color(x, y)
    }
    let (clip, _) = try await clip(video, DevelopmentOptions())
    for (first, last) in zip(
      try SensorChart.patches(clip)[12...], try SensorChart.patches(clip, frame: 7)[12...])
    {
      #expect(zip(first, last).allSatisfy { abs($0 - $1) < 0.002 })
    }
  }

  @Test("keep more than 8 bits in codecs with ten", arguments: [("RG12", false), ("Y12 ", true)])
  func depth(_ fourcc: String, _ isGrey: Bool) async throws {
    let video = folder.path("chart.nut")
    var sensor = SensorChart.Sensor(fourcc: fourcc, bits: 12, black: 0)
    (sensor.isGrey, sensor.sensitivity) = (isGrey, [1, 1, 1])
    // A slow rise, so that each of a thousand steps has pixels.
    try write(sensor, to: video, count: 1) { x, y, _ in
      let value =
        0.2 + 0.6 * Double(x * SensorChart.height + y) / Double(SensorChart.width * SensorChart.height)
      return [value, value, value]
    }
    func levels(_ development: DevelopmentOptions?) async throws -> Int {
      let (clip, _) = try await clip(video, development, codec: .prores)
      let output = try Program.run(
        "ffmpeg",
        [
          "-v", "error", "-nostdin", "-i", clip, "-vf", "extractplanes=y,format=gray10le", "-f", "rawvideo",
          "-",
        ]
      ).output
      let bytes = [UInt8](output)
      return Set(stride(from: 0, to: bytes.count, by: 2).map { Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8 })
        .count
    }
    // From 0.2 to 0.8 ten bits of the limited range have 526 steps, eight have 131.
    #expect(try await levels(DevelopmentOptions(whiteBalance: .none, black: 0)) > 500)
  }

  @Test("are not developed if this is requested, or if they are processed already")
  func kept() async throws {
    let video = folder.path("chart.nut")
    try write(SensorChart.Sensor(fourcc: "RGGB", bits: 8, black: 16), to: video) { x, y, _ in
      SensorChart.color(x, y)
    }
    let (clip, report) = try await clip(video, nil)
    #expect(report.development == nil)
    // The white patch: 0.9 of the light, captured by colours of different sensitivity.
    let white = SensorChart.light(243.0 / 255)
    for (seen, sensitivity) in zip(try SensorChart.patches(clip)[18], [0.55, 1, 0.62]) {
      #expect(abs(seen - (16 + white * sensitivity * 239) / 255) < 0.01)
    }
    let plain = folder.path("plain.nut")
    try NumberedVideo(numbers: [1, 2, 3], codec: .raw(.gray)).write(to: plain)
    #expect(try await self.clip(plain, DevelopmentOptions()).report.development == nil)
    #expect(try await self.clip(plain, DevelopmentOptions(isForced: true)).report.development != nil)
  }

  @Test("refuse a black level beyond their range", arguments: [1000, .max, -1])
  func wrongBlack(_ black: Int) async throws {
    let video = folder.path("chart.nut")
    try write(SensorChart.Sensor(fourcc: "RG10", bits: 10, black: 64), to: video, count: 1) { x, y, _ in
      SensorChart.color(x, y)
    }
    await #expect {
      _ = try await clip(video, DevelopmentOptions(black: black))
    } throws: {
      "\($0)".contains("range from 0 to 1023")
    }
  }
}
