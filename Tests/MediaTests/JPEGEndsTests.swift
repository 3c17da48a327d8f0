import Testing

@testable import Media

@Suite("A JPEG that was cut off is told by its ends")
struct JPEGEndsTests {
  private func isWhole(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes(JPEGEnds.areWhole) }

  @Test(
    "whole, also with padding or junk behind it",
    arguments: [
      [0xff, 0xd8, 1, 2, 0xff, 0xd9], [0xff, 0xd8, 1, 0xff, 0xd9, 0, 0, 0, 0], [0xff, 0xd8, 0xff, 0xd9],
      [0xff, 0xd8, 1, 0xff, 0xd9, 7, 8, 9],
    ] as [[UInt8]])
  func whole(_ bytes: [UInt8]) { #expect(isWhole(bytes)) }

  @Test(
    "cut off, or no JPEG",
    arguments: [
      [], [0xff], [0xff, 0xd8], [0xff, 0xd8, 0xff], [0xff, 0xd8, 1, 2, 0xff, 0x00], [0, 0, 0, 0, 0xff, 0xd9],
      [0xff, 0xd8, 0, 0, 0, 0],
    ] as [[UInt8]])
  func broken(_ bytes: [UInt8]) { #expect(!isWhole(bytes)) }
}
