/// The digits 0 to 9 as five columns by seven rows of dots.
enum DigitFont {
  static let columns = 5
  static let rows = 7
  /// From the first column of one digit to that of the next.
  static let advance = 6

  /// One row of `digit`; the leftmost dot is bit 4.
  static func dots(digit: Int, row: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: glyphs[digit] >> UInt64(columns * (rows - 1 - row))) & 0b11111
  }

  // Seven rows of five bits each, the top row first. A tuple's worth of integers rather than strings, as they
  // are read in the frame path.
  private static let glyphs: InlineArray<10, UInt64> = [
    0b01110_10001_10011_10101_11001_10001_01110,
    0b00100_01100_00100_00100_00100_00100_01110,
    0b01110_10001_00001_00010_00100_01000_11111,
    0b11111_00010_00100_00010_00001_10001_01110,
    0b00010_00110_01010_10010_11111_00010_00010,
    0b11111_10000_11110_00001_00001_10001_01110,
    0b00110_01000_10000_11110_10001_10001_01110,
    0b11111_00001_00010_00100_01000_01000_01000,
    0b01110_10001_10001_01110_10001_10001_01110,
    0b01110_10001_10001_01111_00001_00010_01100,
  ]
}
