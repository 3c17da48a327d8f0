import CV4L2

/// A control of a device and its present value; V4L2's `struct v4l2_query_ext_ctrl`.
public struct Control: Hashable, Sendable {
  /// `V4L2_CID_*`.
  public let id: UInt32
  /// The driver's name for it.
  public let name: String
  /// Least value.
  public let minimum: Int64
  /// Greatest value.
  public let maximum: Int64
  /// Distance of one value from the next.
  public let step: UInt64
  /// The driver's default.
  public let defaultValue: Int64
  /// `V4L2_CTRL_FLAG_*`.
  public let flags: ControlFlags
  /// The value that was read.
  public var value: Int64
}

/// V4L2's `V4L2_CTRL_FLAG_*`.
public struct ControlFlags: OptionSet, Hashable, Sendable {
  /// The kernel's bits.
  public let rawValue: UInt32

  /// The flags in `rawValue`, known or not.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// It cannot be used at all.
  public static let disabled = ControlFlags(rawValue: UInt32(V4L2_CTRL_FLAG_DISABLED))
  /// It cannot be set.
  public static let readOnly = ControlFlags(rawValue: UInt32(V4L2_CTRL_FLAG_READ_ONLY))
  /// It has no effect at present, as an exposure under auto exposure.
  public static let inactive = ControlFlags(rawValue: UInt32(V4L2_CTRL_FLAG_INACTIVE))
  /// It cannot be read.
  public static let writeOnly = ControlFlags(rawValue: UInt32(V4L2_CTRL_FLAG_WRITE_ONLY))
  /// The hardware changes it on its own.
  public static let volatile = ControlFlags(rawValue: UInt32(V4L2_CTRL_FLAG_VOLATILE))
}

extension Device {
  /// The most controls that are read: nothing promises that a driver's list ends.
  private static let mostControls = 1024

  /// The controls that hold one number: integers, booleans, menus and bit masks; with their values.
  ///
  /// Strings, buttons, compound controls and disabled ones are left out.
  /// The corresponding ioctls are `VIDIOC_QUERY_EXT_CTRL` and `VIDIOC_G_EXT_CTRLS`.
  public borrowing func controls() throws(V4L2Error) -> [Control] {
    var found: [Control] = []
    var id: UInt32 = 0
    for _ in 0..<Self.mostControls {
      var raw = v4l2_query_ext_ctrl()
      raw.id = id | UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)
      guard cv4l2_query_ext_ctrl(descriptor.rawValue, &raw) >= 0, raw.id > id else { break }
      id = raw.id
      let flags = ControlFlags(rawValue: raw.flags)
      guard Self.scalarTypes.contains(raw.type), flags.isDisjoint(with: [.disabled, .writeOnly]),
        let value = controlValue(raw.id, isWide: raw.type == V4L2_CTRL_TYPE_INTEGER64.rawValue)
      else { continue }
      found.append(
        Control(
          id: raw.id, name: String(fixedField: raw.name), minimum: raw.minimum, maximum: raw.maximum,
          step: raw.step, defaultValue: raw.default_value, flags: flags, value: value))
    }
    return found
  }

  private static let scalarTypes: Set<UInt32> = [
    V4L2_CTRL_TYPE_INTEGER.rawValue, V4L2_CTRL_TYPE_BOOLEAN.rawValue, V4L2_CTRL_TYPE_MENU.rawValue,
    V4L2_CTRL_TYPE_INTEGER_MENU.rawValue, V4L2_CTRL_TYPE_BITMASK.rawValue, V4L2_CTRL_TYPE_INTEGER64.rawValue,
  ]

  private borrowing func controlValue(_ id: UInt32, isWide: Bool) -> Int64? {
    var control = v4l2_ext_control()
    control.id = id
    let result = withUnsafeMutablePointer(to: &control) { pointer in
      var request = v4l2_ext_controls()
      request.count = 1
      request.controls = pointer
      return cv4l2_g_ext_ctrls(descriptor.rawValue, &request)
    }
    guard result >= 0 else { return nil }
    return isWide ? control.value64 : Int64(control.value)
  }

  /// Sets the control `id` to `value`.
  ///
  /// The corresponding ioctl is `VIDIOC_S_EXT_CTRLS`.
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
}
