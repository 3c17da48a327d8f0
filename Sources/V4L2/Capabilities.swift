import CV4L2

/// A device's identity and abilities; V4L2's `struct v4l2_capability`.
public struct Capabilities: Hashable, Sendable {
  /// The driver's name, such as `uvcvideo`.
  public let driver: String
  /// The card's name, such as `HD Pro Webcam C920`.
  public let card: String
  /// The bus that it is attached to, such as `usb-0000:00:14.0-2`.
  public let busInfo: String
  /// The abilities of the physical device, with all its nodes.
  public let capabilities: CapabilityFlags
  /// The abilities of this node, which are the ones to use.
  public let deviceCaps: CapabilityFlags

  /// Creates capabilities that are the same for the device and for this node.
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
    // Old drivers leave device_caps unset, and omit the flag.
    let hasDeviceCaps = raw.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0
    self.deviceCaps = CapabilityFlags(rawValue: hasDeviceCaps ? raw.device_caps : raw.capabilities)
  }

  /// Whether this node can deliver frames through memory-mapped buffers.
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

  /// Creates a set of the flags in `rawValue`, known or not.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Single-planar capture.
  public static let videoCapture = CapabilityFlags(rawValue: UInt32(V4L2_CAP_VIDEO_CAPTURE))
  /// Multi-planar capture.
  public static let videoCaptureMultiplanar = CapabilityFlags(rawValue: UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE))
  /// Single-planar output, as on a v4l2loopback node that waits for its writer.
  public static let videoOutput = CapabilityFlags(rawValue: UInt32(V4L2_CAP_VIDEO_OUTPUT))
  /// Streaming through buffers.
  public static let streaming = CapabilityFlags(rawValue: UInt32(V4L2_CAP_STREAMING))
  /// Metadata capture: a second node of a camera, without pictures.
  public static let metadataCapture = CapabilityFlags(rawValue: UInt32(V4L2_CAP_META_CAPTURE))
  /// Formats depend on media bus codes.
  public static let mediaControllerIO = CapabilityFlags(rawValue: UInt32(V4L2_CAP_IO_MC))
}

extension String {
  /// Reads a C array of bytes from the kernel, up to the first NUL; invalid UTF-8 is repaired.
  init<Field>(fixedField field: Field) {
    self = withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
