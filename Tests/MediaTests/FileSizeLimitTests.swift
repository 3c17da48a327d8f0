import FrameJudge
import Foundation
import Platform
import SystemPackage
import Testing

@testable import Media

@Suite("The size limit of a file")
struct FileSizeLimitTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Frames of a file: their sizes, and their times in microseconds.
  struct Course: Sendable, CustomTestStringConvertible {
    var name: String
    var codec: VideoCodec
    var width: Int
    var height: Int
    var sizes: [Int]
    var times: [Int64]

    var testDescription: String { name }

    static func steady(_ count: Int) -> [Int64] { (0..<Int64(count)).map { $0 * 4167 } }
    static func jittered(_ count: Int) -> [Int64] {
      (0..<Int64(count)).map { $0 * 4167 + ($0 * 7919) % 600 }
    }
  }

  static let courses: [Course] = [
    Course(
      name: "JPEGs of many sizes", codec: .mjpeg, width: 64, height: 48,
      sizes: (0..<400).map { 500 + ($0 * 7919) % 3000 }, times: Course.jittered(400)),
    Course(
      name: "JPEGs of one size, then one of another", codec: .mjpeg, width: 64, height: 48,
      sizes: [Int](repeating: 1500, count: 399) + [700], times: Course.steady(400)),
    Course(
      name: "raw in MOV", codec: .raw(.yuyv422), width: 32, height: 24,
      sizes: [Int](repeating: 1536, count: 400), times: Course.steady(400)),
    Course(
      name: "raw in NUT", codec: .raw(.gray), width: 100, height: 60,
      sizes: [Int](repeating: 6000, count: 400), times: Course.jittered(400)),
    Course(
      name: "tiny frames in NUT with equal starts", codec: .raw(.gray), width: 32, height: 16,
      sizes: [Int](repeating: 512, count: 400), times: Course.jittered(400)),
  ]

  /// Writes a file with the frames of `course`, up to `limit` or `count`.
  private func write(_ course: Course, limit: Int64?, count: Int = .max) throws -> (frames: Int, size: Int64)
  {
    let path = folder.path("\(UUID()).film")
    let container = Container.forMaster(course.codec)
    var muxer = try Muxer(
      to: OutputFile(FilePath(path)), container: container,
      video: VideoTrack(codec: course.codec, width: course.width, height: course.height),
      timescale: 1_000_000, metadata: ["comment": "a master"], hasCaptureRate: true, sizeLimit: limit)
    var frames = 0
    for (size, time) in zip(course.sizes, course.times).prefix(count) {
      // Some begin with bytes that NUT elides from small packets.
      let bytes: [UInt8] = [0, 0, 1, UInt8(frames & 0xFF)] + [UInt8](repeating: 7, count: size - 4)
      guard try muxer.hasRoom(for: bytes, timestamp: time, duration: 4167) else { break }
      try muxer.write(bytes, timestamp: time, duration: 4167)
      frames += 1
    }
    try muxer.finish(captureRate: 240)
    return (frames, Int64(try Stat(FilePath(path)).size))
  }

  @Test("leaves no room for one more frame", arguments: courses)
  func exact(_ course: Course) throws {
    let whole = try write(course, limit: nil)
    #expect(whole.frames == 400)
    for limit in [whole.size / 40, whole.size / 7, whole.size / 3, whole.size - 1, whole.size] {
      let limited = try write(course, limit: limit)
      #expect(limited.frames > 0)
      #expect(limited.size <= limit)
      let next = try write(course, limit: nil, count: limited.frames + 1)
      #expect(limited.frames == 400 || next.size > limit, "\(limit): \(limited) and \(next)")
      #expect((limited.frames == 400) == (limit == whole.size))
    }
  }

  @Test("gives the same result from running totals as from a full count, even beyond 4 GiB")
  func bounds() throws {
    let header = MuxerHeader(
      container: .mov, video: VideoTrack(codec: .mjpeg, width: 64, height: 48), audio: nil,
      timescale: 1_000_000, placement: .end, metadata: [:], hasCaptureRate: false)
    let path = FilePath(folder.path("big.mov"))
    let packets = (0..<64).map { (index: Int64) in
      var packet = WrittenPacket(
        UnsafeRawBufferPointer(start: nil, count: 0), presented: index * 4167, decoded: index * 4167,
        duration: 4167)
      packet.size = 100_000_000 + Int32(index)
      return packet
    }
    // The number of frames that fit, by a full count for each.
    func fitting(_ limit: Int64) throws -> Int {
      for count in packets.indices {
        var fresh = FileSizeLimit(limit, of: header, path: path)
        for packet in packets[..<count] { fresh.enter(packet) }
        guard try fresh.holds(packets[count]) else { return count }
      }
      return packets.count
    }
    for limit: Int64 in [400_000_000, 4_200_000_000, 4_300_000_000, 4_400_003_000, 6_000_000_000] {
      var running = FileSizeLimit(limit, of: header, path: path)
      var count = 0
      while count < packets.count, try running.holds(packets[count]) {
        running.enter(packets[count])
        count += 1
      }
      #expect(try count == fitting(limit))
      #expect(count == Int(limit / 100_000_000) || count == Int(limit / 100_000_000) - 1)
    }
  }
}
