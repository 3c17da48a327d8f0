import ArgumentParser
import Overcrank

/// The options for clips that do not play forwards.
struct OrderOptions: StageOptions {
  @Flag(help: ArgumentHelp("Play the clip backwards.", visibility: .rare(in: "record")))
  var reverse = false

  @Flag(
    help: ArgumentHelp(
      "Play the clip forwards, then backwards; the frames at which it turns are shown once.",
      visibility: .rare(in: "record")))
  var bounce = false

  var stage: (any PictureStage)? { reverse ? PlaybackOrder.reverse : bounce ? PlaybackOrder.bounce : nil }

  static var options: Known { ["--reverse": { $0.reverse }, "--bounce": { $0.bounce }] }

  /// The names of the options, to be the subject of a sentence.
  static var list: String { names.joined(separator: " and ") }

  static func words(for stages: PictureStages) -> [String] {
    stages[PlaybackOrder.self].map { ["--\($0.rawValue)"] } ?? []
  }
}
