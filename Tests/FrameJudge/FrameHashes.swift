import Foundation

/// The frames of a video as ffmpeg decodes them, with their times.
public struct FrameHashes: Sendable {
  /// A hash of each frame, in the order they are shown.
  public let hashes: [String]
  /// The time of each frame, in seconds from the first.
  public let times: [Double]

  /// Decodes the video at `path`.
  public init(_ path: String) throws {
    let answer = try Program.run(
      "ffmpeg",
      [
        "-v", "error", "-nostdin", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-enc_time_base",
        "-1", "-f", "framemd5", "-",
      ])
    var (hashes, ticks): ([String], [Int64]) = ([], [])
    var tick = 1.0
    for line in String(decoding: answer.output, as: UTF8.self).split(separator: "\n") {
      if let base = line.firstMatch(of: /^#tb 0: (\d+)\/(\d+)/) {
        tick = (Double(base.1) ?? 1) / (Double(base.2) ?? 1)
      }
      let fields = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      guard !line.hasPrefix("#"), fields.count == 6, let time = Int64(fields[2]) else { continue }
      hashes.append(fields[5])
      ticks.append(time)
    }
    self.hashes = hashes
    times = ticks.map { Double($0 - ticks[0]) * tick }
  }
}
