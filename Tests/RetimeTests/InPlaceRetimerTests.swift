import FrameJudge
import Foundation
import Media
import Platform
import SystemPackage
import Testing
import Timebase

@testable import Retime

@Suite(.tags(.program), .timeLimit(.minutes(1))) struct InPlaceRetimerTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func speed(_ factor: Fraction) throws -> Speed { try #require(Speed(factor)) }

  /// The times of all frames, in seconds.
  func times(_ path: String) throws -> [Fraction] { try times(Probe(path)) }

  private func times(_ probe: Probe) throws -> [Fraction] {
    let terms = try #require(probe.streams.first?.time_base.split(separator: "/").compactMap { Int64($0) })
    return probe.packets.compactMap(\.pts).map { Fraction($0 * terms[0], terms[1]) }
  }

  /// A video whose index is at its end or in front.
  func video(_ count: Int, index: Muxer.IndexPlacement = .end) throws -> String {
    let path = folder.path("film-\(count).mov")
    try NumberedVideo(numbers: (0..<UInt32(count)).map { $0 }).write(to: path, index: index)
    return path
  }

  @Test("a master is retimed exactly, again and again and back, wherever its index is")
  func master() throws {
    var moves = 0
    for count in 10..<22 {
      let path = try video(count)
      let before = try times(path)
      let size = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
      var factor = Fraction(1)
      for step in [Fraction(1, 8), Fraction(1, 4), Fraction(4), Fraction(1, 5), Fraction(40)] {
        try InPlaceRetimer(FilePath(path), speed: speed(step)).retime()
        factor = factor * step
        let probe = try Probe(path)
        #expect(try times(probe) == before.map { $0 / factor })
        #expect(probe.streams.first?.nb_frames == "\(count)")
      }
      #expect(try StripVideo(path).numbers == (0..<UInt32(count)).map { $0 })
      let boxes = try boxes(of: path)
      #expect(boxes.filter { $0 == "moov" }.count == 1)
      // At most one old index is left, whose place the next one takes.
      let grown = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) - size
      if grown > 0 { moves += 1 }
      #expect(boxes.filter { $0 == "free" }.count <= (grown > 0 ? 1 : 0))
    }
    // Both ways were used: within a sector, and by a copy of the index.
    #expect(moves > 0 && moves < 12)
  }

  @Test("an index in front stays there, and the comment states the new speed")
  func front() throws {
    let path = try video(20, index: .front(frameCount: 20))
    let (before, order) = (try times(path), try boxes(of: path))
    try InPlaceRetimer(FilePath(path), speed: speed(Fraction(1, 8))).retime()
    #expect(try times(path) == before.map { $0 * Fraction(8) })
    #expect(try boxes(of: path) == order)
    // "Overcrank, speed 1" had no room for "1/8".
    #expect(try Probe(path).format.tags?["comment"] == "Overcrank at 1/8")
    #expect(SourcePace(FilePath(path))?.speed == Fraction(1, 8))
    for step in [Fraction(1, 125), Fraction(25), Fraction(5)] {
      try InPlaceRetimer(FilePath(path), speed: speed(step)).retime()
    }
    #expect(try Probe(path).format.tags?["comment"] == "Overcrank at 1/8")
    try InPlaceRetimer(FilePath(path), speed: speed(Fraction(8))).retime()
    #expect(try Probe(path).format.tags?["comment"] == "Overcrank, speed 1")
    try InPlaceRetimer(FilePath(path), speed: speed(Fraction(1, 8))).retime()
    #expect(try Probe(path).format.duration?.hasPrefix("0.66") == true)
  }

  @Test("a master that another program has encoded again states no speed, though it keeps the comment")
  func codedAnew() throws {
    let path = try video(20)
    let copy = folder.path("anew.mov")
    try Program.ffmpeg("-i", path, "-c:v", "mpeg4", "-metadata", "comment=Overcrank, master", copy)
    #expect(try Probe(copy).format.tags?["comment"] == "Overcrank, master")
    #expect(SourcePace(FilePath(copy)) == nil)
  }

  @Test("a raw master, which also states its colours, is retimed and keeps them")
  func raw() throws {
    let path = folder.path("raw.mov")
    var color = ColorDescription.bt709
    color.range = .full
    var muxer = try Muxer(
      to: OutputFile(FilePath(path)), container: .mov,
      video: VideoTrack(codec: .raw(.yuyv422), width: 32, height: 16, color: color), timescale: 1_000_000,
      metadata: ["comment": "Overcrank 0.1", "creation_time": "2025-05-04T10:00:00.250000Z"],
      hasCaptureRate: true)
    for number in 0..<6 {
      let frame = [UInt8](repeating: UInt8(number), count: 32 * 16 * 2)
      try frame.span.bytes.withUnsafeBytes { bytes throws(OvercrankError) in
        try muxer.write(bytes, timestamp: Int64(number) * 4000, duration: 4000)
      }
    }
    try muxer.finish(captureRate: 250)
    let before = try times(path)
    try InPlaceRetimer(FilePath(path), speed: speed(Fraction(1, 8))).retime()
    #expect(try times(path) == before.map { $0 * Fraction(8) })
    let video = try Demuxer(FilePath(path))
    #expect(video.track.color.range == .full && video.creationTime?.hasPrefix("2025-05-04T10:00:00") == true)
    #expect(try Probe(path).format.tags?["comment"] == "Overcrank 0.1")
    #expect(SlowMotionTags(FilePath(path)).androidRate == Fraction(250))
  }

  @Test("speeds that whole ticks cannot express are refused, and nothing is changed")
  func inexact() throws {
    let path = try video(10)
    let before = try Data(contentsOf: URL(filePath: path))
    let error = #expect(throws: OvercrankError.self) {
      try InPlaceRetimer(FilePath(path), speed: speed(Fraction(1, 7))).retime()
    }
    #expect(error?.code == .unsupported)
    #expect(error?.remedy == .copy)
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test(
    "a foreign or incomplete file is refused, and nothing is changed",
    arguments: ["other", "audio", "cut", "text"])
  func refused(kind: String) throws {
    let path = folder.path("film.mp4")
    switch kind {
    case "text": try Data("This is not a film.".utf8).write(to: URL(filePath: path))
    case "audio":
      try Program.ffmpeg(
        "-f", "lavfi", "-i", "testsrc=d=0.2:s=64x64", "-f", "lavfi", "-i", "sine=d=0.2", "-metadata",
        "comment=Overcrank", path)
    default: try Program.ffmpeg("-f", "lavfi", "-i", "testsrc=d=0.2:s=64x64", "-c:v", "libx264", path)
    }
    var before = try Data(contentsOf: URL(filePath: path))
    if kind == "cut" {
      before.removeLast(before.count / 2)
      try before.write(to: URL(filePath: path))
    }
    let error = #expect(throws: OvercrankError.self) {
      try InPlaceRetimer(FilePath(path), speed: speed(Fraction(1, 8))).retime()
    }
    #expect(error?.code == (kind == "audio" ? .unsupported : .badData), "\(error?.description ?? "")")
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test(
    "what an interrupted change left is removed", arguments: ["zeros", "part", "whole", "second"])
  func leftovers(kind: String) throws {
    let path = try video(12)
    let url = URL(filePath: path)
    let before = try times(path)
    let whole = try Data(contentsOf: url)
    let start = try #require(whole.range(of: Data("moov".utf8), options: .backwards)?.lowerBound) - 4
    var copy = whole[start...]
    if kind != "second" {
      copy.replaceSubrange(copy.startIndex + 4..<copy.startIndex + 8, with: Data("free".utf8))
    }
    switch kind {
    case "zeros": copy = Data(count: 1000)
    case "part": copy = copy.dropLast(copy.count / 2)
    default: break
    }
    try (whole + copy).write(to: url)
    // It plays at its old speed.
    #expect(try times(path) == before)
    for _ in 0..<2 { try InPlaceRetimer(FilePath(path), speed: speed(Fraction(1, 2))).retime() }
    #expect(try times(path) == before.map { $0 * Fraction(4) })
    #expect(try boxes(of: path).filter { $0 == "moov" }.count == 1)
  }

  /// Kills the program before each of its writes: the disk then has everything that was written before.
  @Test("a kill at any write leaves the old or the new speed, and the next change completes it")
  func killed() throws {
    var (stretches, moves) = (Set<Fraction>(), 0)
    for count in 10..<13 {
      let original = try video(count)
      let before = try times(original)
      let size = try Data(contentsOf: URL(filePath: original)).count
      for call in 1...4 {
        let path = folder.path("killed.mov")
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.copyItem(atPath: original, toPath: path)
        let trace = [
          "-f", "-qq", "-o", "/dev/null", "-e", "trace=pwrite64", "-e",
          "inject=pwrite64:signal=KILL:when=\(call)",
          OvercrankProgram.url.path, "retime", path, "--copy", "--in-place", "--speed", "1/8",
        ]
        _ = try? Program.run("strace", trace)
        let after = try times(path)
        let stretch = after == before ? Fraction(1) : Fraction(8)
        #expect(after == before.map { $0 * stretch })
        stretches.insert(stretch)
        try InPlaceRetimer(FilePath(path), speed: speed(Fraction(1, 2))).retime()
        #expect(try times(path) == before.map { $0 * stretch * Fraction(2) })
        #expect(try boxes(of: path).filter { $0 == "moov" }.count == 1)
        if try Data(contentsOf: URL(filePath: path)).count > size { moves += 1 }
      }
      #expect(try StripVideo(folder.path("killed.mov")).numbers == (0..<UInt32(count)).map { $0 })
    }
    #expect(stretches == [Fraction(1), Fraction(8)])
    #expect(moves > 0)
  }
}
