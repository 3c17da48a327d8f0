/// A font of digits and the other characters of times and rates, as five columns by seven rows of dots.
package enum DotFont {
  /// The dots across a glyph.
  package static let columns = 5
  /// The dots down a glyph.
  package static let rows = 7
  /// The dots from the first column of one glyph to that of the next.
  package static let advance = 6

  /// Returns one row of `digit`, 0 to 9; the leftmost dot is bit 4.
  package static func dots(digit: Int, row: Int) -> UInt8 { dots(digits[digit], row: row) }

  /// Returns one row of an ASCII character; the leftmost dot is bit 4. Characters without a glyph are empty.
  package static func dots(of character: UInt8, row: Int) -> UInt8 {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): dots(digit: Int(character - UInt8(ascii: "0")), row: row)
    default: dots(others[character] ?? 0, row: row)
    }
  }

  private static func dots(_ glyph: UInt64, row: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: glyph >> UInt64(columns * (rows - 1 - row))) & 0b11111
  }

  // Seven rows of five bits each, the top row first. Integers rather than strings, because they are read in
  // the frame path.
  private static let digits: InlineArray<10, UInt64> = [
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

  private static let others: [UInt8: UInt64] = [
    UInt8(ascii: "."): 0b00000_00000_00000_00000_00000_01100_01100,
    UInt8(ascii: "-"): 0b00000_00000_00000_11111_00000_00000_00000,
    UInt8(ascii: "+"): 0b00000_00100_00100_11111_00100_00100_00000,
    UInt8(ascii: "#"): 0b01010_01010_11111_01010_11111_01010_01010,
    UInt8(ascii: "f"): 0b00110_01001_01000_11100_01000_01000_01000,
    UInt8(ascii: "p"): 0b00000_00000_11110_10001_11110_10000_10000,
    UInt8(ascii: "s"): 0b00000_00000_01111_10000_01110_00001_11110,
    UInt8(ascii: "t"): 0b01000_01000_11100_01000_01000_01001_00110,
    UInt8(ascii: "r"): 0b00000_00000_10110_11001_10000_10000_10000,
    UInt8(ascii: "i"): 0b00100_00000_01100_00100_00100_00100_01110,
    UInt8(ascii: "g"): 0b00000_01111_10001_10001_01111_00001_01110,
    UInt8(ascii: "e"): 0b00000_00000_01110_10001_11111_10000_01110,
  ]
}
