import Foundation

/// When clicks begin in a film's audio, decoded by ffmpeg.
public struct HeardClicks: Sendable {
  /// The number of the sample at which each click begins.
  public let onsets: [Int]
  /// How many samples there are.
  public let sampleCount: Int
  /// Where the audio is nothing but zeros for ten milliseconds or more.
  public let silences: [Range<Int>]

  /// Decodes the audio of the film at `path`, mixed to one channel, at its own rate.
  ///
  /// - Parameters:
  ///   - rate: samples a second.
  ///   - level: how loud a click is at least where it has begun, from 0 to 1.
  ///   - gap: how long after the end of a click the next may begin, in seconds.
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
