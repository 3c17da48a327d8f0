package import Platform
import SystemPackage

/// The USB device behind a node, as sysfs describes it.
public struct USBDevice: Hashable, Sendable {
  /// Vendor and product, as in `32e4:9230`.
  public let vendorProduct: String
  /// Its folder's name in /sys/bus/usb/devices, such as `1-2`; `nil` if unknown.
  public let name: String?
  /// The link's speed in Mbit/s, such as 480 or 5000; `nil` if sysfs does not say.
  public let megabitsPerSecond: Double?
  /// The USB version that the device claims (`bcdUSB`), such as 2.1; `nil` if sysfs does not say.
  public let version: Double?
  /// Whether the kernel may suspend it; `nil` if sysfs does not say.
  public let isAutosuspended: Bool?
  /// Whether it can be unplugged from its port; `nil` if sysfs does not know (`removable`).
  public let isPortRemovable: Bool?

  package init(
    vendorProduct: String, name: String? = nil, megabitsPerSecond: Double?, version: Double? = nil,
    isAutosuspended: Bool? = nil, isPortRemovable: Bool? = nil
  ) {
    self.vendorProduct = vendorProduct
    self.name = name
    self.megabitsPerSecond = megabitsPerSecond
    self.version = version
    self.isAutosuspended = isAutosuspended
    self.isPortRemovable = isPortRemovable
  }

  /// Reads the device of the node `node` (`video0`); `nil` if the camera is not on USB.
  package init?(ofNode node: String, in folder: SystemFolder = SystemFolder()) {
    // The node's device is a USB interface; its parent is the USB device, which has the ids.
    let interface = FilePath("/sys/class/video4linux").appending("\(node)/device")
    let device = interface.appending("..")
    guard let vendor = folder.line(device.appending("idVendor")),
      let product = folder.line(device.appending("idProduct"))
    else { return nil }
    func number(_ attribute: String) -> Double? {
      folder.line(device.appending(attribute)).flatMap { Double($0.filter { $0 != " " }) }
    }
    self.init(
      vendorProduct: "\(vendor):\(product)",
      name: folder.place(of: interface).resolvingLinks.removingLastComponent().name,
      megabitsPerSecond: number("speed"), version: number("version"),
      isAutosuspended: folder.line(device.appending("power/control")).map { $0 == "auto" },
      isPortRemovable: folder.line(device.appending("removable")).flatMap {
        ["removable": true, "fixed": false][$0]
      })
  }

  /// The speed of USB 2's fastest links in Mbit/s.
  package static let highSpeed = 480.0

  /// Returns the most bytes per second of a stream over a link of `megabitsPerSecond` that the camera does
  /// not share.
  ///
  /// An isochronous endpoint of USB 2 moves three packets of 1024 bytes in each of 8000 microframes per
  /// second (USB 2.0, 5.6.3); for faster links, ten bits on the wire are counted for a byte.
  package static func mostBytesPerSecond(at megabitsPerSecond: Double) -> Double {
    megabitsPerSecond <= highSpeed
      ? 3 * 1024 * 8000 * megabitsPerSecond / highSpeed : megabitsPerSecond * 1e6 / 10
  }
}
