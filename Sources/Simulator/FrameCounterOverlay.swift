import Media

/// The part of the picture that shows the frame's number: the frame strip and, below it, the number in
/// digits.
///
/// Both consist of flat blocks of 8x8 pixels. A line is a run of identical pixel rows, so a few lines
/// describe a frame's overlay: line 0 is the strip, lines 1 to 7 are the digits' rows of dots.
struct FrameCounterOverlay {
  /// The side of a flat block in pixels.
  static let blockSize = 8
  /// The luma around the digits.
  static let ground: UInt8 = 28
  private static let mostDigits = 8

  /// The pixel rows of each line, from top to bottom, in whole blocks; the last line may extend below the
  /// picture.
  let lines: [Range<Int>]
  /// The height of the strip, the digits and their margins in pixels, in whole blocks.
  let height: Int
  /// The number of blocks in a line.
  let blocksPerLine: Int
  private let blocksPerCell: Int
  private let blocksPerDot: Int
  private let digitCount: Int

  /// Creates the overlay for pictures of this size.
  init(width: Int, height: Int) {
    let cell = FrameStrip.cellSize(width: width)
    let dot = Self.blockSize * max(1, min(width / 640, height / 360))
    var lines = [0..<cell]
    for row in 0..<DotFont.rows {
      let top = cell + dot * (1 + row)
      lines.append(top..<top + dot)
    }
    self.lines = lines.filter { $0.lowerBound < height }
    self.height = cell + dot * (DotFont.rows + 2)
    self.blocksPerLine = (width + Self.blockSize - 1) / Self.blockSize
    self.blocksPerCell = cell / Self.blockSize
    self.blocksPerDot = dot / Self.blockSize
    self.digitCount = max(1, min(Self.mostDigits, (blocksPerLine / blocksPerDot - 1) / DotFont.advance))
  }

  /// Writes the luma of every block of `line` in frame `number` to `levels`, which holds ``blocksPerLine``
  /// values.
  func fill(line: Int, number: UInt32, into levels: UnsafeMutablePointer<UInt8>) {
    levels.update(repeating: Self.ground, count: blocksPerLine)
    if line == 0 {
      fillStrip(number, into: levels)
    } else {
      fillDots(row: line - 1, number, into: levels)
    }
  }

  private func fillStrip(_ number: UInt32, into levels: UnsafeMutablePointer<UInt8>) {
    let word = FrameStrip.word(number: number)
    for block in 0..<min(blocksPerLine, FrameStrip.cellCount * blocksPerCell) {
      let bit = word << UInt32(block / blocksPerCell) & 0x8000_0000
      levels[block] = bit != 0 ? FrameStrip.white : FrameStrip.black
    }
  }

  private func fillDots(row: Int, _ number: UInt32, into levels: UnsafeMutablePointer<UInt8>) {
    var rest = number
    for place in (0..<digitCount).reversed() {
      let dots = DotFont.dots(digit: Int(rest % 10), row: row)
      rest /= 10
      for column in 0..<DotFont.columns where dots >> UInt8(DotFont.columns - 1 - column) & 1 != 0 {
        let first = (1 + place * DotFont.advance + column) * blocksPerDot
        for block in first..<first + blocksPerDot where block < blocksPerLine {
          levels[block] = FrameStrip.white
        }
      }
    }
  }
}
