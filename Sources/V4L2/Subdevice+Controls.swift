import CV4L2
import SystemPackage

/// What follows from a sub-device's own controls: a sensor's are not those of the camera's node.
extension Subdevice {
  /// The most controls that are read: nothing promises that a list ends.
  private static let mostControls = 1024

  /// All controls that are not disabled, in the driver's order, with the values of those that hold
  /// one number.
  ///
  /// The corresponding ioctls are `VIDIOC_QUERY_EXT_CTRL` and `VIDIOC_G_EXT_CTRLS`.
  public borrowing func controls() -> [Control] {
    var found: [Control] = []
    var last: UInt32 = 0
    for _ in 0..<Self.mostControls {
      guard let control = query(last | UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)), control.id > last else { break }
      last = control.id
      if control.kind != .heading, !control.flags.contains(.disabled) { found.append(control) }
    }
    return found
  }

  /// The control `id` as it stands; `nil` where the sub-device has none.
  ///
  /// The corresponding ioctls are `VIDIOC_QUERY_EXT_CTRL` and `VIDIOC_G_EXT_CTRLS`.
  public borrowing func control(_ id: UInt32) -> Control? { query(id) }

  /// Sets the control `id` to `value`.
  ///
  /// The corresponding ioctl is `VIDIOC_S_EXT_CTRLS`. Drivers may round what they are given: read
  /// it back.
  public borrowing func setControl(_ id: UInt32, to value: Int64) throws(V4L2Error) {
    var control = v4l2_ext_control()
    control.id = id
    // Narrow controls read the low 32 bits of the union, which is where a small value64 has them.
    control.value64 = value
    let result = withUnsafeMutablePointer(to: &control) { pointer in
      var request = v4l2_ext_controls()
      request.count = 1
      request.controls = pointer
      return cv4l2_s_ext_ctrls(descriptor.rawValue, &request)
    }
    guard result < 0 else { return }
    throw .call("VIDIOC_S_EXT_CTRLS", on: path, Errno(rawValue: -result))
  }

  private borrowing func query(_ id: UInt32) -> Control? {
    var raw = v4l2_query_ext_ctrl()
    raw.id = id
    guard cv4l2_query_ext_ctrl(descriptor.rawValue, &raw) >= 0 else { return nil }
    let kind = Control.Kind(rawValue: raw.type)
    var control = Control(
      id: raw.id, name: String(fixedField: raw.name), kind: kind, minimum: raw.minimum, maximum: raw.maximum,
      step: raw.step, defaultValue: raw.default_value, flags: ControlFlags(rawValue: raw.flags))
    control.value = raw.nr_of_dims == 0 ? value(of: raw.id, kind) : nil
    return control
  }

  private borrowing func value(of id: UInt32, _ kind: Control.Kind) -> Int64? {
    let kinds: [Control.Kind] = [.integer, .boolean, .menu, .integerMenu, .bitmask, .integer64]
    guard kinds.contains(kind) else { return nil }
    var control = v4l2_ext_control()
    control.id = id
    let result = withUnsafeMutablePointer(to: &control) { pointer in
      var request = v4l2_ext_controls()
      request.count = 1
      request.controls = pointer
      return cv4l2_g_ext_ctrls(descriptor.rawValue, &request)
    }
    guard result >= 0 else { return nil }
    if kind == .integer64 { return control.value64 }
    return kind == .bitmask ? Int64(UInt32(bitPattern: control.value)) : Int64(control.value)
  }
}
