import Foundation

/// The frame numbers in a video's pixels, decoded by ffmpeg.
public struct StripVideo: Sendable {
  /// The number in each frame's strip; `nil` if the checksum is wrong.
  public let numbers: [UInt32?]

  /// The errors of ffmpeg's JPEG decoder; empty if every frame was valid.
  public let complaints: [Substring]

  /// Decodes the video at `path`, every frame once, in the order of the file.
  ///
  /// - Parameter part: the part of its pictures to look at, such as `320:180:320:0` for 320x180 at column 320; `nil`
  ///   for all.
  public init(_ path: String, part: String? = nil) throws {
    let cell = #"8*max(1\,floor(iw/256))"#
    let crop = part.map { "crop=\($0)," } ?? ""
    let decoded = try Program.run(
      "ffmpeg",
      [
        "-v", "error", "-nostdin", "-threads", "1", "-filter_threads", "1", "-i", path, "-vsync",
        "passthrough", "-vf",
        "\(crop)crop=iw:\(cell):0:0,format=gray",
        "-f", "yuv4mpegpipe", "-strict", "-1", "-",
      ])
    complaints = decoded.errors.split(separator: "\n").filter { $0.hasPrefix("[mjpeg") }
    // A line with the sizes, then each frame after a line of its own.
    let header = decoded.output.prefix { $0 != UInt8(ascii: "\n") }
    let sizes = String(decoding: header, as: UTF8.self).split(separator: " ")
    func size(_ letter: String) -> Int? {
      sizes.first { $0.hasPrefix(letter) }.flatMap { Int($0.dropFirst()) }
    }
    guard let width = size("W"), let height = size("H") else {
      throw Program.Failure(description: "\(path) has no picture")
    }
    let frameBytes = "FRAME\n".utf8.count + width * height
    let luma = [UInt8](decoded.output.dropFirst(header.count + 1))
    numbers = stride(from: 0, to: luma.count - frameBytes + 1, by: frameBytes).map { start in
      let middle = start + frameBytes - width * (height - height / 2)
      return Self.number { column in luma[middle + column * height + height / 2] }
    }
  }

  /// Returns the number in a strip: 24 bits and their CRC-8 (polynomial 0x07, initial 0), most significant
  /// bit first. It is independent of Overcrank's own reader, so the two do not share an error.
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
