import FrameJudge
import Foundation
import Platform
import SystemPackage
import Testing
import Timebase

@testable import Media

@Suite struct VideoCoderTests {
  let folder: TemporaryFolder
  let clipColor = ColorDescription(primaries: .bt709, transfer: .srgb, matrix: .bt601, range: .limited)

  init() throws { folder = try TemporaryFolder() }

  /// Returns a picture of one brightness.
  func flat(_ luma: UInt8, width: Int = 64, height: Int = 48) throws -> Picture {
    var pool = PicturePool()
    let picture = try pool.picture(layout: .yuv420p, width: width, height: height, color: clipColor)
    for plane in 0..<3 {
      let base = try #require(picture.planeBases[plane])
      let rows = plane == 0 ? height : height / 2
      base.update(repeating: plane == 0 ? luma : 128, count: rows * Int(picture.planeStrides[plane]))
    }
    return picture
  }

  /// Encodes pictures of rising brightness, and muxes them to MP4.
  func encode(_ count: Int, preset: VideoEncoder.Preset, to path: String) throws {
    let rate = try #require(FrameRate(Fraction(30_000, 1001)))
    var encoder = try VideoEncoder(
      width: 64, height: 48, rate: rate, color: clipColor, pixelAspectRatio: Fraction(4, 3), preset: preset,
      quality: 10)
    var muxer = try Muxer(
      to: OutputFile(FilePath(path)), container: .mp4, video: encoder.track, timescale: 30_000,
      index: .front(frameCount: count))
    for index in 0...count {
      if index < count {
        try encoder.send(flat(UInt8(16 + index * 4)), timestamp: Int64(index))
      } else {
        try encoder.finish()
      }
      while let packet = try encoder.nextPacket() {
        try muxer.write(packet, ticks: 1001)
      }
    }
    try muxer.finish()
  }

  @Test(
    .tags(.program), .timeLimit(.minutes(1)), arguments: [VideoEncoder.Preset.ultrafast, .veryfast, .medium])
  func encodedVideoHasItsTimesColoursAndIndex(preset: VideoEncoder.Preset) throws {
    let path = folder.path("a.mp4")
    try encode(40, preset: preset, to: path)
    let probe = try Probe(path)
    #expect(probe.packets.compactMap(\.pts).sorted() == (0..<40).map { $0 * 1001 })
    #expect(probe.packets.allSatisfy { $0.duration == 1001 })
    let stream = try #require(probe.streams.first)
    #expect(stream.codec_name == "h264" && stream.pix_fmt == "yuv420p" && stream.nb_frames == "40")
    #expect(stream.avg_frame_rate == "30000/1001")
    #expect(stream.duration_ts == 40_040)
    #expect(stream.color_range == "tv" && stream.color_space == "smpte170m")
    #expect(stream.color_primaries == "bt709" && stream.color_transfer == "iec61966-2-1")
    #expect(stream.sample_aspect_ratio == "4:3")
    let boxes = try boxes(of: path)
    #expect(try #require(boxes.firstIndex(of: "moov")) < #require(boxes.firstIndex(of: "mdat")))
  }

  /// libx264 writes its settings into the video.
  @Test(arguments: [(VideoEncoder.Preset.veryfast, "me=dia"), (.faster, "me=hex")])
  func onlyTheUsualPresetSeeksMotionByADiamond(preset: VideoEncoder.Preset, search: String) throws {
    try encode(2, preset: preset, to: folder.path("a.mp4"))
    #expect(
      try Data(contentsOf: URL(filePath: folder.path("a.mp4"))).firstRange(of: Data(" \(search) ".utf8))
        != nil)
  }

  @Test func decoderGivesEveryPictureInTheOrderShown() throws {
    let path = folder.path("a.mp4")
    try encode(40, preset: .medium, to: path)
    var video = try Demuxer(FilePath(path))
    var decoder = try VideoDecoder(video.track)
    var shown: [Int] = []
    var times: [Int64?] = []
    var isReordered = false
    var isAtEnd = false
    while !isAtEnd {
      if let packet = try video.nextPacket() {
        isReordered = isReordered || packet.presentationTimestamp != packet.decodeTimestamp
        try decoder.send(packet)
      } else {
        isAtEnd = true
        try decoder.finish()
      }
      while let picture = try decoder.nextPicture() {
        shown.append(Int(picture.withRow(20, plane: 0) { $0[20] }))
        times.append(picture.timestamp)
        #expect(picture.color == clipColor)
        #expect(!picture.isDamaged)
      }
    }
    #expect(isReordered)
    #expect(times == (0..<40).map { $0 * 1001 })
    #expect(zip(shown, 0..<40).allSatisfy { abs($0 - (16 + $1 * 4)) <= 2 })
  }

  @Test func largePicturesAreEncodedWithoutHugePages() throws {
    _ = try VideoEncoder(
      width: 1920, height: 1080, rate: FrameRate(whole: 30), color: clipColor, preset: .ultrafast, quality: 20
    )
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    // A kernel without huge pages has no such line.
    let line = status.split(separator: "\n").first { $0.hasPrefix("THP_enabled:") }
    #expect(line?.hasSuffix("0") ?? true)
  }

  @Test("large pictures are accepted by libx265 with any preset", arguments: VideoEncoder.Preset.allCases)
  func largeHEVC(preset: VideoEncoder.Preset) throws {
    guard (try? VideoEncoder.Kind.hevc.check()) != nil else { return }
    _ = try VideoEncoder(
      .hevc, width: 1920, height: 1080, rate: FrameRate(whole: 30), color: clipColor, preset: preset,
      quality: 20)
  }

  @Test(arguments: [(63, 48), (16384, 16384)]) func sizeThatCannotBeEncodedIsRefused(width: Int, height: Int)
    throws
  {
    var failure: OvercrankError?
    do {
      _ = try VideoEncoder(
        width: width, height: height, rate: FrameRate(whole: 30), color: clipColor, preset: .veryfast,
        quality: 20)
    } catch {
      failure = error
    }
    #expect(failure?.code == .unsupported)
    #expect(failure?.description.contains("\(width)x\(height)") == true)
  }
}

extension Muxer {
  /// Writes an encoder's packet, whose ticks are pictures.
  mutating func write(_ packet: Packet, ticks: Int64) throws(OvercrankError) {
    let presented = packet.presentationTimestamp ?? 0
    let decoded = packet.decodeTimestamp ?? 0
    try packet.withBytes { bytes throws(OvercrankError) in
      try write(
        bytes, presented: presented * ticks, decoded: decoded * ticks, duration: ticks,
        isKeyframe: packet.isKeyframe)
    }
  }
}
