import Platform
import FrameJudge
import Foundation
import Media

/// Small media made by ffmpeg.
enum Samples {
  /// Returns a JPEG of ffmpeg's test picture.
  static func jpeg(width: Int, height: Int, layout: String = "yuvj422p") throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let path = folder.path("a.jpg")
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=\(width)x\(height)", "-frames:v", "1", "-pix_fmt", layout, "-q:v", "2",
      path)
    return Array(try Data(contentsOf: URL(filePath: path)))
  }
}

/// Returns random bytes, different for each seed.
func noise(_ count: Int, seed: Int) -> [UInt8] {
  var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
  return (0..<count).map { _ in
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return UInt8(truncatingIfNeeded: state >> 56)
  }
}

extension Muxer {
  /// Returns whether an array fits as one more frame.
  mutating func hasRoom(for bytes: [UInt8], timestamp: Int64, duration: Int64) throws(OvercrankError) -> Bool
  {
    try bytes.span.bytes.withUnsafeBytes { bytes throws(OvercrankError) in
      try hasRoom(for: bytes, timestamp: timestamp, duration: duration)
    }
  }

  /// Writes an array as a frame.
  mutating func write(_ bytes: [UInt8], timestamp: Int64, duration: Int64) throws(OvercrankError) {
    try bytes.span.bytes.withUnsafeBytes { bytes throws(OvercrankError) in
      try write(bytes, timestamp: timestamp, duration: duration)
    }
  }
}
