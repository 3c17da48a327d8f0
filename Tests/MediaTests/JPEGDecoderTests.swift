import Platform
import CTurboJPEG
import FrameJudge
import Foundation
import Testing

@testable import Media

@Suite(.tags(.program), .timeLimit(.minutes(1))) struct JPEGDecoderTests {
  func decode(_ jpeg: [UInt8]) throws(OvercrankError) -> Picture {
    var decoder = try JPEGDecoder()
    return try jpeg.span.bytes.withUnsafeBytes { bytes throws(OvercrankError) in try decoder.decode(bytes) }
  }

  func damage(_ jpeg: [UInt8]) -> OvercrankError? {
    do {
      _ = try decode(jpeg)
      return nil
    } catch {
      return error
    }
  }

  /// Returns all samples of a picture, plane by plane.
  func samples(_ picture: Picture) throws -> [UInt8] {
    let planes = try #require(picture.layout.planes(width: picture.width, height: picture.height))
    var samples: [UInt8] = []
    for (plane, geometry) in planes.enumerated() {
      for row in 0..<geometry.rows {
        picture.withRow(row, plane: plane) { row in
          for index in row.indices { samples.append(row[index]) }
        }
      }
    }
    return samples
  }

  /// Returns a JPEG without its Huffman tables.
  func withoutTables(_ jpeg: [UInt8]) -> [UInt8] {
    var result = Array(jpeg.prefix(2))
    var offset = 2
    while jpeg[offset + 1] != 0xda {
      let end = offset + 2 + Int(jpeg[offset + 2]) << 8 + Int(jpeg[offset + 3])
      if jpeg[offset + 1] != 0xc4 { result += jpeg[offset..<end] }
      offset = end
    }
    return result + jpeg[offset...]
  }

  @Test(
    arguments: [
      ("yuvj422p", PixelLayout.yuv422p), ("yuvj420p", .yuv420p), ("yuvj444p", .yuv444p),
    ], [(64, 48), (66, 50), (33, 17), (1, 1)])
  func pictureIsDecodedInItsOwnSubsampling(layout: (String, PixelLayout), size: (Int, Int)) throws {
    let folder = try TemporaryFolder()
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=128x128", "-frames:v", "1", "-vf",
      "crop=\(size.0):\(size.1):0:0:exact=1",
      "-pix_fmt", layout.0, "-q:v", "2", folder.path("a.jpg"))
    let jpeg = [UInt8](try Data(contentsOf: URL(filePath: folder.path("a.jpg"))))
    let picture = try decode(jpeg)
    #expect((picture.width, picture.height) == size)
    #expect(picture.layout == layout.1)
    #expect(picture.color == .jpeg)
    try Program.ffmpeg("-i", folder.path("a.jpg"), "-f", "rawvideo", folder.path("raw"))
    let expected = [UInt8](try Data(contentsOf: URL(filePath: folder.path("raw"))))
    let decoded = try samples(picture)
    #expect(decoded.count == expected.count)
    #expect(zip(decoded, expected).allSatisfy { abs(Int($0) - Int($1)) <= 2 })
  }

  @Test func grayIsDecodedAsGray() throws {
    let luma = [UInt8](repeating: 99, count: 64 * 48)
    let compressor = tjInitCompress()
    defer { tjDestroy(compressor) }
    var jpeg: UnsafeMutablePointer<UInt8>?
    defer { tjFree(jpeg) }
    var size: UInt = 0
    tjCompressFromYUV(compressor, luma, 64, 1, 48, Int32(TJSAMP_GRAY.rawValue), &jpeg, &size, 90, 0)
    let picture = try decode(Array(UnsafeBufferPointer(start: jpeg, count: Int(size))))
    #expect(picture.layout == .gray)
    #expect(try samples(picture).allSatisfy { abs(Int($0) - 99) <= 1 })
  }

  @Test func jpegWithoutTablesIsDecodedWithTheStandards() throws {
    let encoder = try JPEGEncoder(quality: 90)
    let luma = noise(64 * 48, seed: 1)
    let jpeg = try encoder.encode(
      luma: luma.span, blue: noise(32 * 48, seed: 2).span, red: noise(32 * 48, seed: 3).span, width: 64,
      height: 48)
    let bare = withoutTables(jpeg)
    #expect(bare.count < jpeg.count - 400)
    #expect(try samples(decode(bare)) == samples(decode(jpeg)))
  }

  @Test func whatLiesBehindTheEndDoesNotMatter() throws {
    let jpeg = try Samples.jpeg(width: 64, height: 48)
    let whole = try samples(decode(jpeg))
    #expect(try samples(decode(jpeg + [UInt8](repeating: 0, count: 1000))) == whole)
    #expect(try samples(decode(jpeg + noise(1000, seed: 1))) == whole)
  }

  @Test func paddingBeforeTheEndMarkerAndALeftOutMarkerDoNotMatter() throws {
    let jpeg = try Samples.jpeg(width: 64, height: 48)
    let whole = try samples(decode(jpeg))
    #expect(try samples(decode(Array(jpeg.dropLast(2)))) == whole)
    #expect(try samples(decode(jpeg.dropLast(2) + [0, 0, 0, 0, 0xff, 0xd9])) == whole)
  }

  @Test(arguments: [0, 2, 20, 200]) func cutOffStartIsDamaged(count: Int) throws {
    let jpeg = try Samples.jpeg(width: 64, height: 48)
    #expect(damage(Array(jpeg.prefix(count)))?.code == .badData)
  }

  @Test(arguments: [0.3, 0.6, 0.9, 0.99]) func cutOffPictureIsDamagedAndNeverHalfGrey(part: Double) throws {
    let jpeg = try Samples.jpeg(width: 640, height: 480)
    let error = try #require(damage(Array(jpeg.prefix(Int(Double(jpeg.count) * part)))))
    #expect(error.code == .badData)
    #expect(error.description.contains("damaged"))
  }

  @Test func scrambledPictureIsDamaged() throws {
    var jpeg = try Samples.jpeg(width: 640, height: 480)
    let middle = jpeg.count / 2
    jpeg.replaceSubrange(middle..<middle + 400, with: [UInt8](repeating: 0xff, count: 400))
    #expect(damage(jpeg)?.code == .badData)
  }

  @Test func decoderGoesOnAfterADamagedPicture() throws {
    let jpeg = try Samples.jpeg(width: 64, height: 48)
    var decoder = try JPEGDecoder()
    var damaged = 0
    for data in [jpeg, Array(jpeg.prefix(800)), jpeg, Array(jpeg.prefix(395)), jpeg, [1, 2, 3], jpeg] {
      do {
        let picture = try data.span.bytes.withUnsafeBytes { bytes throws(OvercrankError) in
          try decoder.decode(bytes)
        }
        #expect(try samples(picture) == samples(decode(jpeg)))
      } catch let error as OvercrankError {
        #expect(error.code == .badData)
        damaged += 1
      }
    }
    #expect(damaged == 3)
  }

  /// Returns a picture from cjpeg without restart markers, and with one after every `interval` blocks.
  private func restarting(every interval: Int, sampling: String) throws -> (
    plain: [UInt8], restarting: [UInt8]
  ) {
    let folder = try TemporaryFolder()
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=131x77", "-frames:v", "1", "-pix_fmt", "rgb24", folder.path("a.ppm"))
    func jpeg(_ arguments: [String]) throws -> [UInt8] {
      try Program.run("cjpeg", arguments + ["-outfile", folder.path("a.jpg"), folder.path("a.ppm")])
      return Array(try Data(contentsOf: URL(filePath: folder.path("a.jpg"))))
    }
    let kind = sampling == "gray" ? ["-grayscale"] : ["-sample", sampling]
    return (try jpeg(kind), try jpeg(kind + ["-restart", "\(interval)B"]))
  }

  /// Returns the places of the restart markers.
  private func restarts(in jpeg: [UInt8]) -> [Int] {
    jpeg.indices.dropLast().filter { jpeg[$0] == 0xff && (0xd0...0xd7).contains(jpeg[$0 + 1]) }
  }

  @Test(arguments: ["2x2", "2x1", "1x1", "gray"], [1, 3]) func restartMarkersDoNotMatter(
    sampling: String, interval: Int
  ) throws {
    let (plain, restarting) = try restarting(every: interval, sampling: sampling)
    #expect(restarts(in: restarting).count > 10)
    #expect(restarts(in: plain).isEmpty)
    #expect(try samples(decode(restarting)) == samples(decode(plain)))
    #expect(
      try samples(decode(withoutTables(restarting) + noise(500, seed: 4))).count
        == samples(decode(plain)).count)
  }

  @Test("damage between two restart markers is an error, although a decoder could continue")
  func damageBetweenRestarts() throws {
    let (_, jpeg) = try restarting(every: 3, sampling: "2x1")
    let markers = restarts(in: jpeg)
    var wrongNumber = jpeg
    wrongNumber[markers[4] + 1] = 0xd0 | (wrongNumber[markers[4] + 1] &+ 3) & 7
    #expect(damage(wrongNumber)?.code == .badData)
    var missing = jpeg
    missing.removeSubrange(markers[6]..<markers[7])
    #expect(damage(missing)?.code == .badData)
    var short = jpeg
    short.removeSubrange(markers[2] + 3..<markers[3] - 1)
    #expect(damage(short)?.code == .badData)
    #expect(damage(Array(jpeg.prefix(markers[8])))?.code == .badData)
    #expect(damage(jpeg) == nil)
  }
}
