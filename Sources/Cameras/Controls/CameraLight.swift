package import Platform
import V4L2

/// The modes of a camera's light: `enum v4l2_flash_led_mode`.
private enum FlashLEDMode {
  static let off: Int64 = 0
  static let flash: Int64 = 1
  /// The light is on.
  static let torch: Int64 = 2
}

extension ControlPlan {
  /// Switches the camera's light on: its torch, or else its illuminators.
  ///
  /// - Throws: `OvercrankError` with `noControl` if its light cannot stay on. A light that only flashes is no
  ///   use: the moment of exposure is not known.
  package mutating func light(_ controls: [CameraControl], of camera: String) throws(OvercrankError) {
    let mode = controls.settable(ControlID.flashLEDMode)
    if let mode, mode.item(for: FlashLEDMode.torch) != nil {
      return change(mode, to: FlashLEDMode.torch, isRequired: true)
    }
    let lamps = ControlID.illuminators.compactMap { controls.settable($0) }
    guard lamps.isEmpty else {
      return lamps.forEach { change($0, to: 1, isRequired: true) }
    }
    throw OvercrankError(
      .noControl,
      mode == nil
        ? "\(camera) has no light that can be switched on. Light the scene another way."
        : "\(camera.asSubject) its light only flashes, and cannot stay on while frames are exposed. Light the scene "
          + "another way.",
      remedy: .listControls(camera: camera))
  }
}

/// A light of a simulated camera, by how it is switched.
package enum CameraLight: String, CaseIterable, Hashable, Sendable {
  /// It can flash, or stay on.
  case torch
  /// It can only flash.
  case flash
  /// It is a lamp beside the lens.
  case illuminator

  /// Returns the control of such a light, and its menu.
  var control: (Control, [ControlMenuItem]) {
    func control(_ id: UInt32, _ name: String, _ kind: Control.Kind, to last: Int64) -> Control {
      Control(id: id, name: name, kind: kind, minimum: 0, maximum: last, value: FlashLEDMode.off)
    }
    let modes = ["Off", "Flash", "Torch"].enumerated().map { ControlMenuItem(index: UInt32($0), name: $1) }
    return switch self {
    case .torch: (control(ControlID.flashLEDMode, "LED Mode", .menu, to: FlashLEDMode.torch), modes)
    case .flash:
      (control(ControlID.flashLEDMode, "LED Mode", .menu, to: FlashLEDMode.flash), modes.dropLast())
    case .illuminator: (control(ControlID.illuminators[0], "Illuminator 1", .boolean, to: 1), [])
    }
  }

  /// Returns whether one of `controls` has such a light on.
  static func isOn(_ controls: [Control]) -> Bool {
    controls.contains { control in
      control.id == ControlID.flashLEDMode && control.value == FlashLEDMode.torch
        || ControlID.illuminators.contains(control.id) && control.value == 1
    }
  }
}
