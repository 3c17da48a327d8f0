import Platform

/// The audio of a clip that runs backwards, or there and back: to the sample the mirror image of the audio that
/// runs forwards, whose stretchers and resamplers cannot run in the other direction.
///
/// The samples that are still to be played are in a file without a name, so memory does not grow with the clip.
final class TurnedAudio: AudioFlow {
  private let source: any AudioFlow
  private let turn: AudioTurn
  /// The first sample that is played backwards.
  private let start: Int
  /// The sum of the numbers of such a sample and of the one that it repeats, plus one.
  private let mirror: Int
  private let file: ScratchFile
  /// The number of samples in the file: interleaved, from the first of the clip on.
  private var keptCount = 0
  private var nextSample = 0

  /// The samples between checks for cancellation: about a second.
  private static let step = 1 << 16

  /// Turns the audio of `source`.
  ///
  /// - Throws: `cannotCreate` if the turn's folder is not writable.
  init(_ source: any AudioFlow, _ turn: AudioTurn) throws(OvercrankError) {
    self.source = source
    self.turn = turn
    start = SlowedAudio.sampleCount(turn.start)
    mirror = SlowedAudio.sampleCount(turn.mirror)
    file = try ScratchFile(in: turn.folder)
  }

  var channelCount: Int { source.channelCount }

  func read(_ count: Int) throws(OvercrankError) -> AudioSamples {
    let forwardCount = min(max(start - nextSample, 0), count)
    var samples = AudioSamples(channelCount: channelCount)
    if forwardCount > 0 { samples.append(try keep(forwardCount)) }
    if forwardCount < count {
      // The middle sample of an odd number is played once.
      let neededCount = max(start, mirror - start)
      while keptCount < neededCount {
        try turn.checkCancellation()
        _ = try keep(min(Self.step, neededCount - keptCount))
      }
      samples.append(try returning(from: nextSample + forwardCount, count - forwardCount))
    }
    nextSample += count
    return samples
  }

  /// Returns the source's next samples, after writing them to the file.
  private func keep(_ count: Int) throws(OvercrankError) -> AudioSamples {
    let samples = try source.read(count)
    var values: [Float] = []
    values.reserveCapacity(count * channelCount)
    for index in 0..<count {
      for channel in samples.channels { values.append(channel[index]) }
    }
    _ = try values.withUnsafeBufferPointer { (values) throws(OvercrankError) in
      try file.append(UnsafeRawBufferPointer(values))
    }
    keptCount += count
    return samples
  }

  /// Returns the samples of the way back from number `first` of the clip on.
  private func returning(from first: Int, _ count: Int) throws(OvercrankError) -> AudioSamples {
    let end = max(0, mirror - first)
    let kept = max(0, end - count)..<end
    var values = [Float](repeating: 0, count: kept.count * channelCount)
    try values.withUnsafeMutableBufferPointer { (values) throws(OvercrankError) in
      try file.read(
        at: Int64(kept.lowerBound * channelCount * MemoryLayout<Float>.stride),
        into: UnsafeMutableRawBufferPointer(values))
    }
    var samples = AudioSamples(channelCount: channelCount)
    samples.set { channel in
      kept.reversed().map { values[($0 - kept.lowerBound) * channelCount + channel] }
    }
    // The clip that runs forwards has nothing before its first sample.
    samples.append(AudioSamples(silence: count - kept.count, channelCount: channelCount))
    return samples
  }
}
