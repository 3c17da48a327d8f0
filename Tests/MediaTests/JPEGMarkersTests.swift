import Testing

@testable import Media

@Suite("A JPEG's markers")
struct JPEGMarkersTests {
  private func isWhole(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes(JPEGMarkers.haveBothEnds) }

  @Test(
    "have both ends, also with padding or junk behind them",
    arguments: [
      [0xff, 0xd8, 1, 2, 0xff, 0xd9], [0xff, 0xd8, 1, 0xff, 0xd9, 0, 0, 0, 0], [0xff, 0xd8, 0xff, 0xd9],
      [0xff, 0xd8, 1, 0xff, 0xd9, 7, 8, 9],
    ] as [[UInt8]])
  func whole(_ bytes: [UInt8]) { #expect(isWhole(bytes)) }

  @Test(
    "lack an end where it was cut off, or is no JPEG",
    arguments: [
      [], [0xff], [0xff, 0xd8], [0xff, 0xd8, 0xff], [0xff, 0xd8, 1, 2, 0xff, 0x00], [0, 0, 0, 0, 0xff, 0xd9],
      [0xff, 0xd8, 0, 0, 0, 0],
    ] as [[UInt8]])
  func broken(_ bytes: [UInt8]) { #expect(!isWhole(bytes)) }

  /// Fill bytes before a marker, one that stands alone, and a scan.
  private static let header: [UInt8] =
    [0xff, 0xd8, 0xff, 0xff, 0xdb, 0, 3, 7, 0xff, 0x01, 0xff, 0xc4, 0, 2, 0xff, 0xda, 0, 3, 9]

  @Test("are read up to the first scan, each from the 0xff before it on")
  func header() {
    let found = JPEGMarkers.header(of: Self.header + [1, 2, 0xff, 0xc4, 0, 2, 0xff, 0xd9])
    #expect(found.map(\.marker.rawValue) == [0xdb, 0x01, 0xc4, 0xda])
    #expect(found.map(\.range) == [3..<8, 8..<10, 10..<14, 14..<19])
    #expect(found.map(\.payload) == [7..<8, 10..<10, 14..<14, 18..<19])
  }

  @Test("are none of what is cut off, wherever that is")
  func cutOff() {
    for count in 0..<Self.header.count {
      let found = JPEGMarkers.header(of: Array(Self.header.prefix(count)))
      #expect(found.allSatisfy { $0.range.upperBound <= count && $0.marker != .startOfScan })
    }
  }
}
