import Cameras
import Platform
import SystemPackage

/// The other devices on a camera's USB bus that move much data.
///
/// Before the Raspberry Pi 4, all ports of a Raspberry Pi are one bus; elsewhere, ports beside each other often are.
enum USBBus {
  private static let devices: FilePath = "/sys/bus/usb/devices"

  /// Returns the disks, network adapters and cameras that share the bus of `camera`, such as `SanDisk Extreme (disk)`;
  /// `nil` if sysfs does not say.
  static func others(than camera: USBDevice, in folder: SystemFolder) -> [String]? {
    // Devices are named by their bus and ports, as in 1-1.2, and their interfaces after them, as in 1-1.2:1.0.
    guard let own = camera.name, let bus = own.split(separator: "-").first else { return nil }
    let names = folder.names(in: devices)
    guard names.contains(own) else { return nil }
    return names.filter { $0.hasPrefix("\(bus)-") && !$0.contains(":") && $0 != own }.compactMap { name in
      let interfaces = names.filter { $0.hasPrefix("\(name):") }
      guard let kind = interfaces.lazy.compactMap({ kind(ofInterface: $0, in: folder) }).first else {
        return nil
      }
      let product = folder.line(devices.appending("\(name)/product")) ?? "the device at \(name)"
      return "\(product) (\(kind))"
    }
  }

  /// Returns the kind of an interface that moves much data; `nil` for others, such as a keyboard's.
  private static func kind(ofInterface name: String, in folder: SystemFolder) -> String? {
    let interface = devices.appending(name)
    // Network adapters are of many classes; the kernel's driver makes this folder.
    if !folder.names(in: interface.appending("net")).isEmpty { return "network" }
    return ["08": "disk", "0e": "camera"][folder.line(interface.appending("bInterfaceClass")) ?? ""]
  }
}

extension CameraFacts {
  static func usbBus(_ usb: USBDevice?, _ others: [String]?) -> Diagnosis.Verdict {
    guard let usb else { return .fine("The camera is not on USB.") }
    guard let others, let speed = usb.megabitsPerSecond else {
      return .unknown("sysfs does not say what shares the camera's bus.")
    }
    guard !others.isEmpty else {
      return .fine("No disk, network adapter or other camera shares the camera's USB bus.")
    }
    let what = "The camera shares its USB bus with \(others.joined(separator: ", "))"
    guard speed <= USBDevice.highSpeed else { return .fine("\(what), and its link runs at USB 3's speed.") }
    return .finding(
      Finding(
        "\(what).",
        why:
          "All devices on a USB 2 bus share 480 Mbit/s. What they move while a take is recorded can cost frames.",
        remedy:
          "Plug them in at ports of another bus, as \"lsusb -t\" shows, or do not use them while recording. Models before the Raspberry Pi 4 have only one bus.",
        severity: .hint))
  }
}
