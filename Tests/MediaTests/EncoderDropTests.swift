import Platform
import FrameJudge
import Testing
import Timebase

@testable import Media

/// An encoder may be dropped at any point.
@Suite struct EncoderDropTests {
  /// How an encoder is used before it is dropped.
  struct Use: CustomTestStringConvertible {
    let codec: VideoEncoder.Kind
    let pictureCount: Int
    let isFinished: Bool
    let isDrained: Bool

    var testDescription: String {
      "\(codec), \(pictureCount) pictures\(isFinished ? ", finished" : "")\(isDrained ? ", drained" : "")"
    }

    static let all = VideoEncoder.Kind.available.flatMap { codec in
      [0, 1, 5].flatMap { count in
        [(false, false), (false, true), (true, false), (true, true)].map {
          Use(codec: codec, pictureCount: count, isFinished: $0.0, isDrained: $0.1)
        }
      }
    }
  }

  @Test(arguments: Use.all) func encoderCanBeDropped(after use: Use) {
    Bound.ends("dropping \(use)") {
      do throws(OvercrankError) { try Self.perform(use) } catch { Issue.record(error) }
    }
  }

  private static func perform(_ use: Use) throws(OvercrankError) {
    let codec = use.codec
    let source = VideoTrack(codec: .mjpeg, width: 64, height: 64)
    let layout = codec.layout(for: source)
    var pool = PicturePool()
    let picture = try pool.picture(layout: layout, width: 64, height: 64, color: .bt709)
    for (base, stride) in zip(picture.planeBases, picture.planeStrides) {
      base?.update(repeating: 1, count: 32 * Int(stride))
    }
    let color = codec.color(for: source, height: 64)
    var palette: Picture?
    if codec == .gif {
      var maker = try PaletteMaker(width: 64, height: 64, color: color)
      try maker.add(picture)
      palette = try maker.palette()
    }
    var encoder = try VideoEncoder(
      codec, layout: layout, width: 64, height: 64, rate: FrameRate(whole: 30), color: color,
      preset: .veryfast, quality: codec.usualQuality, palette: palette)
    for number in 0..<use.pictureCount {
      try encoder.send(picture, timestamp: Int64(number))
      // The last one's packets may stay in the encoder.
      while use.isDrained || number + 1 < use.pictureCount, try encoder.nextPacket() != nil {}
    }
    if use.isFinished { try encoder.finish() }
    while use.isDrained, try encoder.nextPacket() != nil {}
  }
}
