import Platform

/// `enum v4l2_flash_led_mode`: what a camera's light does.
enum FlashLEDMode {
  /// It shines.
  static let torch: Int64 = 2
}

extension ControlPlan {
  /// The camera's light shines.
  ///
  /// - Throws: `OvercrankError` with `noControl` where it has none that can: one that only flashes does so at a moment that
  ///   no frame is known to be exposed at.
  mutating func light(_ controls: [CameraControl], of camera: String) throws(OvercrankError) {
    guard let mode = controls.settable(ControlID.flashLEDMode) else {
      throw OvercrankError(
        .noControl, "\(camera) has no light that can be switched on.", remedy: .listControls(camera: camera))
    }
    guard mode.item(for: FlashLEDMode.torch) != nil else {
      throw OvercrankError(
        .noControl, "\(camera.asSubject) its light only flashes, and cannot shine while frames are exposed.",
        remedy: .listControls(camera: camera))
    }
    change(mode, to: FlashLEDMode.torch, isRequired: true)
  }
}
