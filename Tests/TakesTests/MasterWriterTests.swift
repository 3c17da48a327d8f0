import Platform
import CameraModel
import FrameJudge
import Foundation
import Media
import SystemPackage
import Testing
import Timebase

@testable import Takes

@Suite("A master's writer")
struct MasterWriterTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var path: FilePath { FilePath(folder.path("x.master.mov")) }

  private func writer(sizeLimit: Int64? = nil) throws -> MasterWriter {
    try MasterWriter(
      to: path, as: #require(MasterFormat(.yuyv)),
      of: FrameFormat(
        .yuyv, width: 64, height: 48, acceptedInterval: FrameInterval(1, 240), clock: .monotonic),
      replacing: false, sizeLimit: sizeLimit)
  }

  private let frame = [UInt8](repeating: 7, count: 64 * 48 * 2)

  private func write(_ times: [Int64], to writer: MasterWriter) throws {
    for (number, time) in times.enumerated() {
      try frame.withUnsafeBytes {
        try writer.write($0, sequence: UInt32(number), timestampNanoseconds: time)
      }
    }
  }

  @Test("writes times in whole microseconds, each later than the last, and can be played from every frame")
  func times() throws {
    let writer = try writer()
    try write([5_000_000, 9_166_999, 9_166_998, 9_168_001, 20_000_000], to: writer)
    try writer.finish()
    var video = try Demuxer(path)
    var times: [Int64?] = []
    while let packet = try video.nextPacket() { times.append(packet.presentationTimestamp) }
    #expect(times == [0, 4166, 4167, 4168, 15_000])
    #expect(video.timeBase.denominator == 1_000_000)
    // A list of keyframes exists only if not every frame is one.
    #expect(try Data(contentsOf: URL(filePath: path.string)).firstRange(of: Data("stss".utf8)) == nil)
    #expect(writer.bytesWritten == Int64(5 * frame.count))
  }

  @Test("accepts all frames if nothing limits it, and does not wait for the disk once it has finished")
  func readiness() throws {
    let writer = try writer()
    #expect(try frame.withUnsafeBytes { try writer.hasRoom(for: $0, timestampNanoseconds: 0) })
    try write([0], to: writer)
    try writer.finish()
    #expect(writer.isReady(forBytes: 1 << 40))
  }

  @Test("accepts only frames that fit, and fails if none does")
  func limit() throws {
    let writer = try writer(sizeLimit: Int64(frame.count) * 2)
    func hasRoom(_ time: Int64) throws -> Bool {
      try frame.withUnsafeBytes { try writer.hasRoom(for: $0, timestampNanoseconds: time) }
    }
    #expect(try hasRoom(0))
    try write([0], to: writer)
    #expect(try !hasRoom(4_000_000))
    try writer.finish()
    #expect(try Stat(path).size <= frame.count * 2)
    let small = try MasterWriter(
      to: FilePath(folder.path("y.master.mov")), as: #require(MasterFormat(.yuyv)),
      of: FrameFormat(.yuyv, width: 64, height: 48), replacing: false, sizeLimit: Int64(frame.count))
    let error = #expect(throws: OvercrankError.self) {
      try frame.withUnsafeBytes { try small.hasRoom(for: $0, timestampNanoseconds: 0) }
    }
    #expect(error?.code == .outOfRange && error?.remedy == .allowLargerFile)
  }

  @Test("does not replace a file that took its name meanwhile, and reports it")
  func taken() throws {
    let writer = try writer()
    try write([0, 4_000_000], to: writer)
    try Data("other".utf8).write(to: URL(filePath: path.string))
    let error = #expect(throws: OvercrankError.self) { try writer.finish() }
    #expect(error?.code == .cannotCreate)
    #expect(try Data(contentsOf: URL(filePath: path.string)) == Data("other".utf8))
  }
}
