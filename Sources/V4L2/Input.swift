import CV4L2

/// An input of a node; V4L2's `struct v4l2_input`.
public struct Input: Hashable, Sendable {
  /// Its number, by which it is chosen.
  public let index: UInt32
  /// The driver's name for it, such as `HDMI 1`.
  public let name: String
  /// What is behind it.
  public let kind: Kind
  /// What is wrong with its signal; of use for the input that is chosen.
  public let status: Status

  /// What is behind an input; V4L2's `V4L2_INPUT_TYPE_*`.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    /// The kernel's number.
    public let rawValue: UInt32

    /// The kind with the kernel's number `rawValue`, known or not.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// A tuner.
    public static let tuner = Kind(rawValue: UInt32(V4L2_INPUT_TYPE_TUNER))
    /// A sensor, or a connector such as HDMI.
    public static let camera = Kind(rawValue: UInt32(V4L2_INPUT_TYPE_CAMERA))
    /// A touch screen's sensor.
    public static let touch = Kind(rawValue: UInt32(V4L2_INPUT_TYPE_TOUCH))
  }

  /// What is wrong with an input's signal; V4L2's `V4L2_IN_ST_*`. Empty where all is well, or the
  /// driver cannot tell.
  public struct Status: OptionSet, Hashable, Sendable {
    /// The kernel's bits.
    public let rawValue: UInt32

    /// The flags in `rawValue`, known or not.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The device has no power.
    public static let noPower = Status(rawValue: UInt32(V4L2_IN_ST_NO_POWER))
    /// No signal comes in.
    public static let noSignal = Status(rawValue: UInt32(V4L2_IN_ST_NO_SIGNAL))
    /// The signal has no colours.
    public static let noColor = Status(rawValue: UInt32(V4L2_IN_ST_NO_COLOR))
    /// The sensor gives its pictures mirrored left to right.
    public static let mirrored = Status(rawValue: UInt32(V4L2_IN_ST_HFLIP))
    /// The sensor gives its pictures upside down.
    public static let upsideDown = Status(rawValue: UInt32(V4L2_IN_ST_VFLIP))
  }
}

extension OpenNode {
  /// The input at `index`; `nil` where the list has ended, or the node has no inputs.
  func input(at index: UInt32) throws(V4L2Error) -> Input? {
    var raw = v4l2_input()
    raw.index = index
    guard try isThere(cv4l2_enuminput(descriptor, &raw), "VIDIOC_ENUMINPUT", on: path) else { return nil }
    return Input(
      index: raw.index, name: String(fixedField: raw.name), kind: Input.Kind(rawValue: raw.type),
      status: Input.Status(rawValue: raw.status))
  }
}

extension Device {
  /// The number of the input that is chosen; `nil` where the node has none.
  ///
  /// The corresponding ioctl is `VIDIOC_G_INPUT`.
  public borrowing func input() throws(V4L2Error) -> UInt32? {
    var index: CInt = 0
    let result = cv4l2_g_input(descriptor.rawValue, &index)
    return try isThere(result, "VIDIOC_G_INPUT", on: path) ? UInt32(bitPattern: index) : nil
  }

  /// Chooses the input with the number `index`, which may change the format and the lists of sizes
  /// and intervals.
  ///
  /// The corresponding ioctl is `VIDIOC_S_INPUT`.
  /// - Throws: ``V4L2Error``; `unsupported` where there is no such input, `busy` while buffers are
  ///   requested.
  public borrowing func setInput(_ index: UInt32) throws(V4L2Error) {
    var index = CInt(bitPattern: index)
    try check(cv4l2_s_input(descriptor.rawValue, &index), "VIDIOC_S_INPUT", on: path)
  }
}
