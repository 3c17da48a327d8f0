import Foundation

/// The frame numbers in a film's pixels, decoded by ffmpeg.
public struct StripFilm: Sendable {
  /// The number in each frame's strip; `nil` where the check sum does not fit.
  public let numbers: [UInt32?]

  /// What ffmpeg's JPEG decoder complained of; empty where every frame was sound.
  public let complaints: [Substring]

  /// Decodes the film at `path`, every frame once, in the order of the file.
  ///
  /// - Parameter width: its width in pixels; without it, ffprobe is asked.
  public init(_ path: String, width: Int? = nil) throws {
    guard let width = try width ?? Probe(path).streams.first?.width else {
      throw Program.Failure(description: "\(path) has no picture")
    }
    let cell = 8 * max(1, width / 256)
    let decoded = try Program.run(
      "ffmpeg",
      [
        "-v", "error", "-nostdin", "-i", path, "-vsync", "passthrough", "-vf",
        "crop=iw:\(cell):0:0,format=gray",
        "-f", "rawvideo", "-",
      ])
    complaints = decoded.errors.split(separator: "\n").filter { $0.hasPrefix("[mjpeg") }
    let frameBytes = width * cell
    let luma = [UInt8](decoded.output)
    numbers = stride(from: 0, to: luma.count - frameBytes + 1, by: frameBytes).map { start in
      Self.number { column in luma[start + cell / 2 * width + column * cell + cell / 2] }
    }
  }

  /// 24 bits of number and their CRC-8 (polynomial 0x07, initial 0), most significant bit first, written
  /// apart from the product's own reader so that both can be wrong only on their own.
  public static func number(_ sample: (Int) -> UInt8) -> UInt32? {
    var bits: UInt32 = 0
    for column in 0..<32 { bits = bits << 1 | (sample(column) > 126 ? 1 : 0) }
    var remainder: UInt32 = 0
    for shift in stride(from: 24, through: 8, by: -8) {
      remainder ^= bits >> UInt32(shift) & 0xff
      for _ in 0..<8 { remainder = (remainder << 1 ^ (remainder & 0x80 == 0 ? 0 : 0x07)) & 0xff }
    }
    return remainder == bits & 0xff ? bits >> 8 : nil
  }
}
