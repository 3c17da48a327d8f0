import CV4L2

/// What follows from a sub-device's own controls: a sensor's are not those of the camera's node.
extension Subdevice {
  /// The most controls that are read: nothing promises that a list ends.
  private static let mostControls = 1024

  var node: OpenNode {
    OpenNode(descriptor: descriptor.rawValue, path: path, captureType: 0)
  }

  /// All controls that are not disabled, in the driver's order, with the values of those that hold
  /// one number or text.
  ///
  /// The corresponding ioctls are `VIDIOC_QUERY_EXT_CTRL` and `VIDIOC_G_EXT_CTRLS`.
  public borrowing func controls() -> [Control] {
    let node = node
    var found: [Control] = []
    var last: UInt32 = 0
    for _ in 0..<Self.mostControls {
      // Where the driver fails, the controls before that are there all the same.
      guard let raw = try? node.queryControl(after: last) else { break }
      last = raw.id
      let control = node.readControl(raw)
      if control.kind != .heading, !control.flags.contains(.disabled) { found.append(control) }
    }
    return found
  }

  /// The control `id` as it stands; `nil` where the sub-device has none.
  ///
  /// The corresponding ioctls are `VIDIOC_QUERY_EXT_CTRL` and `VIDIOC_G_EXT_CTRLS`.
  public borrowing func control(_ id: UInt32) -> Control? { node.control(id) }

  /// The items of a menu control; empty for others. A menu may leave numbers out.
  ///
  /// The corresponding ioctl is `VIDIOC_QUERYMENU`.
  public borrowing func menu(of control: Control) -> [ControlMenuItem] {
    let node = node
    // Where the driver fails, the items before that are there all the same.
    return control.menuIndices.compactMap { try? node.menuItem(of: control, at: $0) }
  }

  /// Sets the control `id` to `value`.
  ///
  /// The corresponding ioctl is `VIDIOC_S_EXT_CTRLS`. Drivers may round what they are given: read
  /// it back.
  public borrowing func setControl(_ id: UInt32, to value: Int64) throws(V4L2Error) {
    try node.setControl(id, to: value)
  }
}
