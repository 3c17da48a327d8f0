import Platform
public import Timebase

/// A choice of gain, with which a camera brightens a short exposure.
public enum GainChoice: Hashable, Sendable {
  /// The camera chooses.
  case auto
  /// A fixed gain, in the camera's own units.
  case value(Int64)

  /// Reads `auto`, or a whole number.
  public init(text: String) throws(QuantityError) {
    if text == "auto" {
      self = .auto
    } else if let value = Int64(text), value >= 0 {
      self = .value(value)
    } else {
      throw QuantityError(text, expected: "auto, or a gain in the camera's own units such as 40")
    }
  }
}

extension ControlPlan {
  /// Sets the gain that `choice` says, or the nearest that the camera allows.
  ///
  /// - Throws: `OvercrankError` if the camera has no such gain.
  mutating func amplify(
    _ controls: [CameraControl], by choice: GainChoice, of camera: String
  ) throws(OvercrankError) {
    let automatic = controls.settable(ControlID.autogain)
    switch choice {
    case .auto:
      guard automatic != nil else {
        throw OvercrankError(
          .noControl,
          "\(camera) has no separate automatic gain; its automatic exposure, if any, often sets the gain too. Give a number, or leave the gain as it is.",
          remedy: .giveGain)
      }
      change(automatic, to: 1, isRequired: true)
    case .value(let asked):
      // Most cameras have one "gain"; drivers of sensors may list the analogue part separately.
      guard
        let gain = controls.settable(ControlID.gain) ?? controls.settable(ControlID.analogueGain)
      else {
        throw OvercrankError(
          .noControl,
          "\(camera) has no gain that can be set. See which controls it has.",
          remedy: .listControls(camera: camera))
      }
      change(automatic, to: 0, isRequired: true)
      let value = min(max(asked, gain.control.minimum), gain.control.maximum)
      if value != asked {
        remarks.append(
          "The gain is \(value) instead of \(asked): the camera takes \(gain.control.minimum) to \(gain.control.maximum)."
        )
      }
      change(gain, to: value, isRequired: true)
    }
  }
}
