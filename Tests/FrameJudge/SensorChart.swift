import Foundation
public import Testing

/// A chart of known colours as a computed sensor sees it, with a sensitivity for each colour, a black level
/// and noise, and the difference between a clip's colours and those of the chart.
public enum SensorChart {
  /// The patches of a ColorChecker, in sRGB of 8 bits.
  public static let colors: [[Double]] = [
    [115, 82, 68], [194, 150, 130], [98, 122, 157], [87, 108, 67], [133, 128, 177], [103, 189, 170],
    [214, 126, 44], [80, 91, 166], [193, 90, 99], [94, 60, 108], [157, 188, 64], [224, 163, 46],
    [56, 61, 150], [70, 148, 73], [175, 54, 60], [231, 199, 31], [187, 86, 149], [8, 133, 161],
    [243, 243, 242], [200, 200, 200], [160, 160, 160], [122, 122, 121], [85, 85, 85], [52, 52, 52],
  ].map { $0.map { $0 / 255 } }

  private static let side = 64
  /// The width in pixels.
  public static let width = 6 * side
  /// The height in pixels.
  public static let height = 4 * side

  /// Returns the linear light of a sample of sRGB.
  public static func light(_ shown: Double) -> Double {
    shown <= 0.04045 ? shown / 12.92 : pow((shown + 0.055) / 1.055, 2.4)
  }

  /// A sensor.
  public struct Sensor: CustomTestStringConvertible, Sendable {
    /// The four-character code of its frames.
    public var fourcc: String
    /// The bits of its samples.
    public var bits: Int
    /// The place of red in each square of four.
    public var red = (0, 0)
    /// The value without light.
    public var black: Int
    /// The sensitivity to red, green and blue light.
    public var sensitivity = [0.55, 1, 0.62]
    /// Rows of three: the sensor's response to linear sRGB.
    public var mix: [Double] = [1, 0, 0, 0, 1, 0, 0, 0, 1]
    /// Whether it sees only luma.
    public var isGrey = false

    /// Creates a sensor of `bits` with the value `black` without light.
    public init(
      fourcc: String, bits: Int, red: (Int, Int) = (0, 0), black: Int,
      sensitivity: [Double] = [0.55, 1, 0.62],
      isGrey: Bool = false
    ) {
      self.fourcc = fourcc
      self.bits = bits
      self.red = red
      self.black = black
      self.sensitivity = sensitivity
      self.isGrey = isGrey
    }

    /// Its format.
    public var testDescription: String { fourcc }

    /// Three rows of three that convert its balanced colours to linear sRGB: the inverse of ``mix``.
    public var matrix: [Double] {
      let m = mix
      let cofactors = [
        m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
        m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
        m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3],
      ]
      let determinant = m[0] * cofactors[0] + m[1] * cofactors[3] + m[2] * cofactors[6]
      return cofactors.map { $0 / determinant }
    }

    /// Returns the bytes of a frame of `color`, which gives each pixel in sRGB from 0 to 1.
    public func frame(_ color: (_ x: Int, _ y: Int) -> [Double], seed: UInt64) -> [UInt8] {
      var state = seed
      func uniform() -> Double {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Double(state >> 11) / Double(1 << 53)
      }
      let top = Double(1 << bits - 1)
      var samples: [Int] = []
      for y in 0..<SensorChart.height {
        for x in 0..<SensorChart.width {
          let light = color(x, y).map(SensorChart.light)
          let isRedRow = y & 1 == red.1
          let place = isGrey || isRedRow != (x & 1 == red.0) ? 1 : isRedRow ? 0 : 2
          let row = isGrey ? [0.2126, 0.7152, 0.0722] : Array(mix[3 * place..<3 * place + 3])
          let mixed: Double = row[0] * light[0] + row[1] * light[1] + row[2] * light[2]
          let seen = isGrey ? mixed : sensitivity[place] * mixed
          // Shot noise of 10,000 electrons, and read noise of 3.
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

  /// Returns the colour at a pixel.
  public static func color(_ x: Int, _ y: Int) -> [Double] { colors[y / side * 6 + x / side] }

  /// Returns the patches of frame `number` of a clip, in sRGB from 0 to 1.
  public static func patches(_ clip: String, frame number: Int = 0) throws -> [[Double]] {
    let output = try Program.run(
      "ffmpeg",
      [
        "-v", "error", "-nostdin", "-i", clip, "-fps_mode", "passthrough", "-vf",
        "select=eq(n\\,\(number)),scale=flags=accurate_rnd+full_chroma_int", "-frames:v", "1", "-pix_fmt",
        "rgb48le", "-f", "rawvideo", "-",
      ]
    ).output
    let bytes = [UInt8](output)
    try #require(bytes.count == 6 * width * height)
    return (0..<24).map { patch in
      var sums = [0.0, 0, 0]
      let (left, top) = (patch % 6 * side + 16, patch / 6 * side + 16)
      for y in top..<top + 32 {
        for x in left..<left + 32 {
          for color in 0..<3 {
            let place = 6 * (y * width + x) + 2 * color
            sums[color] += Double(Int(bytes[place]) | Int(bytes[place + 1]) << 8)
          }
        }
      }
      return sums.map { $0 / 1024 / 65535 }
    }
  }

  /// Returns the sample of sRGB of linear light.
  public static func shown(_ light: Double) -> Double {
    light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
  }

  /// Returns CIE L*a*b* of sRGB, D65.
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

  /// Returns CIEDE2000 of two colours of sRGB, after Sharma, Wu and Dalal (2005).
  public static func difference(_ one: [Double], _ other: [Double]) -> Double {
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
