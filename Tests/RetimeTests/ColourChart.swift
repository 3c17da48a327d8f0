import Platform
import Media
import Testing

/// A picture of sixteen known colours under a frame strip, and its coding in cameras: written from V4L2's
/// descriptions of its formats, apart from the product's own conversions.
struct ColourChart {
  /// The computation of luma and chroma: ITU-T H.273.
  struct Coding: Hashable, CustomTestStringConvertible {
    var red: Double
    var blue: Double
    var isFull: Bool
    /// The values of `enum v4l2_colorspace`, `v4l2_ycbcr_encoding` and `v4l2_quantization` for it.
    var colorspace: UInt32
    var encoding: UInt32
    var quantization: UInt32

    static let all = [false, true].flatMap { isFull in
      [
        Coding(
          red: 0.299, blue: 0.114, isFull: isFull, colorspace: 8, encoding: isFull ? 1 : 0,
          quantization: isFull ? 1 : 0),
        Coding(
          red: 0.2126, blue: 0.0722, isFull: isFull, colorspace: isFull ? 8 : 3, encoding: isFull ? 2 : 0,
          quantization: isFull ? 1 : 2),
      ]
    }

    var testDescription: String { "\(red == 0.299 ? "601" : "709") \(isFull ? "full" : "limited")" }

    /// Luma from 0 to 1, chroma from -0.5 to 0.5.
    func luma(_ rgb: [Double]) -> [Double] {
      let luma = red * rgb[0] + (1 - red - blue) * rgb[1] + blue * rgb[2]
      return [luma, (rgb[2] - luma) / (2 - 2 * blue), (rgb[0] - luma) / (2 - 2 * red)]
    }

    /// The way back, from bytes of the limited range.
    func colour(_ bytes: [Double]) -> [Double] {
      let (luma, cb, cr) = ((bytes[0] - 16) / 219, (bytes[1] - 128) / 224, (bytes[2] - 128) / 224)
      let (r, b) = (luma + (2 - 2 * red) * cr, luma + (2 - 2 * blue) * cb)
      return [r, (luma - red * r - blue * b) / (1 - red - blue), b]
    }
  }

  static let width = 256
  static let height = 72
  /// Red, green and blue from 0 to 1, in patches of 32 x 32 below the strip.
  static let colours: [[Double]] = [
    [1, 1, 1], [1, 1, 0], [0, 1, 1], [0, 1, 0], [1, 0, 1], [1, 0, 0], [0, 0, 1], [0, 0, 0],
    [0.75, 0.75, 0.75], [0.5, 0.5, 0.5], [0.25, 0.25, 0.25], [0.45, 0.32, 0.26], [0.76, 0.58, 0.51],
    [0.38, 0.48, 0.61], [0.84, 0.48, 0.17], [0.16, 0.24, 0.58],
  ]

  var number: UInt32
  var coding: Coding

  /// The colour of a pixel.
  func rgb(_ x: Int, _ y: Int) -> [Double] {
    guard y < 8 else { return Self.colours[(y - 8) / 32 * 8 + x / 32] }
    return NumberedVideo.word(number) >> UInt32(31 - x / 8) & 1 == 1 ? [1, 1, 1] : [0, 0, 0]
  }

  /// One of the three luma and chroma samples of a pixel in `bits`.
  func sample(_ channel: Int, _ x: Int, _ y: Int, bits: Int = 8) -> Int {
    let value = coding.luma(rgb(x, y))[channel]
    let (unit, top) = (Double(1 << (bits - 8)), Double(1 << bits - 1))
    let zero = channel == 0 ? 0.0 : Double(1 << (bits - 1))
    if coding.isFull { return Int(min(zero + value * top, top).rounded()) }
    return Int((channel == 0 ? (16 + 219 * value) * unit : (128 + 224 * value) * unit).rounded())
  }

  /// The frame in the format that V4L2 calls `fourcc`.
  func frame(_ fourcc: String) throws -> [UInt8] {
    let fourcc = Self.equals[fourcc] ?? fourcc
    if let frame = unusualFrame(fourcc) { return frame }
    if let order = Self.packed422[fourcc] {
      return pixels(everyColumn: 2).flatMap { x, y in
        var lumaSeen = 0
        return order.map { letter in
          if letter != "Y" { return UInt8(sample(letter == "U" ? 1 : 2, x, y)) }
          lumaSeen += 1
          return UInt8(sample(0, x + lumaSeen - 1, y))
        }
      }
    }
    if let (planes, columns, rows) = Self.planar[fourcc] {
      return (["Y"] + planes).enumerated().flatMap { index, plane in
        pixels(everyColumn: index == 0 ? 1 : columns, everyRow: index == 0 ? 1 : rows).flatMap { x, y in
          plane.flatMap { self.bytes($0, x, y, deep: Self.deepBits[fourcc]) }
        }
      }
    }
    if let order = Self.packedWords[fourcc] {
      return pixels(everyColumn: order == "YUYV" ? 2 : 1).flatMap { x, y in
        order.enumerated().flatMap { index, letter in
          self.bytes(letter, letter == "Y" ? x + index / 2 : x, y, deep: Self.deepBits[fourcc])
        }
      }
    }
    if let (bits, isHighFirst) = Self.fields[fourcc] {
      let (channels, byteCount) = (Self.channels(bits), bits.count / 8)
      return pixels().flatMap { x, y -> [UInt8] in
        let number = field(channels, x, y)
        let bytes = (0..<byteCount).map { UInt8(number >> (8 * $0) & 0xff) }
        return isHighFirst ? bytes.reversed() : bytes
      }
    }
    if fourcc == "Y41P" {
      return pixels(everyColumn: 8).flatMap { x, y in
        zip("UYVYUYVYYYYY", [0, 0, 0, 1, 4, 2, 4, 3, 4, 5, 6, 7]).flatMap { self.bytes($0, x + $1, y) }
      }
    }
    if fourcc == "M420" { return m420() }
    if let order = Self.packedRGB[fourcc] {
      let (black, steps) = coding.quantization == 2 ? (16.0, 219.0) : (0, 255)
      return pixels().flatMap { x, y -> [UInt8] in
        let colour = rgb(x, y)
        return order.map { letter -> UInt8 in
          // Transparency, of which no pixel has any.
          guard letter != "A" else { return 255 }
          let value = letter == "R" ? colour[0] : letter == "G" ? colour[1] : letter == "B" ? colour[2] : 0
          return UInt8((black + value * steps).rounded())
        }
      }
    }
    guard let (order, bits, isPacked) = Self.sensor[fourcc] else {
      throw OvercrankError(.unsupported, "no chart in \(fourcc)")
    }
    let samples = pixels().map { x, y in
      guard !order.isEmpty else { return sample(0, x, y, bits: bits) }
      let letter = Array(order)[y % 2 * 2 + x % 2]
      return Int((rgb(x, y)[letter == "R" ? 0 : letter == "G" ? 1 : 2] * Double(1 << bits - 1)).rounded())
    }
    if let group = Self.streams[fourcc] {
      return stride(from: 0, to: samples.count, by: Self.width).flatMap { row in
        stride(from: row, to: row + Self.width, by: group.samples).flatMap { start in
          let members = samples[start..<min(start + group.samples, row + Self.width)]
          return Self.stream(members, bits: bits, isHighFirst: group.isHighFirst)
            + [UInt8](repeating: 0, count: members.count == group.samples ? group.padding : 0)
        }
      }
    }
    if isPacked { return Self.mipi(samples, bits: bits) }
    if bits == 8 { return samples.map { UInt8($0) } }
    return samples.flatMap { value in
      let value = value << (Self.deepBits[fourcc].map { 16 - $0 } ?? 0)
      let bytes = [UInt8(value & 0xff), UInt8(value >> 8)]
      return fourcc.hasSuffix("-BE") ? bytes.reversed() : bytes
    }
  }

  /// Two rows of luma, then one of chroma in pairs.
  private func m420() -> [UInt8] {
    stride(from: 0, to: Self.height, by: 2).flatMap { y -> [UInt8] in
      let luma = [y, y + 1].flatMap { row in (0..<Self.width).map { UInt8(sample(0, $0, row)) } }
      let chroma = stride(from: 0, to: Self.width, by: 2).flatMap { x in
        [1, 2].map { UInt8(sample($0, x, y)) }
      }
      return luma + chroma
    }
  }

  /// The bytes of one component, `Y`, `U` or `V`; in the highest `deep` bits of a word, if that is given.
  private func bytes(_ letter: Character, _ x: Int, _ y: Int, deep: Int? = nil) -> [UInt8] {
    let channel = letter == "Y" ? 0 : letter == "U" ? 1 : 2
    guard let deep else { return [UInt8(sample(channel, x, y))] }
    let word = sample(channel, x, y, bits: deep) << (16 - deep)
    return [UInt8(word & 0xff), UInt8(word >> 8)]
  }

  /// A channel of a pixel that is one number: its bits, and those below them.
  private struct Channel {
    var number: Int
    var isRGB: Bool
    var count: Int
    var below: Int
  }

  /// The channels in a description by bits, from the highest: `xxxxrrrrggggbbbb`.
  private static func channels(_ bits: String) -> [Channel] {
    "rgbyuv".enumerated().compactMap { index, letter in
      let (count, below) = (bits.count { $0 == letter }, bits.reversed().prefix { $0 != letter }.count)
      return count == 0 ? nil : Channel(number: index % 3, isRGB: index < 3, count: count, below: below)
    }
  }

  /// The number that a pixel is.
  private func field(_ channels: [Channel], _ x: Int, _ y: Int) -> Int {
    channels.reduce(0) { number, channel in
      let value =
        channel.isRGB
        ? Int((rgb(x, y)[channel.number] * Double(1 << channel.count - 1)).rounded())
        : sample(channel.number, x, y) >> (8 - channel.count)
      return number | value << channel.below
    }
  }

  /// Samples as a stream of bits, from the highest bit of the first byte or from its lowest.
  private static func stream(_ samples: ArraySlice<Int>, bits: Int, isHighFirst: Bool) -> [UInt8] {
    let all = samples.flatMap { sample in
      (0..<bits).map { sample >> (isHighFirst ? bits - 1 - $0 : $0) & 1 }
    }
    return stride(from: 0, to: all.count, by: 8).map { start in
      let byte = all[start..<min(start + 8, all.count)]
      return byte.enumerated().reduce(0) {
        $0 | UInt8($1.element << (isHighFirst ? 7 - $1.offset : $1.offset))
      }
    }
  }

  private func pixels(everyColumn: Int = 1, everyRow: Int = 1) -> [(x: Int, y: Int)] {
    stride(from: 0, to: Self.height, by: everyRow).flatMap { y in
      stride(from: 0, to: Self.width, by: everyColumn).map { (x: $0, y: y) }
    }
  }

  /// MIPI CSI-2: the high eight bits of each sample of a group, then the low ones, the first sample's lowest.
  private static func mipi(_ samples: [Int], bits: Int) -> [UInt8] {
    let group = bits == 12 ? 2 : 4
    return stride(from: 0, to: samples.count, by: group).flatMap { start in
      let members = samples[start..<start + group]
      var low: [Int] = members.flatMap { sample in (0..<bits - 8).map { sample >> $0 & 1 } }
      var bytes = members.map { UInt8($0 >> (bits - 8)) }
      while !low.isEmpty {
        bytes.append(UInt8(low.prefix(8).enumerated().reduce(0) { $0 | $1.element << $1.offset }))
        low.removeFirst(8)
      }
      return bytes
    }
  }

  static let packed422 = ["YUYV": "YUYV", "UYVY": "UYVY", "YVYU": "YVYU", "VYUY": "VYUY"]
  /// The bits of samples that are the highest ones of words.
  static let deepBits = ["P010": 10, "P012": 12, "PM12": 12, "Y012": 12, "Y212": 12, "Y312": 12, "Y216": 16]
  /// The words of two pixels, or of one.
  static let packedWords = ["Y212": "YUYV", "Y216": "YUYV", "Y312": "YUV"]
  /// Formats whose masters are those of others: with planes in separate memory, and Apple's names.
  static let equals = [
    "NM12": "NV12", "NM21": "NV21", "NM16": "NV16", "NM61": "NV61", "YM12": "YU12", "YM21": "YV12",
    "YM16": "422P",
    "420v": "NV12", "420f": "NV12",
  ]
  /// The planes after luma, and the numbers of luma's columns and rows for each of theirs.
  static let planar: [String: ([String], Int, Int)] = [
    "NV12": (["UV"], 2, 2), "NV21": (["VU"], 2, 2), "NV16": (["UV"], 2, 1), "NV61": (["VU"], 2, 1),
    "NV24": (["UV"], 1, 1), "NV42": (["VU"], 1, 1), "P010": (["UV"], 2, 2),
    "P012": (["UV"], 2, 2), "PM12": (["UV"], 2, 2),
    "YU12": (["U", "V"], 2, 2), "YV12": (["V", "U"], 2, 2), "422P": (["U", "V"], 2, 1),
    "YM61": (["V", "U"], 2, 1), "YM24": (["U", "V"], 1, 1), "YM42": (["V", "U"], 1, 1),
    "YUV9": (["U", "V"], 4, 4), "YVU9": (["V", "U"], 4, 4), "411P": (["U", "V"], 4, 1),
  ]
  /// Pixels that are one number, by its bits from the highest, and whether the highest byte is first.
  static let fields: [String: (String, Bool)] = [
    "RGB1": ("rrrgggbb", false), "R444": ("xxxxrrrrggggbbbb", false), "AR12": ("aaaarrrrggggbbbb", false),
    "XR12": ("xxxxrrrrggggbbbb", false), "RA12": ("rrrrggggbbbbaaaa", false),
    "RX12": ("rrrrggggbbbbxxxx", false), "AB12": ("aaaabbbbggggrrrr", false),
    "XB12": ("xxxxbbbbggggrrrr", false), "GA12": ("bbbbggggrrrraaaa", false),
    "BX12": ("bbbbggggrrrrxxxx", false), "RGBO": ("arrrrrgggggbbbbb", false),
    "AR15": ("arrrrrgggggbbbbb", false), "XR15": ("xrrrrrgggggbbbbb", false),
    "RA15": ("rrrrrgggggbbbbba", false), "RX15": ("rrrrrgggggbbbbbx", false),
    "AB15": ("abbbbbgggggrrrrr", false), "XB15": ("xbbbbbgggggrrrrr", false),
    "BA15": ("bbbbbgggggrrrrra", false), "BX15": ("bbbbbgggggrrrrrx", false),
    "RGBP": ("rrrrrggggggbbbbb", false), "RGBR": ("rrrrrggggggbbbbb", true),
    "RGBQ": ("arrrrrgggggbbbbb", true), "AR15-BE": ("arrrrrgggggbbbbb", true),
    "XR15-BE": ("xrrrrrgggggbbbbb", true), "BGRH": ("bbbbbbggggggrrrrrrxxxxxxxxxxxxxx", true),
    "Y444": ("xxxxyyyyuuuuvvvv", false), "YUVO": ("ayyyyyuuuuuvvvvv", false),
    "YUVP": ("yyyyyuuuuuuvvvvv", false), "YUV3": ("yyyyyyyyuuuuuuuuvvvvvvvv", true),
    "YUV4": ("aaaaaaaayyyyyyyyuuuuuuuuvvvvvvvv", true), "AYUV": ("aaaaaaaayyyyyyyyuuuuuuuuvvvvvvvv", true),
    "XYUV": ("xxxxxxxxyyyyyyyyuuuuuuuuvvvvvvvv", true), "VUYA": ("vvvvvvvvuuuuuuuuyyyyyyyyaaaaaaaa", true),
    "VUYX": ("vvvvvvvvuuuuuuuuyyyyyyyyxxxxxxxx", true), "YUVA": ("yyyyyyyyuuuuuuuuvvvvvvvvaaaaaaaa", true),
    "YUVX": ("yyyyyyyyuuuuuuuuvvvvvvvvxxxxxxxx", true),
  ]
  /// Samples as a stream of bits: the order of the bits, the samples of a group, and the bytes after them.
  static let streams: [String: (isHighFirst: Bool, samples: Int, padding: Int)] = {
    var streams = ["Y10B": (isHighFirst: true, samples: 4, padding: 0)]
    for code in ["ip3y", "ip3b", "ip3g", "ip3G", "ip3r"] { streams[code] = (false, 25, 0) }
    return streams
  }()
  static let packedRGB = [
    "RGB3": "RGB", "BGR3": "BGR", "XR24": "BGRX", "BX24": "XRGB", "RX24": "XBGR", "XB24": "RGBX",
    "RGB4": "XRGB", "BGR4": "BGRX", "AR24": "BGRA", "BA24": "ARGB", "RA24": "ABGR", "AB24": "RGBA",
  ]
  /// The order of the colours, the bits, and whether MIPI packs them.
  static let sensor: [String: (String, Int, Bool)] = {
    var formats: [String: (String, Int, Bool)] = [
      "GREY": ("", 8, false), "Y10 ": ("", 10, false), "Y12 ": ("", 12, false), "Y14 ": ("", 14, false),
      "Y16 ": ("", 16, false), "Y16 -BE": ("", 16, false), "Z16 ": ("", 16, false),
      "Y012": ("", 12, false),
      "Y10B": ("", 10, true), "ip3y": ("", 10, true), "Y10P": ("", 10, true), "Y12P": ("", 12, true),
      "Y14P": ("", 14, true),
    ]
    let orders = [
      ("BGGR", ["BA81", "BG10", "BG12", "BG14", "BYR2", "pBAA", "pBCC", "pBEE", "ip3b"]),
      ("GBRG", ["GBRG", "GB10", "GB12", "GB14", "GB16", "pGAA", "pGCC", "pGEE", "ip3g"]),
      ("GRBG", ["GRBG", "BA10", "BA12", "GR14", "GR16", "pgAA", "pgCC", "pgEE", "ip3G"]),
      ("RGGB", ["RGGB", "RG10", "RG12", "RG14", "RG16", "pRAA", "pRCC", "pREE", "ip3r"]),
    ]
    for (order, codes) in orders {
      for (index, code) in codes.enumerated() {
        formats[code] = (order, [8, 10, 12, 14, 16, 10, 12, 14, 10][index], index > 4)
      }
    }
    return formats
  }()
}
