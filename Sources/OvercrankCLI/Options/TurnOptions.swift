import ArgumentParser
import Overcrank

/// The options for rotating and mirroring pictures.
struct TurnOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Rotate clips and stills clockwise: 90, 180 or 270. The master stays as captured.",
      discussion:
        "A recording is rotated as the camera's driver says unless --rotate or --mirror is given; 0 leaves it as captured."
        .rare,
      valueName: "degrees", visibility: .rare(in: "record")),
    completion: .list(["90", "180", "270"]),
    transform: { try PictureTurn(text: $0) })
  var rotate: PictureTurn?

  @Flag(
    help: ArgumentHelp("Mirror clips and stills left to right, after rotating them.", visibility: .rare))
  var mirror = false

  /// The options that were given.
  var given: [String] { [String](given: ["--rotate": rotate != nil, "--mirror": mirror]) }

  /// The rotation and mirroring; `nil` if neither was given.
  var turn: PictureTurn? { rotate == nil && !mirror ? nil : (rotate ?? .none).mirrored(mirror) }
}
