import Media
import Testing

@testable import Simulator

@Suite struct SimulatedStripTests {
  // By hand: 1 shifted through is the polynomial itself, and the checksum is linear.
  @Test(arguments: [(UInt32(0), UInt32(0)), (1, 0x107), (2, 0x20e), (3, 0x309), (7, 0x715)])
  func theWordIsTheNumberAndItsChecksum(number: UInt32, word: UInt32) {
    #expect(FrameStrip.word(number: number) == word)
  }

  @Test(arguments: [(160, 8), (256, 8), (511, 8), (512, 16), (640, 16), (1280, 40), (1920, 56), (3840, 120)])
  func cellsGrowWithTheWidth(width: Int, side: Int) {
    #expect(FrameStrip.cellSize(width: width) == side)
  }

  private static func strip(_ word: UInt32, width: Int = 256) -> [UInt8] {
    let cell = FrameStrip.cellSize(width: width)
    return (0..<cell * width).map { index in
      let place = index % width / cell
      return place < 32 && word >> UInt32(31 - place) & 1 != 0 ? 235 : 16
    }
  }

  @Test(arguments: [256, 300, 640, 1280])
  func aStripIsReadBack(width: Int) {
    let luma = Self.strip(0x715, width: width)
    #expect(FrameStrip.number(inLuma: luma.span, stride: width, width: width) == 7)
  }

  @Test(arguments: 0..<32)
  func oneWrongCellIsNoticed(cell: Int) {
    let luma = Self.strip(0x715 ^ 1 << UInt32(cell))
    #expect(FrameStrip.number(inLuma: luma.span, stride: 256, width: 256) == nil)
  }

  @Test func aPictureWithoutAWholeStripHasNoNumber() {
    let luma = Self.strip(0x715)
    #expect(FrameStrip.number(inLuma: luma.span, stride: 248, width: 248) == nil)
    #expect(FrameStrip.number(inLuma: luma.span.extracting(first: 3 * 256), stride: 256, width: 256) == nil)
    #expect(FrameStrip.number(inLuma: [UInt8]().span, stride: 256, width: 256) == nil)
  }

  @Test(arguments: 0...9)
  func everyDigitHasItsOwnDots(digit: Int) {
    let rows = (0..<DotFont.rows).map { DotFont.dots(digit: digit, row: $0) }
    #expect(rows.allSatisfy { $0 < 32 } && rows.contains { $0 != 0 })
    for other in 0..<digit {
      #expect(rows != (0..<DotFont.rows).map { DotFont.dots(digit: other, row: $0) })
    }
  }
}
