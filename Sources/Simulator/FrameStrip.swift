/// The frame number in a form that a machine can read after any codec; every simulated frame shows it.
///
/// The strip consists of 32 square cells in a row from the top left corner, white for 1 and black for 0, with
/// the most significant bit first: 24 bits of frame number, then their CRC-8 (polynomial 0x07, initial value
/// 0).
package enum FrameStrip {
  /// The number of cells in a strip.
  package static let cellCount = 32
  /// The width of the narrowest picture that holds a whole strip, in pixels.
  package static let narrowestWidth = 256
  /// The luma of a 1.
  package static let white: UInt8 = 235
  /// The luma of a 0.
  package static let black: UInt8 = 16

  private static let threshold: UInt8 = 126

  /// Returns the side of a cell in pixels, in a picture of this width.
  package static func cellSize(width: Int) -> Int { 8 * max(1, width / narrowestWidth) }

  /// Returns the 32 bits of the strip of frame `number`, truncated to its low 24 bits.
  package static func word(number: UInt32) -> UInt32 {
    let kept = number & 0xff_ffff
    return kept << 8 | UInt32(checksum(of: kept))
  }

  /// Returns the number in a picture's strip; `nil` if the checksum does not match or the strip is
  /// incomplete.
  ///
  /// - Parameters:
  ///   - luma: Rows of luma, one byte per pixel; only the strip's rows are needed.
  ///   - stride: Bytes from one row to the next.
  ///   - width: The picture's width in pixels.
  package static func number(inLuma luma: Span<UInt8>, stride: Int, width: Int) -> UInt32? {
    let cell = cellSize(width: width)
    let centre = cell / 2 * stride + cell / 2
    guard width >= narrowestWidth, luma.count > centre + (cellCount - 1) * cell else { return nil }
    var word: UInt32 = 0
    for index in 0..<cellCount {
      word = word << 1 | (luma[centre + index * cell] > threshold ? 1 : 0)
    }
    let number = word >> 8
    return UInt8(truncatingIfNeeded: word) == checksum(of: number) ? number : nil
  }

  private static func checksum(of number: UInt32) -> UInt8 {
    // The three bytes start at the top of the register, so that the most significant bit leaves it first.
    var register = number << 8
    for _ in 0..<24 {
      register = register & 0x8000_0000 != 0 ? register << 1 ^ 0x0700_0000 : register << 1
    }
    return UInt8(register >> 24)
  }
}
