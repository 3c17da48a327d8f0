import Platform

/// The audio of a clip with its pauses, in which it is silent: it fades out before and in again after each.
final class PausedAudio: AudioFlow {
  private let source: any AudioFlow
  /// The pauses, in samples of the clip, ordered by time.
  private let pauses: [Range<Int>]
  private var nextSample = 0

  /// Adds the pauses of `course` to the audio of `source`.
  init(_ source: any AudioFlow, _ course: AudioTimeMap) {
    self.source = source
    var paused = 0.0
    pauses = course.pauses.map { pause in
      let start = pause.clipStart + paused
      paused += pause.duration
      return Self.sample(start)..<Self.sample(start + pause.duration)
    }
  }

  /// Returns the sample number at a moment of the clip.
  private static func sample(_ seconds: Double) -> Int {
    Int(clamping: (min(seconds, 1e9) * Double(SlowedAudio.rate)).rounded())
  }

  var channelCount: Int { source.channelCount }

  func read(_ count: Int) throws(OvercrankError) -> AudioSamples {
    var samples = AudioSamples(channelCount: channelCount)
    for pause in pauses {
      let until = min(max(pause.lowerBound - nextSample, samples.count), count)
      samples.append(try source.read(until - samples.count))
      let silent = min(max(pause.upperBound - nextSample, until), count) - until
      samples.append(AudioSamples(silence: silent, channelCount: channelCount))
      guard samples.count < count else { break }
    }
    samples.append(try source.read(count - samples.count))
    for pause in pauses {
      samples.fade(around: pause.lowerBound, first: nextSample)
      samples.fade(around: pause.upperBound, first: nextSample)
    }
    nextSample += count
    return samples
  }
}
