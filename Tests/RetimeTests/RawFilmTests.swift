import CameraModel
import FilmJudge
import Foundation
import Media
import Platform
import SystemPackage
import Takes
import Testing
import Timebase

@testable import Retime

/// Films of sensors without any processing, made by one of arithmetic: a chart of known colours, seen by colours of
/// different sensitivity, with a black level and noise.
@Suite("Raw films") struct RawFilmTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The patches of a ColorChecker, in sRGB of 8 bits.
  private static let patches: [[Double]] = [
    [115, 82, 68], [194, 150, 130], [98, 122, 157], [87, 108, 67], [133, 128, 177], [103, 189, 170],
    [214, 126, 44], [80, 91, 166], [193, 90, 99], [94, 60, 108], [157, 188, 64], [224, 163, 46],
    [56, 61, 150], [70, 148, 73], [175, 54, 60], [231, 199, 31], [187, 86, 149], [8, 133, 161],
    [243, 243, 242], [200, 200, 200], [160, 160, 160], [122, 122, 121], [85, 85, 85], [52, 52, 52],
  ].map { $0.map { $0 / 255 } }

  private static let side = 64
  private static let width = 6 * side
  private static let height = 4 * side

  private static func light(_ shown: Double) -> Double {
    shown <= 0.04045 ? shown / 12.92 : pow((shown + 0.055) / 1.055, 2.4)
  }

  /// A sensor.
  private struct Sensor: CustomTestStringConvertible {
    var fourcc: String
    var bits: Int
    /// Where red lies in each square of four.
    var red = (0, 0)
    var black: Int
    var sensitivity = [0.55, 1, 0.62]
    /// Rows of three: what it sees of linear sRGB.
    var mix: [Double] = [1, 0, 0, 0, 1, 0, 0, 0, 1]
    var isGrey = false

    var testDescription: String { fourcc }

    func frame(_ color: (_ x: Int, _ y: Int) -> [Double], seed: UInt64) -> [UInt8] {
      var state = seed
      func uniform() -> Double {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Double(state >> 11) / Double(1 << 53)
      }
      let top = Double(1 << bits - 1)
      var samples: [Int] = []
      for y in 0..<RawFilmTests.height {
        for x in 0..<RawFilmTests.width {
          let light = color(x, y).map(RawFilmTests.light)
          let isRedRow = y & 1 == red.1
          let place = isGrey || isRedRow != (x & 1 == red.0) ? 1 : isRedRow ? 0 : 2
          let row = isGrey ? [0.2126, 0.7152, 0.0722] : Array(mix[3 * place..<3 * place + 3])
          let mixed: Double = row[0] * light[0] + row[1] * light[1] + row[2] * light[2]
          let seen = isGrey ? mixed : sensitivity[place] * mixed
          // Shot noise of 10,000 electrons, and 3 of reading.
          let sigma = (max(seen, 0) / 10_000 + 9e-8).squareRoot()
          let normal = (-2 * log(max(uniform(), 1e-12))).squareRoot() * cos(2 * .pi * uniform())
          let value = Double(black) + (seen + sigma * normal) * (top - Double(black))
          samples.append(Int(min(max(value, 0), top).rounded()))
        }
      }
      return bits == 8
        ? samples.map { UInt8($0) } : samples.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    }
  }

  private func write(
    _ sensor: Sensor, to path: String, count: Int = 3, color: (Int, Int, Int) -> [Double]
  ) throws {
    let format = try #require(PixelFormat(fourcc: sensor.fourcc))
    let master = try #require(MasterFormat(format))
    let colorimetry = Colorimetry(colorspace: .raw, encoding: .default, quantization: .default)
    var muxer = try Muxer(
      to: OutputFile(FilePath(path)), container: .nut,
      video: VideoTrack(
        codec: master.codec, width: Self.width, height: Self.height,
        color: ColorDescription(colorimetry, of: master.codec)), timescale: 24)
    for number in 0..<count {
      let frame = sensor.frame({ color($0, $1, number) }, seed: UInt64(number) + 1)
      try frame.span.bytes.withUnsafeBytes { bytes throws(MediaError) in
        try muxer.write(bytes, timestamp: Int64(number), duration: 1)
      }
    }
    try muxer.finish()
  }

  private static func patch(_ x: Int, _ y: Int) -> [Double] { patches[y / side * 6 + x / side] }

  /// Each patch of frame `number` of a clip in sRGB from 0 to 1.
  private func patches(_ clip: String, frame number: Int = 0) throws -> [[Double]] {
    let output = try Program.run(
      "ffmpeg",
      [
        "-v", "error", "-nostdin", "-i", clip, "-fps_mode", "passthrough", "-vf",
        "select=eq(n\\,\(number)),scale=flags=accurate_rnd+full_chroma_int", "-frames:v", "1", "-pix_fmt",
        "rgb48le", "-f", "rawvideo", "-",
      ]
    ).output
    let bytes = [UInt8](output)
    try #require(bytes.count == 6 * Self.width * Self.height)
    return (0..<24).map { patch in
      var sums = [0.0, 0, 0]
      let (left, top) = (patch % 6 * Self.side + 16, patch / 6 * Self.side + 16)
      for y in top..<top + 32 {
        for x in left..<left + 32 {
          for color in 0..<3 {
            let place = 6 * (y * Self.width + x) + 2 * color
            sums[color] += Double(Int(bytes[place]) | Int(bytes[place + 1]) << 8)
          }
        }
      }
      return sums.map { $0 / 1024 / 65535 }
    }
  }

  private func clip(
    _ path: String, _ development: DevelopmentOptions?, codec: VideoEncoder.Kind = .ffv1,
    sensor: SensorFacts? = nil
  ) async throws -> (path: String, report: ClipReport) {
    var options = ClipOptions(speed: SpeedCurve(.normal), outputRate: FrameRate(whole: 24), codec: codec)
    options.development = development
    if codec == .h264 { options.quality = 4 }
    var source = ClipSource(FilePath(path))
    source.sensor = sensor
    let clip = folder.path("clip.\(codec.usualContainer.fileExtension)")
    let report = try await ClipRenderer(source, options: options).render(
      to: OutputFile(FilePath(clip), replacing: true), container: codec.usualContainer)
    return (clip, report)
  }

  private static let sensors = [
    Sensor(fourcc: "RGGB", bits: 8, black: 16), Sensor(fourcc: "RG10", bits: 10, black: 64),
    Sensor(fourcc: "BG12", bits: 12, red: (1, 1), black: 240),
    Sensor(fourcc: "GR16", bits: 16, red: (1, 0), black: 4096),
    Sensor(fourcc: "GB10", bits: 10, red: (0, 1), black: 64, sensitivity: [0.4, 0.9, 0.7]),
  ]

  @Test("of a chart come back in its colours", arguments: sensors, [VideoEncoder.Kind.ffv1, .h264, .prores])
  private func chart(_ sensor: Sensor, _ codec: VideoEncoder.Kind) async throws {
    let film = folder.path("chart.nut")
    try write(sensor, to: film) { x, y, _ in Self.patch(x, y) }
    let exposure = sensor.sensitivity.max() ?? 1
    let (clip, report) = try await clip(film, DevelopmentOptions(), codec: codec)
    let due = Self.patches.map { $0.map { Self.shown(Self.light($0) * exposure) } }
    let errors = zip(try patches(clip), due).map(Self.difference)
    #expect(errors.reduce(0, +) / 24 < 3, "\(sensor): \(errors)")
    let development = try #require(report.development)
    #expect(abs(development.black - Double(sensor.black) / Double(1 << sensor.bits - 1)) < 0.005)

    // Told, it is nearer.
    let gains = sensor.sensitivity.map { exposure / $0 }
    let told = DevelopmentOptions(
      whiteBalance: .gains(red: gains[0], green: gains[1], blue: gains[2]), black: sensor.black)
    let (again, _) = try await self.clip(film, told, codec: codec)
    let toldErrors = zip(try patches(again), due).map(Self.difference)
    #expect(toldErrors.reduce(0, +) / 24 < 1.5, "\(sensor): \(toldErrors)")
  }

  @Test("have the colours of a known sensor set right by its matrix")
  func matrix() async throws {
    var sensor = Sensor(fourcc: "RG12", bits: 12, black: 256)
    sensor.mix = [0.7, 0.25, 0.05, 0.15, 0.75, 0.1, 0.05, 0.3, 0.65]
    // The inverse of the mix: numbers by hand.
    let matrix = Self.inverse(sensor.mix)
    let film = folder.path("chart.nut")
    try write(sensor, to: film) { x, y, _ in Self.patch(x, y) }
    let facts = SensorFacts(black: 256.0 / 4095, matrix: matrix)
    let (right, report) = try await clip(film, DevelopmentOptions(), sensor: facts)
    #expect(report.development?.matrix == matrix)
    let errors = zip(try patches(right), Self.patches).map(Self.difference)
    #expect(errors.reduce(0, +) / 24 < 3, "\(errors)")
    let (without, _) = try await clip(film, DevelopmentOptions())
    let dull = zip(try patches(without), Self.patches).map(Self.difference)
    #expect(dull.reduce(0, +) > 2 * errors.reduce(0, +))
  }

  @Test("of sensors without colours get black and transfer", arguments: [("Y10 ", 10, 64), ("GREY", 8, 16)])
  func grey(_ fourcc: String, _ bits: Int, _ black: Int) async throws {
    let film = folder.path("chart.nut")
    try write(Sensor(fourcc: fourcc, bits: bits, black: black, isGrey: true), to: film) { x, y, _ in
      Self.patch(x, y)
    }
    let (clip, report) = try await clip(film, DevelopmentOptions())
    #expect(report.development?.gains == [1, 1, 1])
    for (seen, patch) in zip(try patches(clip), Self.patches) {
      let light = patch.map(Self.light)
      let due = Self.shown(0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2])
      #expect(abs(seen[1] - due) < 0.02, "\(seen) for \(due)")
    }
  }

  @Test("keep one balance throughout, whatever comes into the picture")
  func constant() async throws {
    let film = folder.path("chart.nut")
    try write(Sensor(fourcc: "RG10", bits: 10, black: 64), to: film, count: 8) { x, y, number in
      // In the second half something red covers the upper half.
      number >= 4 && y < Self.height / 2 ? [0.8, 0.1, 0.1] : Self.patch(x, y)
    }
    let (clip, _) = try await clip(film, DevelopmentOptions())
    for (first, last) in zip(try patches(clip)[12...], try patches(clip, frame: 7)[12...]) {
      #expect(zip(first, last).allSatisfy { abs($0 - $1) < 0.002 })
    }
  }

  @Test("keep more than 8 bits in codecs with ten", arguments: [("RG12", false), ("Y12 ", true)])
  func depth(_ fourcc: String, _ isGrey: Bool) async throws {
    let film = folder.path("chart.nut")
    var sensor = Sensor(fourcc: fourcc, bits: 12, black: 0)
    (sensor.isGrey, sensor.sensitivity) = (isGrey, [1, 1, 1])
    // A slow rise, so that each of a thousand steps has pixels.
    try write(sensor, to: film, count: 1) { x, y, _ in
      let value = 0.2 + 0.6 * Double(x * Self.height + y) / Double(Self.width * Self.height)
      return [value, value, value]
    }
    func levels(_ development: DevelopmentOptions?) async throws -> Int {
      let (clip, _) = try await clip(film, development, codec: .prores)
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

  @Test("stay as they are where that is asked for, and where they are processed already")
  func kept() async throws {
    let film = folder.path("chart.nut")
    try write(Sensor(fourcc: "RGGB", bits: 8, black: 16), to: film) { x, y, _ in Self.patch(x, y) }
    let (clip, report) = try await clip(film, nil)
    #expect(report.development == nil)
    // The white patch: 0.9 of the light, seen by colours of different sensitivity.
    let white = Self.light(243.0 / 255)
    for (seen, sensitivity) in zip(try patches(clip)[18], [0.55, 1, 0.62]) {
      #expect(abs(seen - (16 + white * sensitivity * 239) / 255) < 0.01)
    }
    let plain = folder.path("plain.nut")
    try NumberedFilm(numbers: [1, 2, 3], codec: .raw(.gray)).write(to: plain)
    #expect(try await self.clip(plain, DevelopmentOptions()).report.development == nil)
    #expect(try await self.clip(plain, DevelopmentOptions(isForced: true)).report.development != nil)
  }

  @Test("refuse a black level beyond their range", arguments: [1000, .max, -1])
  func wrongBlack(_ black: Int) async throws {
    let film = folder.path("chart.nut")
    try write(Sensor(fourcc: "RG10", bits: 10, black: 64), to: film, count: 1) { x, y, _ in Self.patch(x, y) }
    await #expect {
      _ = try await clip(film, DevelopmentOptions(black: black))
    } throws: {
      "\($0)".contains("go from 0 to 1023")
    }
  }

  private static func shown(_ light: Double) -> Double {
    light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
  }

  private static func inverse(_ m: [Double]) -> [Double] {
    let cofactors = [
      m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
      m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
      m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3],
    ]
    let determinant = m[0] * cofactors[0] + m[1] * cofactors[3] + m[2] * cofactors[6]
    return cofactors.map { $0 / determinant }
  }

  /// CIE L*a*b* of sRGB, D65.
  private static func lab(_ shown: [Double]) -> [Double] {
    let l = shown.map { light(min(max($0, 0), 1)) }
    let rows: [(row: [Double], white: Double)] = [
      ([0.4124564, 0.3575761, 0.1804375], 0.95047), ([0.2126729, 0.7151522, 0.0721750], 1),
      ([0.0193339, 0.1191920, 0.9503041], 1.08883),
    ]
    let xyz = rows.map { row, white -> Double in
      let part = (row[0] * l[0] + row[1] * l[1] + row[2] * l[2]) / white
      return part > 216.0 / 24389 ? cbrt(part) : (24389.0 / 27 * part + 16) / 116
    }
    return [116 * xyz[1] - 16, 500 * (xyz[0] - xyz[1]), 200 * (xyz[1] - xyz[2])]
  }

  /// CIEDE2000 of two colours of sRGB, by Sharma, Wu and Dalal (2005).
  private static func difference(_ one: [Double], _ other: [Double]) -> Double {
    let (p, q) = (lab(one), lab(other))
    let mean7 = pow((hypot(p[1], p[2]) + hypot(q[1], q[2])) / 2, 7)
    let g = 0.5 * (1 - (mean7 / (mean7 + pow(25, 7))).squareRoot())
    func polar(_ c: [Double]) -> (chroma: Double, hue: Double) {
      let a = (1 + g) * c[1]
      let hue = a == 0 && c[2] == 0 ? 0 : atan2(c[2], a) * 180 / .pi
      return (hypot(a, c[2]), hue < 0 ? hue + 360 : hue)
    }
    let (a, b) = (polar(p), polar(q))
    var turn = a.chroma * b.chroma == 0 ? 0 : b.hue - a.hue
    if turn > 180 { turn -= 360 } else if turn < -180 { turn += 360 }
    let dH = 2 * (a.chroma * b.chroma).squareRoot() * sin(turn / 2 * .pi / 180)
    var hue = a.hue + b.hue
    if a.chroma * b.chroma != 0 {
      if abs(a.hue - b.hue) > 180 { hue += hue < 360 ? 360 : -360 }
      hue /= 2
    }
    let (light, chroma) = ((p[0] + q[0]) / 2, (a.chroma + b.chroma) / 2)
    func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }
    let t =
      1 - 0.17 * cosine(hue - 30) + 0.24 * cosine(2 * hue) + 0.32 * cosine(3 * hue + 6)
      - 0.2 * cosine(4 * hue - 63)
    let sL = 1 + 0.015 * pow(light - 50, 2) / (20 + pow(light - 50, 2)).squareRoot()
    let (sC, sH) = (1 + 0.045 * chroma, 1 + 0.015 * chroma * t)
    let rC = 2 * (pow(chroma, 7) / (pow(chroma, 7) + pow(25, 7))).squareRoot()
    let rT = -sin(60 * exp(-pow((hue - 275) / 25, 2)) * .pi / 180) * rC
    let (l, c, h) = ((q[0] - p[0]) / sL, (b.chroma - a.chroma) / sC, dH / sH)
    return (l * l + c * c + h * h + rT * c * h).squareRoot()
  }
}
