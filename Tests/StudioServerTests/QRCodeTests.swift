import Takes
import Testing

@testable import StudioServer

@Suite("QR codes") struct QRCodeTests {
  private static let long = "http://192.168.1.20:24024/#0" + String(repeating: "0123456789abcdef", count: 20)

  /// The checksums are those of the rows that segno 1.6.6 makes of the same texts; zbarimg reads both.
  @Test("are those of another encoder", arguments: [(134, 41, 0xd52b_05e0), (230, 53, 0xf870_aa09)])
  func known(_ length: Int, _ side: Int, _ checksum: UInt32) throws {
    let code = try #require(QRCode(String(Self.long.prefix(length))))
    #expect(code.side == side && code.rows.count == side)
    #expect(Checksum.crc32(of: Array(code.rows.joined().utf8), from: 0) == checksum)
  }

  @Test("are as small as their text permits, and none is made of none or of too long a text")
  func sizes() {
    let sides = [0, 17, 18, 32, 230, 231, 2953, 2954].map { QRCode(String(repeating: "x", count: $0))?.side }
    #expect(sides == [nil, 21, 25, 25, 53, 57, 177, nil])
  }
}
