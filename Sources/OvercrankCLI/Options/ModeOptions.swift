import ArgumentParser
import Overcrank

/// The choice of a camera and of its mode for a recording.
struct ModeOptions: ParsableArguments {
  @OptionGroup var named: CameraArgument

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The capture rate: 240, 119.88, 120000/1001 or max. (default: 240, else 120, else the highest; "
        + "for a still: any)",
      valueName: "rate"),
    transform: { try RequestedRate(text: $0) })
  var fps: RequestedRate?

  @OptionGroup var wishes: CriteriaOptions

  /// The criteria for a mode besides its rate.
  var criteria: ModeChoice.Criteria { wishes.criteria }

  /// Returns all choices from `table`, in order of preference; some may have no mode.
  func choices(from table: CameraTable) -> [ModeChoice] {
    ModeChoice.choices(from: table, for: fps, criteria, quality: wishes.quality ?? [])
  }
}
