package import Platform
package import SystemPackage

/// The decoded audio of one channel of a source, to be compared with that of another one.
package struct SourceAudio: Sendable {
  /// The samples, the first of which was heard with the first frame.
  package let samples: [Float]
  /// The samples in a second of the source.
  package let rate: Double

  /// Creates audio of these samples.
  package init(samples: [Float], rate: Double) { (self.samples, self.rate) = (samples, rate) }

  /// Decodes `seconds` of the audio of the source at `path` from its first frame on; `nil` if it has none, or
  /// none that this libavcodec decodes.
  ///
  /// - Parameters:
  ///   - path: the source.
  ///   - timing: the times at which its samples were heard; `nil` uses those of the file.
  ///   - seconds: the length to decode; silence follows the end of the audio.
  /// - Throws: `OvercrankError` if the file cannot be read.
  package init?(of path: FilePath, heard timing: AudioTiming?, seconds: Double) throws(OvercrankError) {
    let parts = [AudioTimeMap.Part(start: 0, end: seconds)]
    guard let source = try AudioSource(of: path, timing, from: nil, parts, lead: 0) else { return nil }
    rate = Double(SlowedAudio.rate) * source.ratio
    var samples: [Float] = []
    var left = Int(clamping: seconds * rate)
    samples.reserveCapacity(left)
    while left > 0 {
      let count = min(left, Int(SlowedAudio.rate))
      let heard = try source.read(count)
      // The first channel: the mean of two microphones would blur what they hear at different times.
      samples += heard.channels[0]
      left -= count
    }
    self.samples = samples
  }
}
