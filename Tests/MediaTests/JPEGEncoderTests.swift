import Platform
import CTurboJPEG
import Testing

@testable import Media

@Suite struct JPEGEncoderTests {
  /// Encodes a picture whose luma rises from left to right, in one colour.
  private static func jpeg(width: Int, height: Int, quality: Int = 95) throws -> [UInt8] {
    let stride = JPEGEncoder.lumaStride(width: width)
    let luma = (0..<stride * height).map { UInt8(min($0 % stride, width - 1) * 255 / max(width - 1, 1)) }
    let blue = [UInt8](repeating: 90, count: stride / 2 * height)
    let red = [UInt8](repeating: 200, count: stride / 2 * height)
    return try JPEGEncoder(quality: quality).encode(
      luma: luma.span, blue: blue.span, red: red.span, width: width, height: height)
  }

  @Test(arguments: [(1, 1), (2, 2), (15, 7), (16, 8), (17, 9), (33, 1), (640, 8), (641, 480)])
  func theDecodedPictureIsTheEncodedOne(width: Int, height: Int) throws {
    let jpeg = try Self.jpeg(width: width, height: height)
    let decompressor = try #require(tjInitDecompress())
    defer { tjDestroy(decompressor) }
    var (decodedWidth, decodedHeight, subsampling, colorspace) = (Int32(0), Int32(0), Int32(0), Int32(0))
    #expect(
      tjDecompressHeader3(
        decompressor, jpeg, UInt(jpeg.count), &decodedWidth, &decodedHeight, &subsampling, &colorspace) == 0)
    #expect(Int(decodedWidth) == width && Int(decodedHeight) == height)
    #expect(subsampling == Int32(TJSAMP_422.rawValue) && colorspace == Int32(TJCS_YCbCr.rawValue))

    let stride = JPEGEncoder.lumaStride(width: width)
    var samples = [UInt8](repeating: 0, count: stride * height * 2)
    #expect(
      tjDecompressToYUV2(decompressor, jpeg, UInt(jpeg.count), &samples, decodedWidth, 1, decodedHeight, 0)
        == 0)
    for row in 0..<height {
      for column in 0..<width {
        let expected = column * 255 / max(width - 1, 1)
        #expect(abs(Int(samples[row * stride + column]) - expected) <= (width < 64 ? 24 : 6))
      }
    }
    let chroma = stride * height
    #expect(samples[chroma..<chroma + chroma / 2].allSatisfy { abs(Int($0) - 90) <= 2 })
    #expect(samples[(chroma + chroma / 2)...].allSatisfy { abs(Int($0) - 200) <= 2 })
  }

  @Test func aHigherQualityIsLarger() throws {
    #expect(
      try Self.jpeg(width: 320, height: 240, quality: 95).count
        > Self.jpeg(width: 320, height: 240, quality: 20).count)
  }

  @Test func aSizeThatNoJPEGHasIsRefused() throws {
    let error = #expect(throws: OvercrankError.self) { _ = try Self.jpeg(width: 65_501, height: 1) }
    #expect(error?.code == .unsupported)
    #expect(error?.description.contains("65501x1") == true)
  }

  @Test func oneEncoderMakesManyPictures() throws {
    let encoder = try JPEGEncoder(quality: 80)
    let dark = [UInt8](repeating: 20, count: 64)
    let light = [UInt8](repeating: 220, count: 64)
    func encode(_ luma: [UInt8]) throws -> [UInt8] {
      try encoder.encode(luma: luma.span, blue: dark.span, red: light.span, width: 8, height: 8)
    }
    let first = try encode(dark)
    #expect(try encode(light) != first)
    #expect(try encode(dark) == first)
  }
}
