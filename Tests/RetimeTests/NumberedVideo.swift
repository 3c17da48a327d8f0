import FrameJudge
import Foundation
import Media
import Platform
import Retime
import SystemPackage
import Testing
import Timebase

/// A master whose frames carry their numbers in their pixels, as the frame strip has them.
struct NumberedVideo {
  var numbers: [UInt32]
  var codec = VideoCodec.mjpeg
  var width = 256
  var height = 32
  /// Frames per second.
  var rate: Int64 = 240
  /// Indices in `numbers` of frames that are truncated half way.
  var damaged: Set<Int> = []
  /// The delay of frame `number` against a steady camera's, in microseconds.
  var delay: @Sendable (UInt32) -> Int64 = { _ in 0 }

  /// The microseconds from frame 0 to frame `number`, with a jitter of a third of a millisecond.
  func time(_ number: UInt32) -> Int64 {
    let stray = Int64(number &* 2_654_435_761 % 600) - 300
    return Fraction(1_000_000, rate).scaling(Int64(number)) + delay(number)
      + (number == numbers.first ? 0 : stray)
  }

  /// The timing that a take would have.
  var timing: [FrameTiming] {
    numbers.map {
      FrameTiming(
        sequence: Int64($0) + 77, timestamp: Instant(nanoseconds: 1_000_000_000 + time($0) * 1000))
    }
  }

  /// Writes it to `path`, as a clip unless `comment` tells another.
  func write(
    to path: String, index: Muxer.IndexPlacement = .end, comment: String = "Overcrank, speed 1"
  ) throws {
    var muxer = try Muxer(
      to: OutputFile(FilePath(path)), container: Container.forMaster(codec),
      video: VideoTrack(codec: codec, width: width, height: height), timescale: 1_000_000, index: index,
      metadata: ["comment": comment, "creation_time": "2024-02-29T12:34:56Z"])
    for (place, number) in numbers.enumerated() {
      var frame = try coded(number)
      if damaged.contains(place) { frame.removeLast(frame.count / 2) }
      let next = place + 1 < numbers.count ? time(numbers[place + 1]) : time(number) + 1_000_000 / rate
      try frame.span.bytes.withUnsafeBytes { bytes throws(OvercrankError) in
        try muxer.write(bytes, timestamp: time(number) - time(numbers[0]), duration: next - time(number))
      }
    }
    try muxer.finish()
  }

  /// Frame `number` as it is stored in a file.
  func coded(_ number: UInt32) throws -> [UInt8] {
    let luma = luma(number)
    guard case .raw(let layout) = codec else {
      let chroma = [UInt8](repeating: 128, count: (width + 1) / 2 * height)
      return try JPEGEncoder(quality: 90).encode(
        luma: luma.span, blue: chroma.span, red: chroma.span, width: width, height: height)
    }
    switch layout {
    case .yuyv422: return luma.flatMap { [$0, 128] }
    case .uyvy422: return luma.flatMap { [128, $0] }
    case .rgb24, .bgr24: return luma.flatMap { [$0, $0, $0] }
    case .nv12, .yuv420p: return luma + [UInt8](repeating: 128, count: luma.count / 2)
    case .gray: return luma
    default: throw OvercrankError(.unsupported, "no test draws \(layout)")
    }
  }

  /// Rows of an even number of samples, with the strip in the upper ones.
  private func luma(_ number: UInt32) -> [UInt8] {
    let row = (width + 1) / 2 * 2
    let cell = 8 * max(1, width / 256)
    let word = Self.word(number)
    return (0..<row * height).map { place in
      let column = place % row / cell
      guard place / row < cell, column < 32 else { return 90 }
      return word >> UInt32(31 - column) & 1 == 1 ? 235 : 16
    }
  }

  /// 24 bits of number, then their CRC-8.
  static func word(_ number: UInt32) -> UInt32 {
    var remainder: UInt32 = 0
    for shift in [16, 8, 0] {
      remainder ^= number >> UInt32(shift) & 0xff
      for _ in 0..<8 { remainder = (remainder << 1 ^ (remainder & 0x80 == 0 ? 0 : 0x07)) & 0xff }
    }
    return number << 8 | remainder
  }
}
