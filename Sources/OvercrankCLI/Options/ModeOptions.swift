public import ArgumentParser
import CameraModel
import Overcrank
import Timebase

/// Which camera, and which of its modes.
struct ModeOptions: ParsableArguments {
  @Argument(help: "The camera: /dev/videoN, N, a part of its name, or sim:. (default: the first camera)")
  var camera: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The capture rate: 240, 119.88, 120000/1001 or max. (default: 240, else 120, else the highest)",
      valueName: "rate"),
    transform: { try AskedRate(text: $0) })
  var fps: AskedRate?

  @Option(
    name: .customLong("max-width"),
    help: ArgumentHelp("The largest frame width, in pixels.", valueName: "pixels"))
  var maxWidth: UInt32?

  @Option(
    help: "Use only this kind of format: mjpeg, raw, or a four-character code.",
    transform: { try FormatFilter(text: $0) })
  var format: FormatFilter?

  @Option(
    help: ArgumentHelp(
      "What matters more than width: unbinned, for modes that read every pixel of the sensor.",
      valueName: "what"))
  var prefer: ModeChoice.Preference?

  func validate() throws {
    if maxWidth == 0 { throw ValidationError("--max-width 0 leaves no mode; give a width in pixels.") }
  }

  /// What is asked of a mode besides its rate.
  var criteria: ModeChoice.Criteria { .init(maxWidth: maxWidth, format: format, preference: prefer) }

  /// The modes of `table` to take: the best choice first, those after it should the driver not give it.
  func choices(from table: CameraTable) -> [ModeChoice] {
    ModeChoice.choices(from: table, for: fps, criteria)
  }
}

extension ModeChoice.Preference: ExpressibleByArgument {}
