import FrameJudge
import Foundation
import Platform
import SystemPackage
import Testing
import Timebase

@testable import Media

/// Sources whose fields show only in their frames, and JPEGs that no camera sends.
@Suite("Packets with fields", .tags(.program), .timeLimit(.minutes(1))) struct FieldPacketTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns a plain grey JPEG.
  func field(_ luma: UInt8, height: Int, polarity: UInt8) throws -> [UInt8] {
    var pool = PicturePool()
    let picture = try pool.picture(layout: .yuv420p, width: 64, height: height, color: .jpeg)
    for (plane, geometry) in try #require(picture.layout.planes(width: 64, height: height)).enumerated() {
      let base = try #require(picture.planeBases[plane])
      for row in 0..<geometry.rows {
        for column in 0..<geometry.bytesPerRow {
          base[row * Int(picture.planeStrides[plane]) + column] = plane == 0 ? luma : 128
        }
      }
    }
    let jpeg = try JPEGEncoder(quality: 95).encode(picture)
    let zeros = [UInt8](repeating: 0, count: 9)
    let marker: [UInt8] = [0xff, 0xe0, 0, 16] + Array("AVI1".utf8) + [polarity] + zeros
    return Array(jpeg[..<2]) + marker + Array(jpeg[2...])
  }

  @Test("of Motion JPEG are woven", arguments: [UInt8(1), 2], ["avi", "mkv"])
  func woven(_ polarity: UInt8, _ container: String) throws {
    let written = FilePath(folder.path("written.mkv"))
    var muxer = try Muxer(
      to: OutputFile(written), container: .mkv, video: VideoTrack(codec: .mjpeg, width: 64, height: 64),
      timescale: 1000)
    let shades: [(UInt8, UInt8)] = [(40, 60), (80, 100), (120, 140)]
    for (number, (first, second)) in shades.enumerated() {
      let packet =
        try field(first, height: 32, polarity: polarity) + field(second, height: 32, polarity: 3 - polarity)
      try packet.span.bytes.withUnsafeBytes { bytes throws(OvercrankError) in
        try muxer.write(bytes, timestamp: Int64(number) * 40, duration: 40)
      }
    }
    try muxer.finish()
    let path = FilePath(folder.path("a.\(container)"))
    try Program.run("ffmpeg", ["-v", "error", "-i", written.string, "-c", "copy", path.string])
    var video = try Demuxer(path)
    let order = try #require(video.track.fieldOrder)
    #expect(video.track.codec == .other("mjpeg"))
    var decoder = try VideoDecoder(video.track)
    var seen: [[UInt8]] = []
    while let packet = try video.nextPacket() {
      try decoder.send(packet)
      while let picture = try decoder.nextPicture() {
        #expect(picture.height == 64)
        seen.append((20..<22).map { row in picture.withRow(row, plane: 0) { $0[30] } })
      }
    }
    let expected = shades.map { order == .top ? [$0.0, $0.1] : [$0.1, $0.0] }
    #expect(seen.count == expected.count)
    for (one, other) in zip(seen, expected) {
      #expect(zip(one, other).allSatisfy { abs(Int($0) - Int($1)) <= 2 }, "\(seen)")
    }
  }

  @Test("of DV are detected", arguments: ["a.avi", "a.dv", "a.mov", "a.mkv"])
  func seen(_ name: String) throws {
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "color=gray:s=720x576:r=25:d=0.08", "-pix_fmt", "yuv420p", "-c:v", "dvvideo",
      folder.path(name))
    var video = try Demuxer(FilePath(folder.path(name)))
    #expect(video.track.fieldOrder == .bottom)
    var count = 0
    while try video.nextPacket() != nil { count += 1 }
    #expect(count == 2)
  }

  @Test(
    "are not assumed for lossless JPEGs and ordinary Motion JPEG, which are decoded",
    arguments: ["ljpeg", "mjpeg"])
  func unusual(_ codec: String) throws {
    let path = folder.path("a.avi")
    if codec == "ljpeg" {
      try Program.ffmpeg(
        "-f", "lavfi", "-i", "color=gray:s=64x48:r=25:d=0.12", "-pix_fmt", "bgr24", "-c:v", codec, path)
    } else {
      try Program.ffmpeg(
        "-f", "lavfi", "-i", "color=gray:s=64x48:r=25:d=0.12", "-pix_fmt", "yuvj422p", "-c:v", codec, path)
    }
    var video = try Demuxer(FilePath(path))
    #expect(video.track.codec == (codec == "ljpeg" ? .other("mjpeg") : .mjpeg))
    #expect(video.track.fieldOrder == nil)
    var decoder = try VideoDecoder(video.track)
    var count = 0
    while let packet = try video.nextPacket() {
      try decoder.send(packet)
      while let picture = try decoder.nextPicture() {
        #expect(!picture.isDamaged)
        count += 1
      }
    }
    #expect(count == 3)
  }
}
