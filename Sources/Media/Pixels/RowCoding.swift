/// Pixels that are coded one after another in a row, and of which none is a number with three components: those are
/// ``PixelFields``.
enum RowCoding: Hashable, Sendable {
  /// Luma in the low bits of little-endian numbers. The bits above belong to a second picture.
  case low(bits: Int, byteCount: Int)
  /// Luma in the high bits of bytes; the others are 0.
  case high(bits: Int)
  /// Luma in four bits, two pixels in a byte, the first one in the low bits.
  case nibbles
  /// Cb and Cr of every two pixels, without luma.
  case chroma
  /// Hue in steps of two degrees, saturation and value: the last three bytes of a pixel.
  case hsv(byteCount: Int)
  /// One of 5 x 9 x 5 shades of red, green and blue, numbered from 16 on: the highest digit is green's, then comes red.
  case cube

  /// Returns the bytes of a row of `width` pixels, without padding at its end.
  func byteCount(of width: Int) -> Int {
    switch self {
    case .low(_, let byteCount), .hsv(let byteCount): byteCount * width
    case .high, .cube: width
    case .nibbles: (width + 1) / 2
    case .chroma: (width + 1) / 2 * 2
    }
  }

  /// Unpacks a row of `width` pixels.
  ///
  /// - Parameters:
  ///   - row: the bytes of the row.
  ///   - width: the number of pixels.
  ///   - targets: the row in each plane of the picture: luma in bytes, or for ``low(bits:byteCount:)`` in words that use
  ///     all 16 bits; luma and chroma of 4:2:2 for ``chroma``; red, green and blue for ``hsv(byteCount:)`` and ``cube``.
  func unpack(_ row: UnsafePointer<UInt8>, width: Int, to targets: [UnsafeMutablePointer<UInt8>]) {
    let target = targets[0]
    switch self {
    case .low(let bits, let byteCount):
      for column in 0..<width {
        let low = UInt32(row[byteCount * column]), high = UInt32(row[byteCount * column + 1])
        let word = (low | high << 8) << UInt32(16 - bits)
        target[2 * column] = UInt8(truncatingIfNeeded: word)
        target[2 * column + 1] = UInt8(truncatingIfNeeded: word >> 8)
      }
    case .high(let bits):
      let (shift, top) = (8 - bits, 1 << bits - 1)
      for column in 0..<width { target[column] = UInt8(Int(row[column]) >> shift * 255 / top) }
    case .nibbles:
      for column in 0..<width { target[column] = (row[column / 2] >> UInt8(column % 2 * 4) & 15) * 17 }
    case .chroma:
      target.update(repeating: 128, count: width)
      for index in 0..<(width + 1) / 2 {
        (targets[1][index], targets[2][index]) = (row[2 * index], row[2 * index + 1])
      }
    case .hsv(let byteCount):
      for column in 0..<width {
        let pixel = row + byteCount * (column + 1) - 3
        let colour = Self.colour(hue: Int(pixel[0]) % 180, saturation: Int(pixel[1]), value: Int(pixel[2]))
        (target[3 * column], target[3 * column + 1], target[3 * column + 2]) = colour
      }
    case .cube:
      for column in 0..<width {
        let index = min(max(Int(row[column]) - 16, 0), 224)
        target[3 * column] = UInt8((index / 5 % 5 * 255 + 2) / 4)
        target[3 * column + 1] = UInt8((index / 25 * 255 + 4) / 8)
        target[3 * column + 2] = UInt8((index % 5 * 255 + 2) / 4)
      }
    }
  }

  /// Returns red, green and blue of a hue from 0 to 179, with a saturation and a value from 0 to 255.
  private static func colour(hue: Int, saturation: Int, value: Int) -> (UInt8, UInt8, UInt8) {
    // Between two of the six corners of the hues, one colour rises or falls over 30 steps.
    let (corner, step) = hue.quotientAndRemainder(dividingBy: 30)
    func level(_ part: Int) -> UInt8 {
      UInt8((value * (255 * 30 - saturation * part) + 255 * 15) / (255 * 30))
    }
    let (top, low, falling, rising) = (UInt8(value), level(30), level(step), level(30 - step))
    return switch corner {
    case 0: (top, rising, low)
    case 1: (falling, top, low)
    case 2: (low, top, rising)
    case 3: (low, falling, top)
    case 4: (rising, low, top)
    default: (top, low, falling)
    }
  }
}
