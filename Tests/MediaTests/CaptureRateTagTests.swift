import FrameJudge
import Foundation
import Platform
import SystemPackage
import Testing

@testable import Media

@Suite("The capture-rate tag for gallery programs", .tags(.program), .timeLimit(.minutes(1)))
struct CaptureRateTagTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("has exactly the bytes that Android writes")
  func bytes() throws {
    let tag = try #require(CaptureRateTag(240))
    let key = Array("com.android.capture.fps".utf8)
    let expected: [UInt8] =
      [0, 0, 0, 124] + "meta".utf8
      + ([0, 0, 0, 33] + "hdlr".utf8 + [0, 0, 0, 0, 0, 0, 0, 0] + "mdta".utf8
        + [UInt8](repeating: 0, count: 13))
      + ([0, 0, 0, 47] + "keys".utf8 + [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 31] + "mdta".utf8 + key)
      + ([0, 0, 0, 36] + "ilst".utf8 + [0, 0, 0, 28, 0, 0, 0, 1])
      + ([0, 0, 0, 20] + "data".utf8 + [0, 0, 0, 23, 0, 0, 0, 0, 0x43, 0x70, 0, 0])
    #expect(tag.bytes() == expected)
    for rate in [0, -1, .nan, .infinity, 1e300] { #expect(CaptureRateTag(rate) == nil) }
  }

  /// Makes a video of ten frames.
  private func video(
    _ container: Container, _ codec: VideoCodec, index: Muxer.IndexPlacement, tagged: Bool
  ) throws -> String {
    let path = folder.path("\(UUID()).\(container.fileExtension)")
    var color = ColorDescription.bt709
    color.range = .full
    var muxer = try Muxer(
      to: OutputFile(FilePath(path)), container: container,
      video: VideoTrack(codec: codec, width: 64, height: 48, color: color), timescale: 1_000_000,
      index: index,
      metadata: ["comment": "Overcrank, master"], hasCaptureRate: tagged)
    let frame = codec == .mjpeg ? try Samples.jpeg(width: 64, height: 48) : noise(64 * 48 * 2, seed: 1)
    for number in 0..<10 { try muxer.write(frame, timestamp: Int64(number) * 4167, duration: 4167) }
    try muxer.finish(captureRate: tagged ? 239.76 : nil)
    return path
  }

  static let kinds: [(Container, VideoCodec)] = [(.mov, .mjpeg), (.mov, .raw(.yuyv422)), (.mp4, .mjpeg)]

  @Test("is written wherever the index is, and changes nothing else", arguments: kinds, [false, true])
  func written(kind: (container: Container, codec: VideoCodec), isInFront: Bool) throws {
    let index: Muxer.IndexPlacement = isInFront ? .front(frameCount: 10) : .end
    let plain = try video(kind.container, kind.codec, index: index, tagged: false)
    let tagged = try video(kind.container, kind.codec, index: index, tagged: true)
    #expect(try boxes(of: tagged) == boxes(of: plain))
    let (before, after) = (try Probe(plain), try Probe(tagged))
    // If libav has written keys of its own, it reads no others.
    let isReadByLibav = kind.codec == .mjpeg
    #expect(after.format.tags?["com.android.capture.fps"] == (isReadByLibav ? "239.759995" : nil))
    #expect(before.format.tags?["com.android.capture.fps"] == nil)
    #expect(after.format.tags?["comment"] == "Overcrank, master")
    #expect(after.packets.map(\.pts) == before.packets.map(\.pts))
    #expect(after.streams.first?.color_range == before.streams.first?.color_range)
    let one = try Demuxer(FilePath(plain))
    let other = try Demuxer(FilePath(tagged))
    #expect(other.track.color == one.track.color)
    #expect(other.comment == one.comment)
    let (small, large) = (
      try Data(contentsOf: URL(filePath: plain)), try Data(contentsOf: URL(filePath: tagged))
    )
    let key = try #require(large.range(of: Data("com.android.capture.fps".utf8), options: .backwards))
    // The item's size and number, and its data: 239.76 is 0x436fc28f.
    let value = large[key.upperBound..<key.upperBound + 36].suffix(12)
    #expect(value.elementsEqual([0, 0, 0, 23, 0, 0, 0, 0, 0x43, 0x6f, 0xc2, 0x8f]))
    #expect(isInFront ? large.count > small.count : large.endIndex == key.upperBound + 36)
  }

  @Test("is omitted in Matroska and NUT, which have no place for it", arguments: [Container.mkv, .nut])
  func others(container: Container) throws {
    let path = try video(container, .mjpeg, index: .end, tagged: true)
    #expect(try Probe(path).packets.count == 10)
  }
}
