import Platform
import Testing

@testable import Media

@Suite("Stills")
struct StillTests {
  private static let startOfScan: UInt8 = 0xda
  private static let huffmanTables: UInt8 = 0xc4

  /// Returns a JPEG of a gradient, 64x32.
  private func sample() throws -> [UInt8] {
    let luma = (0..<64 * 32).map { (place: Int) in UInt8(place % 64 * 4) }
    let chroma = (0..<32 * 32).map { (place: Int) in UInt8(96 + place / 32) }
    return try JPEGEncoder(quality: 90).encode(
      luma: luma.span, blue: chroma.span, red: chroma.span, width: 64, height: 32)
  }

  /// Returns `jpeg` without its Huffman tables, as many webcams send it.
  private func stripped(_ jpeg: [UInt8]) -> [UInt8] {
    var rest = Array(jpeg[..<2])
    var start = 2
    while jpeg[start + 1] != Self.startOfScan {
      let end = start + 2 + Int(jpeg[start + 2]) << 8 + Int(jpeg[start + 3])
      if jpeg[start + 1] != Self.huffmanTables { rest += jpeg[start..<end] }
      start = end
    }
    return rest + jpeg[start...]
  }

  private func luma(_ jpeg: [UInt8]) throws -> [[UInt8]] {
    var decoder = try JPEGDecoder()
    let picture = try jpeg.withUnsafeBytes { bytes throws(OvercrankError) in try decoder.decode(bytes) }
    return (0..<picture.height).map { row in
      picture.withRow(row, plane: 0) { span in (0..<picture.width).map { span[$0] } }
    }
  }

  @Test("from a JPEG without Huffman tables get the standard tables, and nothing else changes")
  func tables() throws {
    let whole = try sample()
    let bare = stripped(whole)
    #expect(bare.count < whole.count)
    let made = try JPEGHuffmanTables.added(to: bare)
    #expect(made.count == whole.count)
    #expect(stripped(made) == bare)
    #expect(try luma(made) == luma(whole))
  }

  @Test("from a JPEG with Huffman tables are unchanged, as are cut-off files and other bytes")
  func untouched() throws {
    let whole = try sample()
    #expect(try JPEGHuffmanTables.added(to: whole) == whole)
    let bare = stripped(whole)
    let scan = try #require(
      bare.indices.dropLast().first { bare[$0] == 0xff && bare[$0 + 1] == Self.startOfScan })
    for count in 0..<scan + 4 {
      let part = Array(bare[..<count])
      #expect(try JPEGHuffmanTables.added(to: part) == part)
    }
    let noise = [UInt8](repeating: 0xff, count: 100)
    #expect(try JPEGHuffmanTables.added(to: noise) == noise)
  }

  private static func packed(_ fourcc: String) -> VideoCodec {
    PixelPacking(fourcc: fourcc).map { .packed($0) } ?? .mjpeg
  }

  /// Luma and chroma of a flat frame of each layout, in its own range, and the JPEG's luma in full range.
  @Test(
    "from a raw frame keep its brightness, in full range",
    arguments: [
      (VideoCodec.raw(.yuyv422), ColorDescription.Range.limited, [235, 128], UInt8(255)),
      (.raw(.yuyv422), .limited, [16, 128], 0), (.raw(.yuyv422), .full, [200, 128], 200),
      (.raw(.uyvy422), .limited, [128, 126], 128),
      (.raw(.nv12), .limited, [235, 128], 255), (.raw(.yuv420p), .full, [77, 128], 77),
      (.raw(.gray), .full, [50], 50), (.raw(.gray), .limited, [235], 235),
      (.raw(.rgb24), .full, [90, 90, 90], 90), (.raw(.bgr24), .full, [90, 90, 90], 90),
      (.raw(PixelLayout(name: "bayer_grbg8") ?? .gray), .full, [90], 90),
      (Self.packed("NV16"), .limited, [235, 128], 255),
      (Self.packed("VYUY"), .full, [128, 77], 77),
      (Self.packed("pRAA"), .full, [90, 90, 90, 90, 0], 90),
      (Self.packed("Y10P"), .full, [50, 50, 50, 50, 0], 50),
    ])
  func raw(_ codec: VideoCodec, _ range: ColorDescription.Range, _ samples: [UInt8], _ expected: UInt8)
    throws
  {
    let (width, height) = (36, 18)
    let count = try #require(codec.byteCount(width: width, height: height))
    var frame = (0..<count).map { samples[$0 % samples.count] }
    if codec.planes(width: width, height: height)?.count ?? 1 > 1 {
      for index in frame.indices { frame[index] = index < width * height ? samples[0] : samples[1] }
    }
    let color = ColorDescription(
      primaries: .bt709, transfer: .bt709, matrix: codec.layout?.isRGB == true ? .rgb : .bt601, range: range)
    let jpeg = try StillEncoder.jpeg(
      of: frame.span, codec: codec, width: width, height: height, color: color)
    let rows = try luma(jpeg)
    #expect(rows.count == height && rows[0].count == width)
    let worst = rows.joined().map { abs(Int($0) - Int(expected)) }.max() ?? 255
    #expect(worst <= 3, "\(rows[0].prefix(4)) where \(expected) was expected")
  }

  @Test(
    "show 18 % grey of a high dynamic range as the standard range does",
    arguments: [ColorDescription.Transfer.hlg, .pq])
  func highDynamicRange(_ transfer: ColorDescription.Transfer) throws {
    let codec = VideoCodec.raw(try #require(PixelLayout(name: "yuv420p10le")))
    let (width, height) = (32, 16)
    let samples =
      Array(repeating: 397, count: width * height) + Array(repeating: 512, count: width * height / 2)
    let frame = samples.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    let color = ColorDescription(primaries: .bt2020, transfer: transfer, matrix: .bt2020, range: .limited)
    let jpeg = try StillEncoder.jpeg(of: frame.span, codec: codec, width: width, height: height, color: color)
    let values = try luma(jpeg).joined().map { Double($0) }
    let mean = values.reduce(0, +) / Double(max(1, values.count))
    // In full range, as in JFIF.
    #expect((mean - 108.6).magnitude < 1.5, "\(mean)")
  }

  @Test("from too few bytes are refused, without a read beyond them")
  func short() throws {
    let frame = [UInt8](repeating: 0, count: 100)
    let error = #expect(throws: OvercrankError.self) {
      try StillEncoder.jpeg(of: frame.span, codec: .raw(.yuyv422), width: 64, height: 64, color: .unspecified)
    }
    #expect(error?.code == .badData)
  }
}
