import ArgumentParser
import Cameras
import Timebase

/// How the camera's controls are while it films.
struct ControlPolicyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The exposure: auto, keep, or a time such as 2ms or 1/500, held to what a frame has room for.",
      discussion: """
        Without it, automatic exposure stays on but may not lower the rate, and a fixed one is held to the frame. \
        Everything is put back when filming ends.
        """,
      valueName: "time"),
    transform: { try ExposureChoice(text: $0) })
  var exposure: ExposureChoice?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The gain while filming: auto, or a number in the camera's own units, held to what it takes.",
      valueName: "number"),
    transform: { try GainChoice(text: $0) })
  var gain: GainChoice?

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "Set a control while filming, as in --set gain=40; may be repeated.", valueName: "name=value"),
    transform: { try ControlSetting(text: $0) })
  var settings: [ControlSetting] = []

  @Flag(name: .customLong("keep-controls"), help: "Touch none of the camera's controls.")
  var keepControls = false

  func validate() throws {
    if keepControls, exposure != nil || gain != nil || !settings.isEmpty {
      throw ValidationError(
        "--keep-controls touches no control; give it without --exposure, --gain and --set.")
    }
  }

  /// What is asked of the camera.
  var policy: ControlPolicy {
    ControlPolicy(exposure: exposure, gain: gain, settings: settings, keepsControls: keepControls)
  }
}
