/// `enum v4l2_flash_led_mode`: what a camera's light does.
enum FlashLEDMode {
  /// It shines.
  static let torch: Int64 = 2
}

extension ControlPlan {
  /// The camera's light shines.
  ///
  /// - Throws: ``CameraError`` with `noControl` where it has none that can: one that only flashes does so at a moment that
  ///   no frame is known to be exposed at.
  mutating func light(_ controls: [CameraControl], of camera: String) throws(CameraError) {
    guard let mode = controls.settable(ControlID.flashLEDMode) else {
      throw CameraError(
        .noControl, "\(camera) has no light that can be switched on.", action: .listControls(camera: camera))
    }
    guard mode.item(for: FlashLEDMode.torch) != nil else {
      throw CameraError(
        .noControl, "\(camera.asSubject) its light only flashes, and cannot shine while frames are exposed.",
        action: .listControls(camera: camera))
    }
    change(mode, to: FlashLEDMode.torch, isRequired: true)
  }
}
