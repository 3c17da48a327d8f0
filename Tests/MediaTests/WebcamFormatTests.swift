import CameraModel
import FrameJudge
import Platform
import Testing

@testable import Media

@Suite("Formats of old webcams")
struct WebcamFormatTests {
  private func unpacker(_ fourcc: String, width: Int = 32, height: Int = 16) throws -> PixelUnpacker {
    try PixelUnpacker(try #require(PixelPacking(fourcc: fourcc)), width: width, height: height, color: .bt601)
  }

  @Test("have frames of any size if they are compressed", arguments: WebcamDecoder.codes)
  func sizes(_ fourcc: String) throws {
    let format = try #require(PixelFormat(fourcc: fourcc))
    #expect(format.family == .compressed)
    #expect(format.codec?.byteCount(width: 32, height: 16) == nil)
    #expect(format.codec.map { Container.forMaster($0) } == .nut)
  }

  @Test("survive damage: random bytes, cut off anywhere", arguments: WebcamDecoder.codes)
  func damage(_ fourcc: String) throws {
    var random = SplitMix(state: 7)
    var unpacker = try unpacker(fourcc, width: 160, height: 120)
    for round in 0..<40 {
      let bytes = (0..<Int(random.next() % 20_000)).map { _ in
        // Runs of ones are the longest codes.
        UInt8(truncatingIfNeeded: round % 2 == 0 ? random.next() : random.next() | random.next())
      }
      do {
        let picture = try bytes.withUnsafeBytes { try unpacker.unpack($0) }
        #expect(picture.width == 160 && picture.height == 120)
      } catch let error as OvercrankError {
        #expect(error.code == .badData)
      }
    }
  }

  @Test(
    "are refused in sizes that no webcam has", arguments: [(24, 16), (32, 12), (0, 0), (4096, 16), (8, 8)])
  func impossibleSize(_ width: Int, _ height: Int) {
    #expect(throws: OvercrankError.self) { _ = try unpacker("S910", width: width, height: height) }
  }

  /// Marks of a row that is a copy, or stored.
  @Test("are refused if they copy rows from before the picture", arguments: [0, 1])
  func copiesFromNothing(_ row: Int) throws {
    var unpacker = try unpacker("P207")
    let stored: [UInt8] = [0x0f, 0xf0] + [UInt8](repeating: 90, count: 32)
    func frame(copy: Int?) -> [UInt8] { (0..<16).flatMap { $0 == copy ? [0x4b, 0xb4] : stored } }
    _ = try frame(copy: nil).withUnsafeBytes { try unpacker.unpack($0) }
    _ = try frame(copy: 2).withUnsafeBytes { try unpacker.unpack($0) }
    #expect(throws: OvercrankError.self) {
      _ = try frame(copy: row).withUnsafeBytes { try unpacker.unpack($0) }
    }
  }

  /// A compressed row is followed by one that copies: its end is found by its codes.
  @Test("are refused if they copy after a compressed row", arguments: [[UInt8](repeating: 0, count: 8)])
  func copyAfterCodes(_ codes: [UInt8]) throws {
    var unpacker = try unpacker("P207")
    // Thirty codes of two bits, and four bits to the next word.
    let rows: [UInt8] = [0x1e, 0xe1, 90, 90] + codes + [0x4b, 0xb4] + [UInt8](repeating: 0, count: 2000)
    #expect(throws: OvercrankError.self) { _ = try rows.withUnsafeBytes { try unpacker.unpack($0) } }
  }

  @Test("are refused if the head of a JPEG is not the driver's")
  func foreignHead() throws {
    var unpacker = try unpacker("PJPG")
    let foreign: [UInt8] = [0xff, 0xd8, 0xff, 0xdb] + [UInt8](repeating: 0xff, count: 4000)
    #expect(throws: OvercrankError.self) { _ = try foreign.withUnsafeBytes { try unpacker.unpack($0) } }
  }

  @Test("become stills")
  func still() throws {
    let packing = try #require(PixelPacking(fourcc: "P207"))
    let frame = (0..<16).flatMap { _ in [0x0f, 0xf0] + [UInt8](repeating: 90, count: 32) }
    let jpeg = try StillEncoder.jpeg(
      of: frame.span, codec: .packed(packing), width: 32, height: 16,
      color: ColorDescription(primaries: .bt709, transfer: .srgb, matrix: .rgb, range: .full))
    var decoder = try JPEGDecoder()
    let picture = try jpeg.withUnsafeBytes { try decoder.decode($0) }
    let seen = picture.withRow(8, plane: 0) { Int($0[16]) }
    #expect((87...93).contains(seen), "\(seen)")
  }

  @Test("show chroma alone at a mean brightness")
  func chromaAlone() throws {
    var unpacker = try unpacker("UV8 ", width: 3, height: 2)
    let frame: [UInt8] = [10, 20, 30, 40, 50, 60, 70, 80]
    let picture = try frame.withUnsafeBytes { try unpacker.unpack($0) }
    func row(_ row: Int, _ plane: Int) -> [UInt8] {
      picture.withRow(row, plane: plane) { $0.withUnsafeBytes { Array($0) } }
    }
    #expect(row(1, 0) == [128, 128, 128] && row(0, 1) == [10, 30] && row(1, 2) == [60, 80])
  }
}
