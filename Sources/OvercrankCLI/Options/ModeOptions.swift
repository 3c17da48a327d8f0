import ArgumentParser
import Cameras
import Timebase

/// Which camera, and which of its modes.
struct ModeOptions: ParsableArguments {
  @Argument(help: "The camera: /dev/videoN, N, a part of its name, or sim:. Without it, the first there is.")
  var camera: String?

  @Option(
    parsing: .unconditional,
    help:
      "The rate to film at: 240, 119.88, 120000/1001 or max. Without it: 240, else 120, else the highest.",
    transform: { try AskedRate(text: $0) })
  var fps: AskedRate?

  @Option(name: .customLong("max-width"), help: "The widest frame wanted, in pixels.")
  var maxWidth: UInt32?

  @Option(
    help: "Only this kind of format: mjpeg, raw, or a four-character code.",
    transform: { try FormatFilter(text: $0) })
  var format: FormatFilter?

  func validate() throws {
    if maxWidth == 0 { throw ValidationError("--max-width 0 leaves no mode; give a width in pixels.") }
  }

  /// The mode of `table` to take.
  func choice(from table: CameraTable) -> ModeChoice {
    switch fps {
    case .rate(let rate):
      ModeChoice(from: table, for: .init(rate: rate, maxWidth: maxWidth, format: format))
    case .highest: ModeChoice(fastestFrom: table, maxWidth: maxWidth, format: format)
    case nil: ModeChoice(preferredFrom: table, maxWidth: maxWidth, format: format)
    }
  }
}

/// What --fps asks for.
enum AskedRate {
  case rate(FrameRate)
  /// Whatever is the most.
  case highest

  init(text: String) throws(QuantityError) {
    self = text == "max" ? .highest : .rate(try FrameRate(text: text))
  }
}
