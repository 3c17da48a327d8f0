import Platform
public import Timebase

/// What is done about the gain, by which a camera brightens what a short exposure leaves dark.
public enum GainChoice: Hashable, Sendable {
  /// The camera chooses.
  case auto
  /// This much, in units of the camera's own.
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
  /// The gain is as `choice` says, or as near as the camera lets it be.
  ///
  /// - Throws: `OvercrankError` where the camera has no such gain.
  mutating func amplify(
    _ controls: [CameraControl], by choice: GainChoice, of camera: String
  ) throws(OvercrankError) {
    let automatic = controls.settable(ControlID.autogain)
    switch choice {
    case .auto:
      guard automatic != nil else {
        throw OvercrankError(
          .noControl,
          "\(camera) has no automatic gain of its own; where it has automatic exposure, that often sets the gain too. Give a number, or leave the gain as it is.",
          remedy: .giveGain)
      }
      change(automatic, to: 1, isRequired: true)
    case .value(let asked):
      // What a camera has in one piece is "gain"; a sensor's driver tells the analogue part by itself.
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
          "The gain is \(value) where \(asked) was asked for: the camera takes \(gain.control.minimum) to \(gain.control.maximum)."
        )
      }
      change(gain, to: value, isRequired: true)
    }
  }
}
