import Media
public import SystemPackage
public import Takes
import Timebase

extension ClipSource {
  /// The master at `path`, timed by `take`: by the camera's own numbers and times.
  public init(_ path: FilePath, take: Take) {
    // Numbers that do not go up tell nothing of losses; the times do.
    let sequences: [Int64?] = take.sequences.map { take.hasReliableSequence ? $0 : nil }
    self.init(
      path,
      timing: zip(sequences, take.timestamps).map {
        CapturedFrame(sequence: $0, timestamp: $1)
      },
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
