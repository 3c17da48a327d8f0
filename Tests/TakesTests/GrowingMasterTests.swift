import Platform
import FrameJudge
import Foundation
import Media
import SystemPackage
import Testing
import Timebase

@testable import Takes

@Suite("A master that is read while it is written")
struct GrowingMasterTests {
  let folder: TemporaryFolder
  private let growing = GrowingMaster()

  init() throws { folder = try TemporaryFolder() }

  private var path: FilePath { FilePath(folder.path("x.master.nut")) }

  private func writer() throws -> MasterWriter {
    try MasterWriter(
      to: path, as: #require(MasterFormat(.grey)), of: CutOffRecording.frames, replacing: false,
      growing: growing)
  }

  private func write(_ number: UInt32, to writer: MasterWriter) throws {
    try CutOffRecording.frame(number).withUnsafeBytes {
      try writer.write($0, sequence: number, timestampNanoseconds: CutOffRecording.time(of: number))
    }
    try writer.checkpoint()
  }

  @Test("has each frame once, as soon as the file certainly holds it, and the last at its end")
  func frames() throws {
    #expect(growing.video == nil && !growing.hasEnded)
    let writer = try writer()
    let video = try #require(growing.video)
    #expect(video.path == path && video.nominalInterval == Fraction(1, 240))
    #expect(video.track.width == 64 && video.track.height == 48)
    var frames: [GrowingMaster.Frame] = []
    for number in 0..<5 as Range<UInt32> {
      try write(number, to: writer)
      frames += growing.takeFrames()
      // The newest is in the file when the journal is next written.
      #expect(frames.count == Int(number))
    }
    #expect(!growing.hasEnded)
    try writer.finish()
    #expect(growing.hasEnded)
    frames += growing.takeFrames()
    #expect(frames.map(\.sequence) == Array(0..<5))
    #expect(frames.map(\.timestamp.nanoseconds) == (0..<5).map { CutOffRecording.time(of: $0) })
    for (index, frame) in frames.enumerated() {
      let packet = try video.packet(of: frame, index)
      #expect(packet.presentationTimestamp == Int64(index) && packet.isKeyframe)
      #expect(packet.withBytes { Array($0) } == CutOffRecording.frame(UInt32(index)))
    }
    #expect(growing.takeFrames().isEmpty)
  }

  @Test("ends with its writer, even one that never finished")
  func dropped() throws {
    do { try write(0, to: try writer()) }
    #expect(growing.hasEnded && growing.takeFrames().isEmpty)
  }

  @Test("is not read beyond a truncation")
  func cutShort() throws {
    let writer = try writer()
    for number in 0..<2 as Range<UInt32> { try write(number, to: writer) }
    let (video, frame) = (try #require(growing.video), try #require(growing.takeFrames().first))
    // Unfinished, it might still write.
    try writer.finish()
    let file = try FileHandle(forWritingTo: URL(filePath: path.string))
    try file.truncate(atOffset: 1000)
    let error = #expect(throws: OvercrankError.self) { try video.packet(of: frame, 0) }
    #expect(error?.code == .inputOutput)
  }
}
