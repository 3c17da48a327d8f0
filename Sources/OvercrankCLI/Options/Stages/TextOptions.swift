import ArgumentParser
import Overcrank

/// The option for a text on a clip.
struct TextOptions: StageOptions {
  @Option(
    help: ArgumentHelp(
      "Write words on the clip: 'Second try', or 'Second try@0.5,0.1' with the position of their centre, as "
        + "fractions of the width and height. (default: at the bottom)",
      valueName: "words", visibility: .rare),
    transform: { try ClipText(text: $0) })
  var text: ClipText?

  var stage: (any PictureStage)? { text }

  static var options: Known { ["--text": { $0.text != nil }] }

  static func words(for stages: PictureStages) -> [String] {
    stages[ClipText.self].map { ["--text", $0.text] } ?? []
  }
}
