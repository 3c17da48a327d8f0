import CameraModel
import FrameJudge
import Foundation
import Media
import Platform
import Testing

@testable import Simulator

@Suite("A simulated camera's H.264", .tags(.program), .timeLimit(.minutes(1)))
struct SimulatedStreamCodingTests {
  private func frames(_ format: PixelFormat, width: Int, height: Int, _ numbers: [UInt32]) throws -> [Data] {
    var picture = try SimulatedPicture(format: format, width: width, height: height)
    var frames: [Data] = []
    for number in numbers {
      picture.compose(frame: number) { frame in
        frames.append(frame.withUnsafeBufferPointer { Data($0) })
      }
    }
    return frames
  }

  private func role(_ frame: Data) -> FrameRole? {
    frame.withUnsafeBytes { PixelFormat.h264.stream?.role(of: $0) }
  }

  @Test(
    "shows what uncompressed frames show, without loss, also at sizes that are no multiple of 16",
    arguments: [(320, 180), (256, 144), (258, 98)])
  func exact(_ width: Int, _ height: Int) throws {
    let numbers = Array(UInt32(25)..<65)
    let coded = try frames(.h264, width: width, height: height, numbers)
    #expect(numbers.filter { role(coded[Int($0) - 25]) == .entry } == [30, 60])
    #expect(coded.count { role($0) == .dependent } == numbers.count - 2)
    // A decoder begins at the first key frame.
    let folder = try TemporaryFolder()
    let stream = folder.path("x.h264")
    try Data(coded.dropFirst(5).joined()).write(to: URL(filePath: stream))
    let decoded = try Program.run(
      "ffmpeg",
      ["-v", "error", "-nostdin", "-i", stream, "-f", "rawvideo", "-pix_fmt", "yuv420p", "-"])
    let expected = try frames(.yuv420, width: width, height: height, Array(numbers.dropFirst(5)))
    let isSame = Data(decoded.output) == Data(expected.joined())
    #expect(isSame)
  }

  @Test("is the same whether or not the frames before it are composed")
  func skipped() throws {
    let all = try frames(.h264, width: 256, height: 64, Array(0..<40))
    let some = try frames(.h264, width: 256, height: 64, [3, 7, 8, 30, 39])
    #expect(some == [3, 7, 8, 30, 39].map { all[$0] })
  }

  @Test("has even sides, and no flashes")
  func refused() {
    let error = #expect(throws: OvercrankError.self) {
      _ = try SimulatedPicture(format: .h264, width: 257, height: 64).largestFrame
    }
    #expect(error?.code == .noMode)
  }
}
