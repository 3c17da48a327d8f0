import CV4L2
public import SystemPackage

/// The kernel's number of a device node, whatever the node is called.
public struct DeviceNumber: Hashable, Sendable {
  /// The number of the device's class, 81 for video.
  public var major: UInt32
  /// The number of the device within its class.
  public var minor: UInt32

  /// Creates the number `major:minor`.
  public init(major: UInt32, minor: UInt32) {
    self.major = major
    self.minor = minor
  }

  /// Reads the number of the node behind an open descriptor; `nil` if it is not a device node.
  init?(ofDescriptor descriptor: CInt) {
    var (major, minor): (UInt32, UInt32) = (0, 0)
    guard cv4l2_device_number(descriptor, &major, &minor) == 0 else { return nil }
    self.init(major: major, minor: minor)
  }

  /// The path of the node, as sysfs names it; `nil` if the kernel has no such device.
  public var node: FilePath? {
    let fd = cv4l2_open("/sys/dev/char/\(major):\(minor)/uevent", 0)
    guard fd >= 0 else { return nil }
    let descriptor = Descriptor(rawValue: fd)
    // The file has a few short lines; a longer one is not valid.
    let text = String(unsafeUninitializedCapacity: 4096) { buffer in
      Int(max(0, cv4l2_read(descriptor.rawValue, buffer.baseAddress, buffer.count)))
    }
    let name = text.split(separator: "\n").first { $0.hasPrefix("DEVNAME=") }?.dropFirst(8)
    return name.map { FilePath("/dev").appending(String($0)) }
  }
}

extension Device {
  /// The node's number; `nil` if it is not a device node.
  ///
  /// The corresponding call is `fstat(2)`.
  public var number: DeviceNumber? { DeviceNumber(ofDescriptor: descriptor.rawValue) }
}
