import Foundation

/// The starts of clicks in a video's audio, decoded by ffmpeg.
public struct HeardClicks: Sendable {
  /// The number of the sample at which each click begins.
  public let onsets: [Int]
  /// The number of samples.
  public let sampleCount: Int
  /// The parts of ten milliseconds or more that are all zeros.
  public let silences: [Range<Int>]

  /// Decodes the audio of the video at `path`, mixed to one channel, at its own rate.
  ///
  /// - Parameters:
  ///   - rate: samples per second.
  ///   - level: the least level of a click's first sample, from 0 to 1.
  ///   - gap: the least time from the end of a click to the start of the next, in seconds.
  public init(_ path: String, rate: Int = 48_000, level: Double = 0.05, gap: Double = 0.05) throws {
    let decoded = try Program.run(
      "ffmpeg",
      ["-v", "error", "-nostdin", "-i", path, "-vn", "-ac", "1", "-f", "s16le", "-c:a", "pcm_s16le", "-"])
    let threshold = Int16(level * 32_767)
    let (rest, shortest) = (Int(gap * Double(rate)), rate / 100)
    var onsets: [Int] = []
    var silences: [Range<Int>] = []
    let count = decoded.output.count / 2
    decoded.output.withUnsafeBytes { bytes in
      let samples = bytes.bindMemory(to: Int16.self)
      var (loud, silent) = (-rest - 1, 0)
      for index in 0..<count {
        let sample = samples[index]
        if sample > threshold || sample < -threshold {
          if index - loud > rest { onsets.append(index) }
          loud = index
        }
        if sample == 0 {
          silent += 1
        } else {
          if silent >= shortest { silences.append(index - silent..<index) }
          silent = 0
        }
      }
      if silent >= shortest { silences.append(count - silent..<count) }
    }
    self.onsets = onsets
    self.silences = silences
    sampleCount = count
  }
}
