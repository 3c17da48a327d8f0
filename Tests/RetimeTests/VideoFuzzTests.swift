import FrameJudge
import Foundation
import Media
import Platform
import SystemPackage
import Testing
import Timebase

@testable import Retime
@testable import Takes

/// Seeded damage to videos: whatever the bytes, the outcome is a clip or an error with its reason, never a
/// crash.
@Suite("Damaged video", .tags(.program), .timeLimit(.minutes(1)), .serialized) struct VideoFuzzTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The number of rounds; `OVERCRANK_FUZZ_ROUNDS` sets more.
  static let rounds = ProcessInfo.processInfo.environment["OVERCRANK_FUZZ_ROUNDS"].flatMap(Int.init) ?? 360

  private func damaged(_ bytes: [UInt8], _ random: inout SplitMix) -> [UInt8] {
    var bytes = bytes
    switch random.next() % 4 {
    case 0: bytes.removeLast(Int(random.next() % UInt64(bytes.count)))
    case 1:
      let start = Int(random.next() % UInt64(bytes.count))
      let end = min(bytes.count, start + Int(random.next() % 64))
      bytes.removeSubrange(start..<end)
    default:
      for _ in 0...random.next() % 12 {
        // Damage to headers has the most effect.
        let reach = random.next() % 2 == 0 ? min(600, bytes.count) : bytes.count
        bytes[Int(random.next() % UInt64(reach))] = UInt8(truncatingIfNeeded: random.next())
      }
    }
    return bytes
  }

  @Test func jpegs() throws {
    let folder = folder
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=96x64", "-frames:v", "1", "-pix_fmt", "yuvj420p", folder.path("a.jpg"))
    let whole = Array(try Data(contentsOf: URL(filePath: folder.path("a.jpg"))))
    var decoder = try JPEGDecoder()
    var random = SplitMix(state: 1)
    var decoded = 0
    for _ in 0..<Self.rounds * 2 / 3 {
      let bytes = damaged(whole, &random)
      let picture = try? bytes.withUnsafeBytes { try decoder.decode($0) }
      if picture != nil { decoded += 1 }
    }
    #expect(decoded > 0)
    let picture = try whole.withUnsafeBytes { try decoder.decode($0) }
    #expect(picture.width == 96)
  }

  @Test func packedPixels() throws {
    var random = SplitMix(state: 2)
    for fourcc in [
      "pRAA", "pBCC", "Y14P", "NV16", "YV12", "VYUY", "RG10", "UV8 ", "CNF4", "Y12I", "INZI", "HSV4", "HI24",
      "S501",
      "CITV", "KONI", "S920", "S680",
    ] {
      let packing = try #require(PixelPacking(fourcc: fourcc))
      for _ in 0..<Self.rounds / 30 {
        let (width, height) = (Int(random.next() % 70), Int(random.next() % 20))
        guard var unpacker = try? PixelUnpacker(packing, width: width, height: height, color: .bt601)
        else { continue }
        let bytes = [UInt8](repeating: 7, count: Int(random.next() % 3000))
        _ = try? bytes.withUnsafeBytes { try unpacker.unpack($0) }
      }
    }
  }

  /// Videos that are damaged byte by byte, each read to its end and rendered as a clip.
  @Test(arguments: ["mov", "nut", "mp4", "mkv"]) func videos(_ kind: String) async throws {
    let folder = folder
    let whole = folder.path("whole.\(kind)")
    switch kind {
    case "mov": try NumberedVideo(numbers: Array(0..<6), width: 64).write(to: whole)
    case "nut":
      var muxer = try Muxer(
        to: OutputFile(FilePath(whole)), container: .nut,
        video: VideoTrack(codec: .packed(try #require(PixelPacking(fourcc: "pRAA"))), width: 64, height: 8),
        timescale: 60)
      for number in 0..<6 {
        let frame = [UInt8](repeating: UInt8(number), count: 80 * 8)
        try frame.span.bytes.withUnsafeBytes { bytes throws(OvercrankError) in
          try muxer.write(bytes, timestamp: Int64(number), duration: 1)
        }
      }
      try muxer.finish()
    default:
      try Program.ffmpeg(
        "-f", "lavfi", "-i", "testsrc2=s=64x32:d=0.2", "-f", "lavfi", "-i", "sine=d=0.2", "-c:v", "libx264",
        "-bf", "2",
        "-pix_fmt", "yuv420p", "-c:a", "aac", whole)
    }
    let bytes = Array(try Data(contentsOf: URL(filePath: whole)))
    var random = SplitMix(state: 3)
    let path = FilePath(folder.path("damaged.\(kind)"))
    let clip = FilePath(folder.path("clip.mp4"))
    // A damaged clock may lead to a clip of days, which is correct but too slow here.
    let options = RenderSpec(outputRate: FrameRate(whole: 30), preset: .ultrafast)
    var made = 0
    for _ in 0..<Self.rounds / 12 {
      try Data(damaged(bytes, &random)).write(to: URL(filePath: path.string))
      let file = try OutputFile(clip, replacing: true)
      do throws(OvercrankError) {
        _ = try await ClipRenderer(ClipSource(path), spec: options).render(to: file)
        made += 1
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
    #expect(made > 0)
  }
}
