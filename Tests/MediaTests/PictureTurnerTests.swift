import Platform
import CameraModel
import FrameJudge
import Foundation
import Testing

@testable import Media

@Suite("A turn of a picture")
struct PictureTurnerTests {
  static let turns: [PictureTurn] = [0, 90, 180, 270].flatMap { degrees in
    [false, true].compactMap { PictureTurn(degrees: degrees, isMirrored: $0) }
  }

  /// Turns a picture, as a list of rows, in the simplest way.
  private func turned(_ rows: [[Int]], _ turn: PictureTurn) -> [[Int]] {
    var rows = rows
    for _ in 0..<turn.degrees / 90 {
      // The bottom row becomes the first column.
      rows = rows[0].indices.map { column in rows.reversed().map { $0[column] } }
    }
    return turn.isMirrored ? rows.map { $0.reversed() } : rows
  }

  private func rows(_ picture: Picture, plane: Int) -> [[Int]] {
    let unit = picture.layout.bytesPerUnit ?? 1
    let count = picture.layout.planes(width: picture.width, height: picture.height)?[plane].rows ?? 0
    return (0..<count).map { row in
      picture.withRow(row, plane: plane) { bytes in
        stride(from: 0, to: bytes.count, by: unit).map { start in
          (start..<start + unit).reduce(0) { $0 << 8 | Int(bytes[$1]) }
        }
      }
    }
  }

  private func picture(_ layout: PixelLayout, _ width: Int, _ height: Int) throws -> Picture {
    var pool = PicturePool()
    let picture = try pool.picture(layout: layout, width: width, height: height, color: .jpeg)
    for (index, plane) in (layout.planes(width: width, height: height) ?? []).enumerated() {
      for row in 0..<plane.rows {
        for byte in 0..<plane.bytesPerRow {
          picture.planeBases[index]?[row * Int(picture.planeStrides[index]) + byte] = UInt8(
            truncatingIfNeeded: row &* 31 &+ byte &* 7 &+ index)
        }
      }
    }
    return picture
  }

  @Test(
    "moves every sample to its right place", arguments: turns,
    [
      "yuv420p", "yuv422p", "yuv440p", "yuv444p", "gray", "yuv420p10le", "yuv422p10le", "rgb24", "rgb48be",
      "bgra", "gray16le",
    ])
  func samples(_ turn: PictureTurn, _ name: String) throws {
    let layout = try #require(PixelLayout(name: name))
    let source = try picture(layout, 70, 38)
    var turner = PictureTurner(Orientation(turn))
    let result = try turner.turn(source)
    #expect((result.width, result.height) == (turn.degrees % 180 == 0 ? (70, 38) : (38, 70)))
    for plane in 0..<(layout.planes(width: 70, height: 38)?.count ?? 0) {
      #expect(rows(result, plane: plane) == turned(rows(source, plane: plane), turn))
    }
  }

  @Test("is refused if pixels share samples in a plane", arguments: ["yuyv422", "nv12", "yuv411p"])
  func packed(_ name: String) throws {
    let source = try picture(try #require(PixelLayout(name: name)), 32, 16)
    var turner = PictureTurner(Orientation(try #require(PictureTurn(degrees: 90))))
    var code: OvercrankError.Code?
    do { _ = try turner.turn(source) } catch { code = error.code }
    #expect(code == .unsupported)
  }

  @Test("can be combined with a second one", arguments: turns, turns)
  func followed(_ first: PictureTurn, _ second: PictureTurn) throws {
    let source = try picture(.gray, 6, 4)
    var one = PictureTurner(Orientation(first))
    var other = PictureTurner(Orientation(second))
    var both = PictureTurner(Orientation(first).followed(by: Orientation(second)))
    let stepwise = try other.turn(try one.turn(source))
    #expect(rows(try both.turn(source), plane: 0) == rows(stepwise, plane: 0))
  }

  @Test("survives a round trip through a display matrix", arguments: turns)
  func matrix(_ turn: PictureTurn) {
    let orientation = Orientation(turn)
    #expect(DisplayMatrix(orientation).map(Orientation.init) ?? .upright == orientation)
  }

  @Test(
    "of a JPEG keeps its samples to within a step or two, whatever its size", .tags(.program),
    .timeLimit(.minutes(1)), arguments: turns,
    [(64, 48), (70, 38)])
  func jpeg(_ turn: PictureTurn, _ size: (Int, Int)) throws {
    let original = try Samples.jpeg(width: size.0, height: size.1)
    let result = try JPEGTurner.turn(original, by: Orientation(turn))
    var decoder = try JPEGDecoder()
    func decoded(_ jpeg: [UInt8]) throws -> Picture {
      try jpeg.span.bytes.withUnsafeBytes { bytes throws(OvercrankError) in try decoder.decode(bytes) }
    }
    let (before, after) = (try decoded(original), try decoded(result))
    let expected = turned(rows(before, plane: 0), turn)
    let pixels = rows(after, plane: 0)
    try #require(pixels.count == expected.count && pixels.first?.count == expected.first?.count)
    let differences = zip(pixels.joined(), expected.joined()).map { abs($0 - $1) }
    #expect(Double(differences.reduce(0, +)) / Double(differences.count) < (size.0 == 64 ? 1 : 2))
    #expect(differences.max() ?? 0 <= 12)
  }

  @Test("of a damaged JPEG is an error", .tags(.program), .timeLimit(.minutes(1)))
  func damaged() throws {
    let original = try Samples.jpeg(width: 64, height: 48)
    #expect(throws: OvercrankError.self) {
      try JPEGTurner.turn(
        Array(original.prefix(200)), by: Orientation(try #require(PictureTurn(degrees: 90))))
    }
  }
}
