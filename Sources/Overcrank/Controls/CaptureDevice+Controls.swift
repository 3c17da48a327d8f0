public import Cameras
public import Capture

extension CaptureDevice {
  /// Sets controls for good, those of `settings` last.
  ///
  /// - Parameter resetting: whether all controls that can be set go to the driver's defaults first.
  /// - Returns: what the driver made of each; empty where there was nothing to set.
  /// - Throws: ``CameraError`` where a name or a value is none of the camera's; nothing is set then.
  public func set(
    _ settings: [ControlSetting], resetting: Bool = false
  ) throws(CameraError) -> [ControlOutcome] {
    let controls = try controls()
    var changes = resetting ? controls.compactMap(\.resetChange) : []
    for setting in settings { changes.append(try setting.change(among: controls, of: name)) }
    return changes.isEmpty ? [] : try make(changes)
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
