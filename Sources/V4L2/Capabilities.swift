import CV4L2

/// What a device is and can do; V4L2's `struct v4l2_capability`.
public struct Capabilities: Hashable, Sendable {
  /// The driver's name, such as `uvcvideo`.
  public let driver: String
  /// The card's name, such as `HD Pro Webcam C920`.
  public let card: String
  /// Where it is attached, such as `usb-0000:00:14.0-2`.
  public let busInfo: String
  /// What the physical device can do, all its nodes together.
  public let capabilities: CapabilityFlags
  /// What this node can do: the one that matters.
  public let deviceCaps: CapabilityFlags

  /// A device that says this of itself, and of this node alone the same.
  package init(driver: String, card: String, busInfo: String, capabilities: CapabilityFlags) {
    self.driver = driver
    self.card = card
    self.busInfo = busInfo
    self.capabilities = capabilities
    deviceCaps = capabilities
  }

  init(_ raw: v4l2_capability) {
    self.driver = String(fixedField: raw.driver)
    self.card = String(fixedField: raw.card)
    self.busInfo = String(fixedField: raw.bus_info)
    self.capabilities = CapabilityFlags(rawValue: raw.capabilities)
    // Old drivers leave device_caps unset and say so by the missing flag.
    let hasDeviceCaps = raw.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0
    self.deviceCaps = CapabilityFlags(rawValue: hasDeviceCaps ? raw.device_caps : raw.capabilities)
  }

  /// Whether this node can give frames through memory-mapped buffers.
  public var canCapture: Bool {
    !deviceCaps.isDisjoint(with: [.videoCapture, .videoCaptureMultiplanar]) && deviceCaps.contains(.streaming)
  }

  /// Whether frames come through the multi-planar API.
  public var isMultiplanar: Bool {
    !deviceCaps.contains(.videoCapture) && deviceCaps.contains(.videoCaptureMultiplanar)
  }
}

/// V4L2's `V4L2_CAP_*` flags.
public struct CapabilityFlags: OptionSet, Hashable, Sendable {
  /// The kernel's bits.
  public let rawValue: UInt32

  /// The flags in `rawValue`, known or not.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Single-planar capture.
  public static let videoCapture = CapabilityFlags(rawValue: UInt32(V4L2_CAP_VIDEO_CAPTURE))
  /// Multi-planar capture.
  public static let videoCaptureMultiplanar = CapabilityFlags(rawValue: UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE))
  /// Single-planar output, as of a v4l2loopback node that waits for its writer.
  public static let videoOutput = CapabilityFlags(rawValue: UInt32(V4L2_CAP_VIDEO_OUTPUT))
  /// Streaming through buffers.
  public static let streaming = CapabilityFlags(rawValue: UInt32(V4L2_CAP_STREAMING))
  /// Metadata capture: a sibling node of a camera, without pictures.
  public static let metadataCapture = CapabilityFlags(rawValue: UInt32(V4L2_CAP_META_CAPTURE))
  /// Formats depend on media bus codes.
  public static let mediaControllerIO = CapabilityFlags(rawValue: UInt32(V4L2_CAP_IO_MC))
}

extension String {
  /// A C array of bytes that the kernel filled: up to the first NUL, repaired where it is no UTF-8.
  init<Field>(fixedField field: Field) {
    self = withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
