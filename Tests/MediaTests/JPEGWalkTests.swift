import FrameJudge
import Testing

@testable import Media

@Suite("A walk along a JPEG's markers")
struct JPEGWalkTests {
  /// SOI, a segment with the ends of a whole JPEG, SOF0 of 320x240, a scan with stuffing and a restart, EOI.
  private static let jpeg: [UInt8] =
    [0xff, 0xd8, 0xff, 0xe1, 0, 8, 0xff, 0xd8, 0xff, 0xd9, 1, 2]
    + [0xff, 0xff, 0xc0, 0, 9, 8, 0, 240, 1, 64, 1, 0]
    + [0xff, 0xda, 0, 4, 7, 7, 1, 2, 0xff, 0x00, 3, 0xff, 0xd3, 4, 0xff, 0xd9]

  private func walk(_ bytes: [UInt8]) -> JPEGWalk { JPEGWalk(bytes.span) }

  @Test("ends at its own EOI, not at a thumbnail's or a later one")
  func whole() {
    let expected = JPEGWalk.whole(byteCount: Self.jpeg.count, width: 320, height: 240)
    #expect(walk(Self.jpeg) == expected)
    #expect(walk(Self.jpeg + Self.jpeg) == expected)
    #expect(walk(Self.jpeg + [0, 0, 0xff]) == expected)
  }

  @Test("is unfinished wherever it is cut off")
  func unfinished() {
    for count in 0..<Self.jpeg.count { #expect(walk(Array(Self.jpeg.prefix(count))) == .unfinished) }
  }

  @Test("finds no JPEG in other bytes, or if the next one cuts it off")
  func none() {
    #expect(walk([1, 2, 3, 4]) == .none)
    #expect(walk([0xff, 0xd8, 0x00]) == .none)
    #expect(walk([0xff, 0xd8, 0xff, 0xd9]) == .none)
    #expect(walk([0xff, 0xd8, 0xff, 0xe0, 0, 1]) == .none)
    #expect(walk(Array(Self.jpeg.dropLast(2)) + Self.jpeg) == .none)
  }

  @Test("ends within the data for any bytes")
  func hostile() {
    var random = SplitMix(state: 5)
    for _ in 0..<5000 {
      var bytes = Self.jpeg
      for _ in 0..<4 {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if case .whole(let count, _, _) = walk(bytes) { #expect(count <= bytes.count) }
    }
  }
}
