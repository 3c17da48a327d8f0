import ArgumentParser
import Overcrank

/// The option for the size of a clip.
struct ScaleOptions: StageOptions {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The clip's size: 1280x720, 640 (its width), 360p (its height), 1/2 or 50%.", valueName: "size",
      visibility: .rare),
    transform: { try ClipScale(text: $0) })
  var scale: ClipScale?

  var stage: (any PictureStage)? { scale }

  static var options: Known { ["--scale": { $0.scale != nil }] }

  static func words(for stages: PictureStages) -> [String] {
    stages[ClipScale.self].map { ["--scale", $0.text] } ?? []
  }
}
