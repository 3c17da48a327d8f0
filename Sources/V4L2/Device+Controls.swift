import CV4L2

extension Device {
  /// The most controls, and the most items of one menu, that are read: nothing promises that a list ends.
  private static let mostControls = 1024

  /// All controls that are not disabled, in the driver's order, with the values of those that hold one number or text.
  ///
  /// The corresponding ioctls are `VIDIOC_QUERY_EXT_CTRL` and `VIDIOC_G_EXT_CTRLS`.
  public borrowing func controls() throws(V4L2Error) -> [Control] {
    var found: [Control] = []
    var id: UInt32 = 0
    for _ in 0..<Self.mostControls {
      let next = id | UInt32(V4L2_CTRL_FLAG_NEXT_CTRL) | UInt32(V4L2_CTRL_FLAG_NEXT_COMPOUND)
      guard let raw = queryControl(next), raw.id > id else { break }
      id = raw.id
      let control = readControl(raw)
      if control.kind != .heading, !control.flags.contains(.disabled) { found.append(control) }
    }
    return found
  }

  /// The control `id` as it stands; `nil` where the device has none.
  ///
  /// The corresponding ioctls are `VIDIOC_QUERY_EXT_CTRL` and `VIDIOC_G_EXT_CTRLS`.
  public borrowing func control(_ id: UInt32) -> Control? {
    queryControl(id).map { readControl($0) }
  }

  /// The items of a menu control; empty for others.
  ///
  /// The corresponding ioctl is `VIDIOC_QUERYMENU`. A menu may leave numbers out.
  public borrowing func menu(of control: Control) -> [ControlMenuItem] {
    guard control.kind == .menu || control.kind == .integerMenu, control.minimum >= 0,
      control.minimum <= control.maximum
    else { return [] }
    var items: [ControlMenuItem] = []
    for index in control.minimum...min(control.maximum, control.minimum + Int64(Self.mostControls)) {
      var raw = v4l2_querymenu()
      raw.id = control.id
      raw.index = UInt32(clamping: index)
      guard cv4l2_querymenu(descriptor.rawValue, &raw) >= 0 else { continue }
      // The union is read behind the control's own kind, which is what filled it.
      let name = control.kind == .menu ? String(fixedField: raw.name) : "\(raw.value)"
      items.append(ControlMenuItem(index: raw.index, name: name))
    }
    return items
  }

  /// Sets the control `id` to `value`.
  ///
  /// The corresponding ioctl is `VIDIOC_S_EXT_CTRLS`. Drivers may round what they are given: read it back.
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
    try check(result, "VIDIOC_S_EXT_CTRLS", on: path)
  }

  private borrowing func queryControl(_ id: UInt32) -> v4l2_query_ext_ctrl? {
    var raw = v4l2_query_ext_ctrl()
    raw.id = id
    return cv4l2_query_ext_ctrl(descriptor.rawValue, &raw) >= 0 ? raw : nil
  }

  private borrowing func readControl(_ raw: v4l2_query_ext_ctrl) -> Control {
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

  private borrowing func scalar(_ id: UInt32, _ kind: Control.Kind) -> Int64? {
    var control = v4l2_ext_control()
    control.id = id
    guard get(&control) else { return nil }
    switch kind {
    case .integer64: return control.value64
    // Bit 31 is a bit like the others, not a sign.
    case .bitmask: return Int64(UInt32(bitPattern: control.value))
    default: return Int64(control.value)
    }
  }

  private borrowing func text(_ id: UInt32, byteCount: Int) -> String? {
    // Room for the driver's longest string and its NUL; the manual sets no bound, so one is set here.
    guard (1...1 << 16).contains(byteCount) else { return nil }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: byteCount) { bytes in
      var control = v4l2_ext_control()
      control.id = id
      control.size = UInt32(byteCount)
      control.string = bytes.baseAddress
      guard get(&control) else { return nil }
      return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }

  private borrowing func get(_ control: inout v4l2_ext_control) -> Bool {
    withUnsafeMutablePointer(to: &control) { pointer in
      var request = v4l2_ext_controls()
      request.count = 1
      request.controls = pointer
      return cv4l2_g_ext_ctrls(descriptor.rawValue, &request) >= 0
    }
  }
}
