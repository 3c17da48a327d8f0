import ArgumentParser
import Overcrank

/// The options for the camera's controls during capture.
struct ControlPolicyOptions: RuledOptions {
  @Option(
    help: ArgumentHelp(
      "The exposure: auto, keep (as it is), or a time such as 2ms or 1/500.",
      discussion: """
        A time longer than a frame is shortened to a frame, because it would halve the rate. Without \
        --exposure, automatic exposure stays automatic but cannot lower the rate. Every control is restored \
        afterwards.
        """.rare,
      valueName: "time", visibility: .rare),
    transform: { try ExposureChoice(text: $0) })
  var exposure: ExposureChoice?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The gain: auto, or a number in the camera's own units, limited to its range.",
      valueName: "number", visibility: .rare),
    transform: { try GainChoice(text: $0) })
  var gain: GainChoice?

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "Set a control and restore it afterwards, as in --set gain=40; may be repeated.",
      valueName: "name=value", visibility: .rare),
    transform: { try ControlSetting(text: $0) })
  var settings: [ControlSetting] = []

  @Flag(
    name: .customLong("keep-controls"),
    help: ArgumentHelp("Leave all of the camera's controls alone.", visibility: .rare))
  var keepControls = false

  var given: [String] {
    [String](given: [
      "--exposure": exposure != nil, "--gain": gain != nil, "--set": !settings.isEmpty,
      "--keep-controls": keepControls,
    ])
  }

  /// The policy that the options describe.
  var policy: ControlPolicy {
    ControlPolicy(exposure: exposure, gain: gain, settings: settings, keepsControls: keepControls)
  }
}
