import FrameJudge
import Foundation
import Platform
import SystemPackage
import Testing
import Timebase

@testable import Media
@testable import Retime

@Suite("A source without display times in its index")
struct PacketScanTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func scan(ofAVI chunks: String) throws -> PacketScan {
    let path = folder.path("a.avi")
    try BareAVI(chunks: chunks.split(separator: ",", omittingEmptySubsequences: false).map(String.init))
      .write(to: path)
    return try PacketScan(FilePath(path))
  }

  /// Writes twelve pictures coded as H.264 at 125 a second, with the first shown at `start`, in milliseconds.
  private func video(_ name: String, _ preset: VideoEncoder.Preset, from start: Int64 = 40) throws -> String {
    let path = folder.path(name)
    let color = ColorDescription(primaries: .bt709, transfer: .srgb, matrix: .bt601, range: .limited)
    var encoder = try VideoEncoder(
      width: 64, height: 48, rate: FrameRate(whole: 125), color: color, preset: preset, quality: 20)
    let container = try #require(FilePath(path).extension.flatMap(Container.init(fileExtension:)))
    var muxer = try Muxer(
      to: OutputFile(FilePath(path)), container: container, video: encoder.track, timescale: 1000)
    var pool = PicturePool()
    for index in 0...12 {
      if index < 12 {
        let picture = try pool.picture(layout: .yuv420p, width: 64, height: 48, color: color)
        for plane in 0..<3 {
          try #require(picture.planeBases[plane]).update(
            repeating: UInt8(index * 20), count: (plane == 0 ? 48 : 24) * Int(picture.planeStrides[plane]))
        }
        try encoder.send(picture, timestamp: Int64(index))
      } else {
        try encoder.finish()
      }
      while let packet = try encoder.nextPacket() {
        try muxer.write(
          packet, presented: start + 8 * (packet.presentationTimestamp ?? 0),
          decoded: start + 8 * (packet.decodeTimestamp ?? 0), duration: 8)
      }
    }
    try muxer.finish()
    return path
  }

  @Test("has those that a decoder would give, if it has only decode times")
  func reordered() throws {
    let scan = try scan(ofAVI: "I,P,B,B,P,B,B,P")
    #expect(!scan.isStamped && scan.cutOff == nil && scan.restartCount == 0)
    #expect(scan.times == (1...8).map { FrameTime(timestamp: $0, duration: 1) })
    // Each before the B-frames that follow it.
    #expect((0..<9).map(scan.shownTime) == [0, 3, 1, 2, 6, 4, 5, 7, nil])
    #expect((0..<9).map(scan.decodeTime) == [-1, 0, 1, 2, 3, 4, 5, 6, nil])
    #expect(scan.keyframes.map(\.place) == [0] && scan.keyframes.map(\.timestamp) == [0])
  }

  @Test("has a step at missing frames")
  func skipped() throws {
    let scan = try scan(ofAVI: "I,,P,B,P,I")
    #expect(scan.times.map(\.timestamp) == [2, 3, 4, 5, 6])
    #expect((0..<5).map(scan.shownTime) == [0, 2, 1, 3, 4])
    #expect(scan.keyframes.map(\.place) == [0, 4] && scan.keyframes.map(\.timestamp) == [0, 4])
  }

  @Test("has no order if two frames are in one packet")
  func packed() throws {
    let scan = try scan(ofAVI: "I,PB,P,P")
    #expect(scan.times.count == 4)
    #expect((0..<4).allSatisfy { scan.shownTime($0) == nil && scan.decodeTime($0) == nil })
  }

  @Test("has decode times computed from display times")
  func stamped() throws {
    let path = try video("a.mkv", .medium)
    let scan = try PacketScan(FilePath(path))
    #expect(scan.isStamped && scan.times.map(\.timestamp) == (0..<12).map { 40 + 8 * $0 })
    var demuxer = try Demuxer(FilePath(path))
    var shown: [Int64] = []
    while let packet = try demuxer.nextPacket() { shown.append(try #require(packet.presentationTimestamp)) }
    #expect(shown != shown.sorted())
    let decoded = (0..<12).compactMap(scan.decodeTime)
    #expect(decoded == scan.times.map { $0.timestamp - 40 + decoded[0] })
    // As late as possible.
    #expect(zip(decoded, shown).map { $1 - $0 }.min() == 0)
    #expect((0..<12).allSatisfy { scan.shownTime($0) == nil })
    #expect(scan.keyframes.map(\.place) == [0] && scan.keyframes.map(\.timestamp) == [40])
  }

  @Test("keeps the decode times that it states")
  func inOrder() throws {
    let scan = try PacketScan(FilePath(video("a.mkv", .ultrafast)))
    #expect(scan.isStamped && scan.times.map(\.timestamp) == (0..<12).map { 40 + 8 * $0 })
    #expect((0..<12).allSatisfy { scan.decodeTime($0) == nil && scan.shownTime($0) == nil })
  }

  @Test("begins with frames whose times are too early for Matroska", arguments: [0, 1, 2, 3, 12])
  func beforeZero(_ count: Int) throws {
    let path = try video("a.mkv", .ultrafast)
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    // The first cluster is at 40 ms; a block 50 ms or more before that has no time.
    let cluster = try #require(Data(bytes).firstRange(of: Data([0x1f, 0x43, 0xb6, 0x75]))).upperBound
    let blocks = bytes.indices.dropLast(3).filter { place in
      place > cluster && bytes[place] == 0x81 && bytes[place + 1] == 0 && bytes[place + 2].isMultiple(of: 8)
        && [0x80, 0x00].contains(bytes[place + 3]) && bytes[place + 4...place + 5].elementsEqual([0, 0])
    }
    #expect(blocks.map { Int(bytes[$0 + 2]) } == (0..<12).map { 8 * $0 })
    for (index, place) in blocks.prefix(count).enumerated() {
      bytes[place + 1] = 0xff
      bytes[place + 2] = UInt8(256 - 160 + 8 * index)
    }
    try Data(bytes).write(to: URL(filePath: path))
    let scan = try PacketScan(FilePath(path))
    #expect(scan.isStamped == (count == 0))
    // If none has a time, they follow one another.
    let start: Int64 = count == 12 ? 0 : 40
    #expect(scan.times == (0..<12).map { FrameTime(timestamp: start + 8 * $0, duration: 8) })
    #expect((0..<12).allSatisfy { scan.decodeTime($0) == nil && scan.shownTime($0) == nil })
  }

  @Test("omits frames that are only for decoding")
  func hidden() throws {
    let path = try video("a.mp4", .ultrafast, from: 0)
    var bytes = try Data(contentsOf: URL(filePath: path))
    let list = try #require(bytes.firstRange(of: Data("elst".utf8))).upperBound
    // After version, flags, the number of entries and a length: the start of the shown part, in milliseconds.
    try #require(bytes[list..<list + 8] == Data([0, 0, 0, 0, 0, 0, 0, 1]))
    bytes[list + 15] += 16
    try bytes.write(to: URL(filePath: path))
    let scan = try PacketScan(FilePath(path))
    let start = try #require(scan.times.first).timestamp
    #expect(scan.times.map(\.timestamp) == (0..<10).map { start + 8 * $0 })
  }

  @Test("is refused if its images differ in size")
  func images() throws {
    for (index, side) in [16, 16, 32].enumerated() {
      let luma = [UInt8](repeating: 90, count: side * side)
      let chroma = [UInt8](repeating: 128, count: side / 2 * side)
      let image = try JPEGEncoder(quality: 90).encode(
        luma: luma.span, blue: chroma.span, red: chroma.span, width: side, height: side)
      try Data(image).write(to: URL(filePath: folder.path("f\(index).jpg")))
    }
    let error = #expect(throws: OvercrankError.self) { try PacketScan(FilePath(folder.path("f%d.jpg"))) }
    #expect(error?.code == .badData && error?.description.contains("f2.jpg: is 32x32") == true)
  }
}

@Suite("When the frames of a source were captured")
struct VideoTimingTests {
  let folder: TemporaryFolder
  private let video = NumberedVideo(numbers: Array(0..<10))

  init() throws { folder = try TemporaryFolder() }

  private func timing(_ path: String, _ timing: [FrameTiming]? = nil) throws -> SourceTiming {
    try SourceTiming(of: ClipSource(FilePath(path), timing: timing), in: Demuxer(FilePath(path)))
  }

  private var times: [Instant] { video.timing.map { $0.timestamp - .seconds(1) } }

  @Test("is read from the index of a complete one")
  func whole() throws {
    let path = folder.path("a.mov")
    try video.write(to: path)
    let timing = try timing(path)
    #expect(timing.frames.map(\.timestamp) == times)
    #expect(timing.frames.allSatisfy { $0.sequence == nil })
    #expect(timing.cadence.lastInterval == Fraction(4166, 1_000_000))
    #expect(timing.timestamps == nil && timing.cutOff == nil && timing.restartCount == 0)
  }

  @Test("is known for the remaining frames of a truncated one, from its index or its take")
  func cutOff() throws {
    let path = folder.path("a.mov")
    try video.write(to: path, index: .front(frameCount: 10))
    let bytes = try Data(contentsOf: URL(filePath: path))
    let seventh = try #require(bytes.firstRange(of: Data(video.coded(7))))
    try bytes.prefix(seventh.upperBound - 9).write(to: URL(filePath: path))
    for known in [nil, video.timing] {
      let timing = try timing(path, known)
      #expect(
        timing.frames == known.map { Array($0.prefix(7)) }
          ?? times.prefix(7).map { FrameTiming(timestamp: $0) })
      #expect(timing.cutOff?.description.contains(": 7 frames can be read") == true)
    }
  }

  @Test("is refused if its take has other frames", arguments: [9, 11])
  func other(_ count: Int) throws {
    let path = folder.path("a.mov")
    try video.write(to: path)
    let frames = NumberedVideo(numbers: Array(0..<UInt32(count))).timing
    let error = #expect(throws: OvercrankError.self) { try timing(path, frames) }
    #expect(error?.code == .badData && error?.description.contains("holds 10 frames") == true)
  }
}
