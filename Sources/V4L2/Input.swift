import CV4L2

/// An input of a node; V4L2's `struct v4l2_input`.
public struct Input: Hashable, Sendable {
  /// Its number, by which it is selected.
  public let index: UInt32
  /// The driver's name for it, such as `HDMI 1`.
  public let name: String
  /// The kind of source behind it.
  public let kind: Kind
  /// Faults of its signal; meaningful for the selected input.
  public let status: Status

  /// The kind of source behind an input; V4L2's `V4L2_INPUT_TYPE_*`.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    /// The kernel's number.
    public let rawValue: UInt32

    /// Creates the kind with the kernel's number `rawValue`, known or not.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// A tuner.
    public static let tuner = Kind(rawValue: UInt32(V4L2_INPUT_TYPE_TUNER))
    /// A sensor, or a connector such as HDMI.
    public static let camera = Kind(rawValue: UInt32(V4L2_INPUT_TYPE_CAMERA))
    /// A touch screen's sensor.
    public static let touch = Kind(rawValue: UInt32(V4L2_INPUT_TYPE_TOUCH))
  }

  /// Faults of an input's signal; V4L2's `V4L2_IN_ST_*`. Empty if there are none, or the driver cannot tell.
  public struct Status: OptionSet, Hashable, Sendable {
    /// The kernel's bits.
    public let rawValue: UInt32

    /// Creates a set of the flags in `rawValue`, known or not.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The device has no power.
    public static let noPower = Status(rawValue: UInt32(V4L2_IN_ST_NO_POWER))
    /// There is no signal.
    public static let noSignal = Status(rawValue: UInt32(V4L2_IN_ST_NO_SIGNAL))
    /// The signal has no colours.
    public static let noColor = Status(rawValue: UInt32(V4L2_IN_ST_NO_COLOR))
    /// The sensor delivers its pictures mirrored left to right.
    public static let mirrored = Status(rawValue: UInt32(V4L2_IN_ST_HFLIP))
    /// The sensor delivers its pictures upside down.
    public static let upsideDown = Status(rawValue: UInt32(V4L2_IN_ST_VFLIP))
  }
}

extension OpenNode {
  /// Returns the input at `index`; `nil` at the end of the list, or if the node has no inputs.
  func input(at index: UInt32) throws(V4L2Error) -> Input? {
    var raw = v4l2_input()
    raw.index = index
    guard try exists(cv4l2_enuminput(descriptor, &raw), "VIDIOC_ENUMINPUT", on: path) else { return nil }
    return Input(
      index: raw.index, name: String(fixedField: raw.name), kind: Input.Kind(rawValue: raw.type),
      status: Input.Status(rawValue: raw.status))
  }
}

extension Device {
  /// Returns the number of the selected input; `nil` if the node has none.
  ///
  /// The corresponding ioctl is `VIDIOC_G_INPUT`.
  public borrowing func input() throws(V4L2Error) -> UInt32? {
    var index: CInt = 0
    let result = cv4l2_g_input(descriptor.rawValue, &index)
    return try exists(result, "VIDIOC_G_INPUT", on: path) ? UInt32(bitPattern: index) : nil
  }

  /// Selects the input with the number `index`, which may change the format and the lists of sizes and
  /// intervals.
  ///
  /// The corresponding ioctl is `VIDIOC_S_INPUT`.
  /// - Throws: ``V4L2Error``; `unsupported` if there is no such input, `busy` while buffers are requested.
  public borrowing func setInput(_ index: UInt32) throws(V4L2Error) {
    var index = CInt(bitPattern: index)
    try check(cv4l2_s_input(descriptor.rawValue, &index), "VIDIOC_S_INPUT", on: path)
  }
}
