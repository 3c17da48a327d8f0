import ArgumentParser
import Overcrank

/// The option for the part of the picture that a clip shows.
struct CropOptions: StageOptions {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The part of the picture to show: 640x360, 640x360+16+8 or 9:16.",
      discussion: """
        640x360 is centred, 640x360+16+8 starts 16 pixels from the left and 8 from the top, 9:16 is the \
        largest part of this shape.
        """.rare,
      valueName: "part"),
    transform: { try ClipCrop(text: $0) })
  var crop: ClipCrop?

  var stage: (any PictureStage)? { crop }

  static var options: Known { ["--crop": { $0.crop != nil }] }

  static func words(for stages: PictureStages) -> [String] {
    stages[ClipCrop.self].map { ["--crop", $0.text] } ?? []
  }
}
