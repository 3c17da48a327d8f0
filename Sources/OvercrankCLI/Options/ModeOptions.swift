import ArgumentParser
import Overcrank

/// Which camera, and which of its modes a recording takes.
struct ModeOptions: ParsableArguments {
  @OptionGroup var named: CameraArgument

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The capture rate: 240, 119.88, 120000/1001 or max. (default: 240, else 120, else the highest; of a still: any)",
      valueName: "rate"),
    transform: { try AskedRate(text: $0) })
  var fps: AskedRate?

  @OptionGroup var wishes: CriteriaOptions

  /// What is asked of a mode besides its rate.
  var criteria: ModeChoice.Criteria { wishes.criteria }

  /// All that may be taken of `table`, in the order in which it is wished for; some may have no mode.
  func choices(from table: CameraTable) -> [ModeChoice] {
    ModeChoice.choices(from: table, for: fps, criteria, quality: wishes.quality ?? [])
  }
}
