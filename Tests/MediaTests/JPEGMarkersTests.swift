import Testing

@testable import Media

@Suite("A JPEG's markers")
struct JPEGMarkersTests {
  private func isWhole(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes(JPEGMarkers.haveBothEnds) }

  @Test(
    "include both ends, even with padding or junk after them",
    arguments: [
      [0xff, 0xd8, 1, 2, 0xff, 0xd9], [0xff, 0xd8, 1, 0xff, 0xd9, 0, 0, 0, 0], [0xff, 0xd8, 0xff, 0xd9],
      [0xff, 0xd8, 1, 0xff, 0xd9, 7, 8, 9],
    ] as [[UInt8]])
  func whole(_ bytes: [UInt8]) { #expect(isWhole(bytes)) }

  @Test(
    "lack an end if the file is cut off or not a JPEG",
    arguments: [
      [], [0xff], [0xff, 0xd8], [0xff, 0xd8, 0xff], [0xff, 0xd8, 1, 2, 0xff, 0x00], [0, 0, 0, 0, 0xff, 0xd9],
      [0xff, 0xd8, 0, 0, 0, 0],
    ] as [[UInt8]])
  func broken(_ bytes: [UInt8]) { #expect(!isWhole(bytes)) }

  /// Fill bytes before a marker, a marker without a payload, and a scan.
  private static let header: [UInt8] =
    [0xff, 0xd8, 0xff, 0xff, 0xdb, 0, 3, 7, 0xff, 0x01, 0xff, 0xc4, 0, 2, 0xff, 0xda, 0, 3, 9]

  @Test("are read up to the first scan, each including its 0xff")
  func header() {
    let found = JPEGMarkers.header(of: Self.header + [1, 2, 0xff, 0xc4, 0, 2, 0xff, 0xd9])
    #expect(found.map(\.marker.rawValue) == [0xdb, 0x01, 0xc4, 0xda])
    #expect(found.map(\.range) == [3..<8, 8..<10, 10..<14, 14..<19])
    #expect(found.map(\.payload) == [7..<8, 10..<10, 14..<14, 18..<19])
  }

  @Test("never extend beyond the end of a cut-off header")
  func cutOff() {
    for count in 0..<Self.header.count {
      let found = JPEGMarkers.header(of: Array(Self.header.prefix(count)))
      #expect(found.allSatisfy { $0.range.upperBound <= count && $0.marker != .startOfScan })
    }
  }
}
