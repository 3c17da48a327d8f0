import Media
public import SystemPackage
public import Takes
import Timebase

extension ClipSource {
  /// The master at `path`, timed by `take`: by the camera's own numbers and times.
  public init(_ path: FilePath, take: Take) {
    self.init(
      path,
      timing: .init(take.sequences, take.timestamps, hasReliableSequence: take.hasReliableSequence),
      nominalInterval: take.acceptedInterval?.rate?.interval,
      audioTiming: take.audio.flatMap(AudioTiming.init), capturedAt: take.startedAt, turn: take.turn)
    captureRate = take.measuredFramesPerSecond.flatMap(PhoneTags.rate)
  }
}

extension AudioTiming {
  /// When the audio of a take was heard; `nil` where nothing was.
  fileprivate init?(_ audio: Take.Audio) {
    guard let rate = audio.measuredRate else { return nil }
    self.init(offset: audio.offset / .seconds(1), ratio: rate / Double(audio.nominalRate))
  }
}
