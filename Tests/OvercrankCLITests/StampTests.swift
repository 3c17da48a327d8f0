import FrameJudge
import Foundation
import Takes
import Testing

@testable import Media

@Suite("A stamped clip", .tags(.program), .timeLimit(.minutes(1)))
struct StampTests {
  /// Whether `text` is in the lower left of a picture: its strokes are white, and their surroundings black.
  private func shows(_ text: String, _ luma: [UInt8], width: Int, height: Int) -> Bool {
    let mask = TextFace(capital: max(12, Double(height) / 40)).mask(of: text)
    let top = (height - mask.height) & ~1
    return (0..<mask.height).allSatisfy { y in
      (0..<min(mask.width, width)).allSatisfy { x in
        let (place, pixel) = (y * mask.width + x, top + y < height ? luma[(top + y) * width + x] : 0)
        if mask.ink[place] == 255 { return pixel > 150 }
        return mask.edge[place] < 255 || mask.ink[place] > 0 || pixel < 110
      }
    }
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
      let milliseconds =
        (frame.sinceFirst.components.attoseconds + 500_000_000_000_000) / 1_000_000_000_000_000
      func text(_ milliseconds: Int64) -> String {
        "0.\(String(1000 + milliseconds).dropFirst()) s #\(frame.sequence) 240 fps"
      }
      let luma = Array(pictures[(place * width * height)..<((place + 1) * width * height)])
      #expect(shows(text(milliseconds), luma, width: width, height: height))
      #expect(!shows(text(milliseconds + 1), luma, width: width, height: height))
    }
  }

  @Test("is refused if the clip mixes frames")
  func mixed() throws {
    let run = try OvercrankProgram("retime", "x.mov", "--stamp", "--fill", "blend")
    #expect(run.status == 64 && run.errors.contains("--fill"))
  }
}
