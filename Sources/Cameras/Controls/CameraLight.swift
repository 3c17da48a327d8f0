import Platform

/// The modes of a camera's light: `enum v4l2_flash_led_mode`.
enum FlashLEDMode {
  /// The light is on.
  static let torch: Int64 = 2
}

extension ControlPlan {
  /// Switches the camera's light on.
  ///
  /// - Throws: `OvercrankError` with `noControl` if its light cannot stay on. A light that only flashes is no
  ///   use: the moment of exposure is not known.
  mutating func light(_ controls: [CameraControl], of camera: String) throws(OvercrankError) {
    guard let mode = controls.settable(ControlID.flashLEDMode) else {
      throw OvercrankError(
        .noControl, "\(camera) has no light that can be switched on.", remedy: .listControls(camera: camera))
    }
    guard mode.item(for: FlashLEDMode.torch) != nil else {
      throw OvercrankError(
        .noControl, "\(camera.asSubject) its light only flashes, and cannot stay on during a recording.",
        remedy: .listControls(camera: camera))
    }
    change(mode, to: FlashLEDMode.torch, isRequired: true)
  }
}
