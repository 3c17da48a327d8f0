import FilmJudge
import Foundation
import Takes
import Testing

@testable import Media

@Suite("A stamped clip", .tags(.program), .timeLimit(.minutes(1)))
struct StampTests {
  /// What stands in the lower left of a grey picture, read dot by dot.
  private func text(_ luma: [UInt8], width: Int, height: Int, length: Int) -> String {
    let scale = max(2, height / 240)
    let boxHeight = ((DotFont.rows + 4) * scale + 1) & ~1
    let top = (height - boxHeight) & ~1
    let characters = Array("0123456789.-+#fpstrige ".utf8)
    return String(
      decoding: (0..<length).map { place -> UInt8 in
        characters.first { character in
          (0..<DotFont.rows).allSatisfy { row in
            let dots = DotFont.dots(of: character, row: row)
            return (0..<DotFont.columns).allSatisfy { column in
              let x = (2 + place * DotFont.advance + column) * scale + scale / 2
              let y = top + (2 + row) * scale + scale / 2
              return (luma[y * width + x] > 126) == (dots >> UInt8(4 - column) & 1 != 0)
            }
          }
        } ?? UInt8(ascii: "?")
      }, as: UTF8.self)
  }

  @Test("shows when each frame was captured, and its number", arguments: ["mjpeg", "raw"])
  func times(_ format: String) throws {
    let folder = try TemporaryFolder()
    let record = try OvercrankProgram(
      "record", "sim:,clock=virtual,drop=4", "--fps", "240", "--format", format, "--frames", "8", "--no-clip",
      "--no-thumbnail",
      "-o", folder.path("x.mp4"))
    #expect(record.status == 0, "\(record.errors)")
    let run = try OvercrankProgram(
      "retime", folder.path("x.master.mov"), "--stamp", "--crf", "10", "-o", folder.path("y.mp4"))
    #expect(run.status == 0, "\(run.errors)")
    let take = try folder.take()
    let stream = try #require(try Probe(folder.path("y.mp4")).streams.first)
    let (width, height) = (try #require(stream.width), try #require(stream.height))
    let decoded = try Program.run(
      "ffmpeg", ["-v", "error", "-i", folder.path("y.mp4"), "-vf", "format=gray", "-f", "rawvideo", "-"])
    let pictures = [UInt8](decoded.output)
    #expect(pictures.count == 9 * width * height)
    let frames = Array(take.frameList)
    for place in 0..<9 {
      // Frame 4 was lost, and the one before is held: it shows its own time.
      let frame = frames[place < 4 ? place : place - 1]
      let nanoseconds = String(frame.sinceFirst.components.attoseconds / 1_000_000_000)
      let digits = String(repeating: "0", count: 9 - nanoseconds.count) + nanoseconds
      let expected = "0.\(digits) s #\(frame.sequence) 240 fps"
      let luma = Array(pictures[(place * width * height)..<((place + 1) * width * height)])
      #expect(text(luma, width: width, height: height, length: expected.utf8.count) == expected)
    }
  }

  @Test("is none that mixes frames")
  func mixed() throws {
    let run = try OvercrankProgram("retime", "x.mov", "--stamp", "--fill", "blend")
    #expect(run.status == 64 && run.errors.contains("--fill"))
  }
}
