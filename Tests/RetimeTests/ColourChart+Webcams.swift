/// The chart as webcams of the years before 2010 code it, and in V4L2's other unusual formats: written from what their
/// decoders expect, with codes that need no search.
extension ColourChart {
  /// Returns the frame in the format that V4L2 calls `fourcc`; `nil` if it is not one of these.
  func unusualFrame(_ fourcc: String) -> [UInt8]? {
    switch fourcc {
    case "S501": rows("YUYV").map { $0 ^ 0x80 }
    case "S505": rows("YYUV").map { $0 ^ 0x80 }
    case "S508": rows("YUVY").map { $0 ^ 0x80 }
    case "CITV": rows("YP")
    case "KONI": pieces()
    case "S920": blocks()
    case "S680":
      mosaic("RGGB").flatMap { row in
        [0, 1].flatMap { half in stride(from: half, to: row.count, by: 2).map { row[$0] } }
      }
    case "Y04 ": grey(15).map { UInt8($0 << 4) }
    case "Y06 ": grey(63).map { UInt8($0 << 2) }
    case "PAL8": grey(255).map { UInt8($0) }
    case "CNF4": pairs(grey(15)).map { UInt8($0 | $1 << 4) }
    // The second picture is white where the first one is black.
    case "Y8I ": grey(255).flatMap { [UInt8($0), UInt8(255 - $0)] }
    case "Y12I": grey(4095).flatMap { Self.little($0 | (4095 - $0) << 12, bytes: 3) }
    case "Y16I": grey(65535).flatMap { Self.little($0 | (65535 - $0) << 16, bytes: 4) }
    case "INZI":
      grey(1023).flatMap { Self.little($0, bytes: 2) }
        + [UInt8](repeating: 0x55, count: 2 * Self.width * Self.height)
    case "HSV3": places().flatMap { Self.hsv(rgb($0, $1)) }
    case "HSV4": places().flatMap { [0x55] + Self.hsv(rgb($0, $1)) }
    case "HI24":
      places().map { x, y in
        let levels = zip(rgb(x, y), [4.0, 8, 4]).map { Int(($0 * $1).rounded()) }
        return UInt8(16 + 25 * levels[1] + 5 * levels[0] + levels[2])
      }
    case "RGB6": words([0, 1, 2], top: 65535)
    case "BGR6": words([2, 1, 0], top: 65535)
    case "B312": words([2, 1, 0], top: 4095, shift: 4)
    case "B412": words([2, 1, 0, nil], top: 4095, shift: 4)
    case "S910", "M310", "SONX": codedMosaic(fourcc)
    case "P207": codedRows()
    case "905C": steppedMosaic()
    case "S401": codedPixels()
    case "PJPG": pixart()
    default: nil
    }
  }

  /// Luma or chroma of a pixel in 8 bits.
  private func byte(_ channel: Int, _ x: Int, _ y: Int) -> UInt8 { UInt8(sample(channel, x, y)) }

  private func places() -> [(Int, Int)] {
    (0..<Self.height).flatMap { y in (0..<Self.width).map { ($0, y) } }
  }

  /// Luma from 0 to `top`.
  private func grey(_ top: Double) -> [Int] {
    places().map { Int((coding.luma(rgb($0, $1))[0] * top).rounded()) }
  }

  private func pairs(_ samples: [Int]) -> [(Int, Int)] {
    stride(from: 0, to: samples.count, by: 2).map { (samples[$0], samples[$0 + 1]) }
  }

  private static func little(_ number: Int, bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  /// Channels of a pixel as little-endian words; `nil` for one without meaning.
  private func words(_ order: [Int?], top: Double, shift: Int = 0) -> [UInt8] {
    places().flatMap { x, y in
      order.flatMap { channel in
        Self.little(channel.map { Int((rgb(x, y)[$0] * top).rounded()) << shift } ?? 65535, bytes: 2)
      }
    }
  }

  /// Hue from 0 to 179, saturation and value.
  private static func hsv(_ rgb: [Double]) -> [UInt8] {
    let (top, low) = (rgb.max() ?? 0, rgb.min() ?? 0)
    let range = top - low
    guard range > 0 else { return [0, 0, UInt8((top * 255).rounded())] }
    let hue =
      rgb[0] == top
      ? (rgb[1] - rgb[2]) / range
      : rgb[1] == top ? 2 + (rgb[2] - rgb[0]) / range : 4 + (rgb[0] - rgb[1]) / range
    return [
      UInt8((Int((hue * 30).rounded()) + 180) % 180), UInt8((range / top * 255).rounded()),
      UInt8((top * 255).rounded()),
    ]
  }

  // MARK: Orders of bytes

  /// `Y`: a row of luma; `U` and `V`: rows of chroma for two; `P`: Cr Y Cb Y.
  private func rows(_ order: String) -> [UInt8] {
    stride(from: 0, to: Self.height, by: 2).flatMap { top -> [UInt8] in
      var y = top
      return order.flatMap { letter -> [UInt8] in
        defer { if letter == "Y" || letter == "P" { y += 1 } }
        switch letter {
        case "Y": return (0..<Self.width).map { byte(0, $0, y) }
        case "P":
          return stride(from: 0, to: Self.width, by: 2).flatMap { x in
            [byte(2, x, top), byte(0, x, y), byte(1, x, top), byte(0, x + 1, y)]
          }
        default: return stride(from: 0, to: Self.width, by: 2).map { byte(letter == "U" ? 1 : 2, $0, top) }
        }
      }
    }
  }

  private func pieces() -> [UInt8] {
    let planes = (0..<3).map { channel -> [UInt8] in
      let step = channel == 0 ? 1 : 2
      return stride(from: 0, to: Self.height, by: step).flatMap { y in
        stride(from: 0, to: Self.width, by: step).map { byte(channel, $0, y) }
      }
    }
    let counts = [256, 64, 64]
    return (0..<planes[0].count / 256).flatMap { index -> [UInt8] in
      zip(planes, counts).flatMap { plane, count -> ArraySlice<UInt8> in
        plane[index * count..<(index + 1) * count]
      }
    }
  }

  private func blocks() -> [UInt8] {
    stride(from: 0, to: Self.height, by: 8).flatMap { top in
      stride(from: 0, to: Self.width, by: 16).flatMap { left -> [UInt8] in
        let luma = [0, 8].flatMap { part in
          (0..<8).flatMap { y in (0..<8).map { byte(0, left + part + $0, top + y) } }
        }
        return luma
          + [1, 2].flatMap { channel in
            (0..<4).flatMap { y in (0..<8).map { byte(channel, left + 2 * $0, top + 2 * y) } }
          }
      }
    }
  }

  private func mosaic(_ order: String) -> [[UInt8]] {
    let letters = Array(order)
    return (0..<Self.height).map { y in
      (0..<Self.width).map { x in
        let letter = letters[y % 2 * 2 + x % 2]
        return UInt8((rgb(x, y)[letter == "R" ? 0 : letter == "G" ? 1 : 2] * 255).rounded())
      }
    }
  }

  // MARK: Compression

  /// Values of four or five bits by the code that states them, after two bytes at the start of rows.
  private func codedMosaic(_ fourcc: String) -> [UInt8] {
    let (prefix, bits) = fourcc == "S910" ? ("1110", 4) : ("11101", 5)
    var code = BitWriter()
    for (y, row) in mosaic("BGGR").enumerated() {
      for (x, value) in row.enumerated() {
        if x < 2, y < 2 || fourcc == "SONX" {
          code.write(Int(value), bits: 8)
        } else {
          code.write(prefix)
          code.write(Int(value) >> (8 - bits), bits: bits)
        }
      }
    }
    let margin = [UInt8](repeating: 0, count: fourcc == "S910" ? 0 : 12)
    return margin + code.bytes + margin
  }

  /// Rows that are stored, compressed with values of 6 and 4 bits, or copies of the row two above.
  private func codedRows() -> [UInt8] {
    let rows = mosaic("BGGR")
    return rows.enumerated().flatMap { y, row -> [UInt8] in
      if y >= 2, y % 4 == 3, rows[y - 2] == row { return [0x4b, 0xb4] }
      guard y % 4 > 0 else { return [0x0f, 0xf0] + row }
      let (mark, bits) = y % 4 == 1 ? (0x1ee1, 6) : (0x3cc3, 4)
      var code = BitWriter()
      code.write(mark, bits: 16)
      for value in row.prefix(2) { code.write(Int(value), bits: 8) }
      for value in row.dropFirst(2) {
        code.write("11111")
        code.write(Int(value) >> (8 - bits), bits: bits)
      }
      return code.bytes + [UInt8](repeating: 0, count: code.bytes.count % 2)
    }
  }

  /// Steps from the mean of the sample to the left and one above, of which the nearest is taken.
  private func steppedMosaic() -> [UInt8] {
    let steps = [-144, -110, -77, -53, -35, -21, -11, -3, 2, 10, 20, 34, 52, 76, 110, 144]
    let short = [8: "0", 7: "10", 9: "110", 6: "1110"]
    let long = [10, 11, 12, 13, 14, 15, 5, 4, 3, 2, 1, 0]
    var code = BitWriter()
    // The last samples of each colour, with one memory for the greens of both rows.
    var above = [[Int]](repeating: [Int](repeating: 128, count: Self.width), count: 3)
    for (y, row) in mosaic("RGGB").enumerated() {
      var left = [0, 0]
      for (x, value) in row.enumerated() {
        let (index, colour) = (x / 2, y % 2 == 0 ? x % 2 : 1 + x % 2)
        let isNext = y % 2 == 0 && x % 2 == 1
        let near = above[colour][isNext && (index == 0 || x < Self.width - 1) ? index + 1 : index]
        let predicted = index == 0 ? near : (near + left[x % 2]) / 2
        let results = steps.map { min(max(predicted + $0, 0), 255) }
        let best = results.indices.min { abs(results[$0] - Int(value)) < abs(results[$1] - Int(value)) } ?? 0
        (above[colour][index], left[x % 2]) = (results[best], results[best])
        if let word = short[best] {
          code.write(word)
        } else {
          code.write(0xf0 + (long.firstIndex(of: best) ?? 0), bits: 8)
        }
      }
    }
    return [UInt8](repeating: 0, count: 0x50) + code.bytes
  }

  /// Differences in steps of 8 from the same colour of the pixel to the left, in packets of 64 pixels.
  private func codedPixels() -> [UInt8] {
    let packets = Self.width * Self.height / 64
    return (0..<packets).flatMap { packet -> [UInt8] in
      var code = BitWriter()
      for pixel in packet * 64..<packet * 64 + 64 {
        let (x, y) = (pixel % Self.width, pixel / Self.width)
        for channel in 0..<3 {
          let (here, left) = (rgb(x, y)[channel], x == 0 ? 0 : rgb(x - 1, y)[channel])
          let step = Int((here * 255).rounded()) / 8 - Int((left * 255).rounded()) / 8
          let length = Int.bitWidth - step.magnitude.leadingZeroBitCount
          code.write(String(repeating: "1", count: length) + "0")
          code.write(step < 0 ? step + 1 << length - 1 : step, bits: length)
        }
      }
      let bits = code.count
      var bytes = code.bytes
      bytes += [UInt8](repeating: 0, count: (bits + 15) / 16 * 2 - bytes.count)
      let info = packet == 0 ? 2 : packet == packets - 1 ? 1 : 0
      return [UInt8(info << 6), 64, UInt8(bits >> 8), UInt8(bits & 0xff)] + bytes
    }
  }

  /// A JPEG of blocks without detail, with a byte of quality before every four.
  private func pixart() -> [UInt8] {
    let lumaCodes = ["00", "010", "011", "100", "101", "110", "1110", "11110", "111110"]
    let chromaCodes = ["00", "01", "10", "110", "1110", "11110", "111110", "1111110", "11111110"]
    var code = BitWriter()
    var last = [0, 0, 0]
    func write(_ level: Int, _ channel: Int) {
      let step = level - last[channel]
      last[channel] = level
      let length = Int.bitWidth - step.magnitude.leadingZeroBitCount
      code.write((channel == 0 ? lumaCodes : chromaCodes)[length])
      code.write(step < 0 ? step + 1 << length - 1 : step, bits: length)
      code.write(channel == 0 ? "1010" : "00")
    }
    for y in stride(from: 0, to: Self.height, by: 8) {
      for x in stride(from: 0, to: Self.width, by: 16) {
        code.write(0x20, bits: 8)
        // The steps of the mean are 8 for luma, and 16 for chroma, of eight times the sample.
        for x in [x, x + 8] { write(Int(byte(0, x, y)) - 128, 0) }
        for channel in [1, 2] { write((Int(byte(channel, x, y)) - 128) / 2, channel) }
      }
    }
    let size = [
      UInt8(Self.height >> 8), UInt8(Self.height & 0xff), UInt8(Self.width >> 8), UInt8(Self.width & 0xff),
    ]
    let scan = code.bytes.flatMap { $0 == 0xff ? [0xff, 0] : [$0] }
    return [0xff, 0xd8, 0xff, 0xc0, 0, 17, 8] + size
      + [3, 1, 0x21, 0, 2, 0x11, 1, 3, 0x11, 1, 0xff, 0xda, 0, 12, 3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0, 0x60]
      + scan + [0xff, 0xd9]
  }
}

/// A stream of bits, from the highest of the first byte.
private struct BitWriter {
  private(set) var bytes: [UInt8] = []
  private(set) var count = 0

  mutating func write(_ number: Int, bits: Int) {
    for bit in (0..<bits).reversed() { append(number >> bit & 1 == 1) }
  }

  mutating func write(_ digits: String) {
    for digit in digits { append(digit == "1") }
  }

  private mutating func append(_ bit: Bool) {
    if count % 8 == 0 { bytes.append(0) }
    if bit { bytes[count / 8] |= 0x80 >> UInt8(count % 8) }
    count += 1
  }
}
