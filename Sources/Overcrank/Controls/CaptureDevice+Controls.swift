public import Cameras
public import Capture

extension CaptureDevice {
  /// The camera's controls with their values; a simulated camera has none.
  ///
  /// - Throws: ``CameraError`` where the camera does not tell them.
  public func controls() throws(CameraError) -> [CameraControl] {
    if case .camera(let camera) = self { try camera.controls() } else { [] }
  }

  /// Sets controls for good, those of `settings` last.
  ///
  /// - Parameter resetting: whether all controls that can be set go to the driver's defaults first.
  /// - Returns: what the driver made of each; empty where there was nothing to set.
  /// - Throws: ``CameraError`` where a name or a value is none of the camera's; nothing is set then.
  public func set(
    _ settings: [ControlSetting], resetting: Bool = false
  ) throws(CameraError) -> [ControlOutcome] {
    guard case .camera(let camera) = self else {
      guard settings.isEmpty else {
        throw CameraError(.noControl, "\(name) is simulated and has no controls: none can be set.")
      }
      return []
    }
    let controls = try camera.controls()
    var changes = resetting ? controls.compactMap(\.resetChange) : []
    for setting in settings { changes.append(try setting.change(among: controls, of: name)) }
    return changes.isEmpty ? [] : try camera.make(changes)
  }
}

extension CameraControl {
  /// The change that puts it at its default; `nil` where it is there, or cannot be set.
  fileprivate var resetChange: ControlChange? {
    guard let value = control.value, value != control.defaultValue,
      control.flags.isDisjoint(with: [.readOnly, .volatile, .inactive])
    else { return nil }
    return ControlChange(id: control.id, name: name, value: control.defaultValue, isRequired: false)
  }
}
