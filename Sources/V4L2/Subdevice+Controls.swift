import CV4L2

/// Controls of a sub-device: a sensor's are separate from those of the camera's node.
extension Subdevice {
  /// The most controls that are read, as a driver's list may never end.
  private static let mostControls = 1024

  var node: OpenNode {
    OpenNode(descriptor: descriptor.rawValue, path: path, captureType: 0)
  }

  /// Returns all controls except disabled ones, in the driver's order, with the values of those that hold one
  /// number or text.
  ///
  /// The corresponding ioctls are `VIDIOC_QUERY_EXT_CTRL` and `VIDIOC_G_EXT_CTRLS`.
  public borrowing func controls() -> [Control] {
    let node = node
    var found: [Control] = []
    var last: UInt32 = 0
    for _ in 0..<Self.mostControls {
      // If the driver fails, the controls before that are still usable.
      guard let raw = try? node.queryControl(after: last) else { break }
      last = raw.id
      let control = node.readControl(raw)
      if control.kind != .heading, !control.flags.contains(.disabled) { found.append(control) }
    }
    return found
  }

  /// Returns the control `id` with its present value; `nil` if the sub-device does not have it.
  ///
  /// The corresponding ioctls are `VIDIOC_QUERY_EXT_CTRL` and `VIDIOC_G_EXT_CTRLS`.
  public borrowing func control(_ id: UInt32) -> Control? { node.control(id) }

  /// Returns the items of a menu control; empty for others. A menu may omit numbers.
  ///
  /// The corresponding ioctl is `VIDIOC_QUERYMENU`.
  public borrowing func menu(of control: Control) -> [ControlMenuItem] {
    let node = node
    // Items at which the driver fails are left out.
    return control.menuIndices.compactMap { try? node.menuItem(of: control, at: $0) }
  }

  /// Sets the control `id` to `value`.
  ///
  /// The corresponding ioctl is `VIDIOC_S_EXT_CTRLS`. Drivers may round the value: read it back.
  public borrowing func setControl(_ id: UInt32, to value: Int64) throws(V4L2Error) {
    try node.setControl(id, to: value)
  }
}
