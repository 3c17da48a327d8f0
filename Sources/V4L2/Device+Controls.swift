import CV4L2

extension Device {
  /// Returns the control `id` with its present value; `nil` if the device does not have it.
  ///
  /// The corresponding ioctls are `VIDIOC_QUERY_EXT_CTRL` and `VIDIOC_G_EXT_CTRLS`.
  public borrowing func control(_ id: UInt32) -> Control? {
    node.control(id)
  }

  /// Sets the control `id` to `value`.
  ///
  /// The corresponding ioctl is `VIDIOC_S_EXT_CTRLS`. Drivers may round the value: read it back.
  /// - Throws: ``V4L2Error``; `unsupported` if the control does not take the value, or cannot be set at
  ///   present.
  public borrowing func setControl(_ id: UInt32, to value: Int64) throws(V4L2Error) {
    try node.setControl(id, to: value)
  }
}

extension OpenNode {
  /// Returns the control `id` with its present value; `nil` if the device does not have it.
  func control(_ id: UInt32) -> Control? {
    var raw = v4l2_query_ext_ctrl()
    raw.id = id
    return cv4l2_query_ext_ctrl(descriptor, &raw) >= 0 ? readControl(raw) : nil
  }

  /// Sets the control `id` to `value`.
  func setControl(_ id: UInt32, to value: Int64) throws(V4L2Error) {
    var control = v4l2_ext_control()
    control.id = id
    // Narrow controls read the low 32 bits of the union, which hold a small value64.
    control.value64 = value
    let result = withUnsafeMutablePointer(to: &control) { pointer in
      var request = v4l2_ext_controls()
      request.count = 1
      request.controls = pointer
      return cv4l2_s_ext_ctrls(descriptor, &request)
    }
    try check(result, "VIDIOC_S_EXT_CTRLS", on: path)
  }

  /// Returns the driver's description of the control that follows `id`; `nil` if there is none.
  func queryControl(after id: UInt32) throws(V4L2Error) -> v4l2_query_ext_ctrl? {
    var raw = v4l2_query_ext_ctrl()
    raw.id = id | UInt32(V4L2_CTRL_FLAG_NEXT_CTRL) | UInt32(V4L2_CTRL_FLAG_NEXT_COMPOUND)
    let result = cv4l2_query_ext_ctrl(descriptor, &raw)
    guard try exists(result, "VIDIOC_QUERY_EXT_CTRL", on: path) else { return nil }
    // A driver that does not know the flags may return the same control again.
    return raw.id > id ? raw : nil
  }

  /// Returns the item of a menu at `index`; `nil` if the menu omits that number.
  func menuItem(of control: Control, at index: UInt32) throws(V4L2Error) -> ControlMenuItem? {
    var raw = v4l2_querymenu()
    raw.id = control.id
    raw.index = index
    guard try exists(cv4l2_querymenu(descriptor, &raw), "VIDIOC_QUERYMENU", on: path) else { return nil }
    // The union is read by the control's own kind, which determined the member that was filled.
    let name = control.kind == .menu ? String(fixedField: raw.name) : "\(raw.value)"
    return ControlMenuItem(index: raw.index, name: name)
  }

  func readControl(_ raw: v4l2_query_ext_ctrl) -> Control {
    let kind = Control.Kind(rawValue: raw.type)
    let flags = ControlFlags(rawValue: raw.flags)
    let dimensions = withUnsafeBytes(of: raw.dims) { bytes in
      Array(bytes.bindMemory(to: UInt32.self).prefix(Int(raw.nr_of_dims)))
    }
    var control = Control(
      id: raw.id, name: String(fixedField: raw.name), kind: kind, minimum: raw.minimum, maximum: raw.maximum,
      step: raw.step, defaultValue: raw.default_value, flags: flags, dimensions: dimensions)
    guard dimensions.isEmpty, !flags.contains(.writeOnly) else { return control }
    if Self.scalarKinds.contains(kind) {
      control.value = scalar(raw.id, kind)
    } else if kind == .string {
      control.text = text(raw.id, byteCount: Int(raw.elem_size))
    }
    return control
  }

  private static let scalarKinds: Set<Control.Kind> = [
    .integer, .boolean, .menu, .integerMenu, .bitmask, .integer64,
  ]

  private func scalar(_ id: UInt32, _ kind: Control.Kind) -> Int64? {
    var control = v4l2_ext_control()
    control.id = id
    guard get(&control) else { return nil }
    switch kind {
    case .integer64: return control.value64
    // Bit 31 is an ordinary bit, not a sign.
    case .bitmask: return Int64(UInt32(bitPattern: control.value))
    default: return Int64(control.value)
    }
  }

  private func text(_ id: UInt32, byteCount: Int) -> String? {
    // Room for the driver's longest string and its NUL; the manual sets no bound, so this does.
    guard (1...1 << 16).contains(byteCount) else { return nil }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: byteCount) { bytes in
      bytes.initialize(repeating: 0)
      var control = v4l2_ext_control()
      control.id = id
      control.size = UInt32(byteCount)
      control.string = bytes.baseAddress
      guard get(&control) else { return nil }
      return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }

  private func get(_ control: inout v4l2_ext_control) -> Bool {
    withUnsafeMutablePointer(to: &control) { pointer in
      var request = v4l2_ext_controls()
      request.count = 1
      request.controls = pointer
      return cv4l2_g_ext_ctrls(descriptor, &request) >= 0
    }
  }
}
