import Platform
import CameraModel
import Cameras
import FrameJudge
import Foundation
import Media
import SystemPackage
import Testing
import Timebase

@testable import Capture

@Suite("Stills from frames")
struct StillPictureTests {
  /// Returns a frame with different samples of 16 bits.
  private func deepFrame(_ width: Int, _ height: Int) throws -> (CapturedFrame, [UInt16]) {
    let samples = (0..<width * height).map { UInt16(truncatingIfNeeded: $0 &* 40_503) }
    let bytes = samples.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
    let format = FrameFormat(
      try #require(PixelFormat(fourcc: "Y16 ")), width: width, height: height,
      acceptedInterval: FrameInterval(1, 30))
    let frame = CapturedFrame(
      bytes: bytes, sequence: 7, timestamp: Instant(nanoseconds: 5),
      configuration: StreamConfiguration(format, largestFrame: bytes.count, bufferCount: 4, controls: [:]))
    return (frame, samples)
  }

  @Test(
    "keep all 16 bits of a sample as PNG and TIFF", .tags(.program), .timeLimit(.minutes(1)),
    arguments: [StillFormat.png, .tiff])
  func deep(_ format: StillFormat) throws {
    let folder = try TemporaryFolder()
    let (frame, samples) = try deepFrame(64, 32)
    for (degrees, name) in [(0, "upright"), (180, "turned")] {
      var tags = PhotoTags()
      tags.comment = "frame 7"
      let still = try Still(frame, as: format, turned: #require(PictureTurn(degrees: degrees)), tags: tags)
      let file = folder.path("\(name).\(format.fileExtension)")
      try still.write(to: FilePath(file), replacing: false)
      let decoded = try Program.run(
        "ffmpeg", ["-v", "error", "-i", file, "-f", "rawvideo", "-pix_fmt", "gray16le", "-"])
      let bytes = [UInt8](decoded.output)
      let found = stride(from: 0, to: bytes.count - 1, by: 2).map {
        UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
      }
      #expect(found == (degrees == 0 ? samples : samples.reversed()))
      #expect(try ExifTool(file).text("UserComment") == "frame 7")
    }
  }

  @Test("are refused as damaged if bytes are missing")
  func short() throws {
    let (frame, _) = try deepFrame(64, 32)
    let cut = CapturedFrame(
      bytes: Array(frame.bytes.dropLast()), sequence: 7, timestamp: frame.timestamp,
      configuration: frame.configuration)
    for format in StillFormat.allCases {
      let error = #expect(throws: OvercrankError.self) { try Still(cut, as: format) }
      #expect(error?.code == .badData)
    }
  }

  @Test("as JPEG keep the picture's bytes when tags are added, and have one set of tags")
  func tagged() throws {
    let luma = [UInt8](repeating: 90, count: 64 * 32)
    let chroma = [UInt8](repeating: 128, count: 32 * 32)
    let jpeg = try JPEGEncoder(quality: 90).encode(
      luma: luma.span, blue: chroma.span, red: chroma.span, width: 64, height: 32)
    var tags = PhotoTags()
    tags.comment = "first"
    let once = StillFormat.jpeg.adding(tags, to: jpeg, width: 64, height: 32)
    tags.comment = "again"
    let twice = StillFormat.jpeg.adding(tags, to: once, width: 64, height: 32)
    #expect(once.count == twice.count && once != twice)
    // Without the segment of tags, the file is as before.
    let start = try #require(twice.firstRange(of: [0xff, 0xe1])).lowerBound
    let length = Int(twice[start + 2]) << 8 | Int(twice[start + 3])
    #expect(Array(twice[..<start]) + Array(twice[(start + 2 + length)...]) == jpeg)
    // A file that is not a JPEG is unchanged.
    for file in [[], [0xff], [0xff, 0xd8], Array("text".utf8)] as [[UInt8]] {
      for format in StillFormat.allCases {
        #expect(format.adding(tags, to: file, width: 1, height: 1) == file)
      }
    }
  }
}
