import AudioModel
import CameraModel
import FrameJudge
import Foundation
import Media
import Platform
import SystemPackage
import Testing
import Timebase

@testable import Takes

@Suite("Audio of a master that was cut off", .tags(.program), .timeLimit(.minutes(1)))
struct CutOffAudioTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let start: Int64 = 1_000_000_000

  /// Ten milliseconds of noise.
  private func samples(_ block: Int64) -> [UInt8] {
    var random = SplitMix(state: UInt64(block))
    return (0..<480 * 4).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }

  /// Records frames and audio into `path`, 400 ms of it with a hole of 20 ms, and drops the writer.
  private func record(_ path: String, _ pixels: PixelFormat) throws -> [UInt8] {
    let frames = FrameFormat(
      pixels, width: 64, height: 48, acceptedInterval: FrameInterval(1, 50), clock: .monotonic)
    let format = try #require(MasterFormat(pixels))
    let audio = AudioInput(
      device: "hw:1,0", format: try #require(AudioFormat(.s16, rate: 48_000, channels: 2)))
    let writer = try MasterWriter(
      to: FilePath(path), as: format, of: frames, replacing: false, audio: audio,
      metadata: CutOffRecording.metadata)
    let size = try #require(format.codec.byteCount(width: 64, height: 48))
    var all: [UInt8] = []
    for number in 0..<20 {
      var random = SplitMix(state: UInt64(number + 1000))
      let frame = (0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      try frame.withUnsafeBytes {
        try writer.write(
          $0, sequence: UInt32(number), timestampNanoseconds: Self.start + Int64(number) * 20_000_000)
      }
      for half in 0..<2 where number > 0 {
        let block = Int64(2 * (number - 1) + half)
        let isHole = number == 5
        let bytes = isHole ? [UInt8](repeating: 0, count: 1920) : samples(block)
        // A microphone that is 100 millionths fast.
        let time = isHole ? nil : Instant(nanoseconds: Self.start + 250_000 + block * 9_999_000)
        try bytes.withUnsafeBytes { try writer.writeAudio($0, at: time) }
        all += bytes
      }
    }
    try writer.checkpoint()
    return all
  }

  private func pcm(_ path: String) throws -> [UInt8] {
    let decoded = try Program.run(
      "ffmpeg", ["-v", "error", "-nostdin", "-i", path, "-vn", "-f", "s16le", "-c:a", "copy", "-"])
    return [UInt8](decoded.output)
  }

  private func check(_ take: Take?) throws {
    let audio = try #require(take?.audio)
    #expect((audio.device, audio.format, audio.channels, audio.nominalRate) == ("hw:1,0", .s16, 2, 48_000))
    #expect(audio.samples == 38 * 480)
    #expect((audio.offset - .microseconds(250)) / .seconds(1) < 1e-6)
    // After 0.4 s it is only roughly known.
    #expect((0...110).contains(try #require(audio.drift)))
    #expect(audio.lost.map(\.samples) == [960])
    #expect(audio.lost.map { ($0.time.nanoseconds - Self.start - 80_242_000).magnitude < 50_000 } == [true])
  }

  @Test(
    "is recovered with the frames, bit for bit, in either container", arguments: [PixelFormat.grey, .yuyv])
  func whole(_ pixels: PixelFormat) throws {
    let path = folder.path(pixels == .grey ? "x.master.nut" : "x.master.mov")
    let all = try record(path, pixels)
    let recovered = try CutOffMaster(FilePath(path)).recover(replacing: false)
    #expect(recovered.frames.written == 20 && recovered.frames.lost.total == 0)
    #expect(recovered.unknownBytes == 0 && recovered.keptPart == nil)
    try check(recovered.take)
    #expect(try pcm(path) == all)
    #expect(try folder.names.count == 2)
  }

  @Test("of a complete master without a take is described by the journal")
  func takeless() throws {
    let path = folder.path("x.master.nut")
    let frames = CutOffRecording.frames
    let audio = AudioInput(device: "sim:", format: try #require(AudioFormat(.s16, rate: 48_000, channels: 2)))
    let writer = try MasterWriter(
      to: FilePath(path), as: #require(MasterFormat(.grey)), of: frames, replacing: false, audio: audio,
      metadata: CutOffRecording.metadata, keepingJournal: true)
    for number in 0..<UInt32(10) {
      try CutOffRecording.frame(number).withUnsafeBytes {
        try writer.write($0, sequence: number, timestampNanoseconds: CutOffRecording.time(of: number))
      }
      try samples(Int64(number)).withUnsafeBytes {
        try writer.writeAudio(
          $0, at: Instant(nanoseconds: CutOffRecording.time(of: 0) + Int64(number) * 10_000_000))
      }
    }
    try writer.finish()
    writer.lock?.release()
    let take = try #require(try TakelessMaster(FilePath(path))).recover().take
    #expect(take.audio?.samples == 4800 && take.audio?.lost.isEmpty == true)
  }

  @Test("whose journal entries are damaged is silence, and its bytes are not read as frames")
  func damaged() throws {
    let path = folder.path("x.master.mov")
    let all = try record(path, .yuyv)
    let journal = path + ".part.journal"
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: journal)))
    // An entry of a frame and two of audio, after the eighth frame: 1 + 7 * 3 entries.
    let place = bytes.count - (20 + 38 - 22) * JournalEntry.size
    for index in 0..<3 * JournalEntry.size { bytes[place + index] ^= 0x55 }
    try Data(bytes).write(to: URL(filePath: journal))
    let recovered = try CutOffMaster(FilePath(path)).recover(replacing: false)
    #expect(recovered.damagedEntries == 3)
    #expect(recovered.frames.written == 19 && recovered.frames.lost.disk == 1)
    let heard = try pcm(path)
    #expect(heard.count == all.count)
    // The two blocks after the eighth frame.
    let lost = 14 * 1920..<16 * 1920
    #expect(heard[lost].allSatisfy { $0 == 0 })
    #expect(heard[..<lost.lowerBound] == all[..<lost.lowerBound])
    #expect(heard[lost.upperBound...] == all[lost.upperBound...])
    #expect(recovered.take?.audio?.lost.map(\.samples) == [960, 960])
    #expect(recovered.unknownBytes > 0)
  }

  @Test("has journal entries that are read as they were written", arguments: [Instant(nanoseconds: -5), nil])
  func entry(_ time: Instant?) {
    let entry = JournalEntry(
      sequence: 0xfedc_ba98,
      .audio(offset: 1 << 40, byteCount: 1920, sum: ContentChecksum(77, isOfEnds: true), time: time))
    #expect(JournalEntry(entry.encoded(at: 9)[...], at: 9) == entry)
    #expect(JournalEntry(entry.encoded(at: 9)[...], at: 8) == nil)
  }
}
