import ArgumentParser
import Overcrank

/// The option for a text on a clip.
struct TextOptions: StageOptions {
  @Option(
    help: ArgumentHelp(
      "Write words on the clip: 'Second try', or 'Second try@0.5,0.1' with the position of their centre.",
      discussion: "The position is a fraction of the width and one of the height. (default: at the bottom)"
        .rare,
      valueName: "words", visibility: .rare(in: "record")),
    transform: { try ClipText(text: $0) })
  var text: ClipText?

  var stage: (any PictureStage)? { text }

  static var options: Known { ["--text": { $0.text != nil }] }

  static func words(for stages: PictureStages) -> [String] {
    stages[ClipText.self].map { ["--text", $0.text] } ?? []
  }
}
