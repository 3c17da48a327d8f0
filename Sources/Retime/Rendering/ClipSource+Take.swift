import Media
public import SystemPackage
public import Takes

extension ClipSource {
  /// Creates the source of the master at `path`, timed by the camera's own numbers and times in `take`.
  public init(_ path: FilePath, take: Take) {
    self.init(
      path,
      timing: .init(take.sequences, take.timestamps, hasReliableSequence: take.hasReliableSequence),
      nominalInterval: take.acceptedInterval?.rate?.interval,
      audioTiming: take.audio.flatMap(AudioTiming.init), capturedAt: take.startedAt, turn: take.turn)
    captureRate = take.measuredFramesPerSecond.flatMap(SlowMotionTags.rate)
  }
}

extension AudioTiming {
  /// Creates the timing of a take's audio; `nil` if no rate was measured.
  fileprivate init?(_ audio: Take.Audio) {
    guard let rate = audio.measuredRate else { return nil }
    self.init(offset: audio.offset / .seconds(1), ratio: rate / Double(audio.nominalRate))
  }
}
