import Cameras
public import Platform
import Timebase

/// The facts about a Raspberry Pi that limit its cameras; `nil` for those that are unknown.
public struct RaspberryPi: Hashable, Sendable {
  /// The model, such as `Raspberry Pi 5 Model B Rev 1.0`.
  public let model: String
  /// The lines of config.txt, from which the firmware loads the drivers of cameras.
  public var configuration: [String]?
  /// The free memory in bytes from which the drivers of cameras on the ribbon cable take their buffers.
  public var contiguousBytes: Int64?
  /// The firmware's bits about the supply voltage and the temperature, as `vcgencmd get_throttled` prints them.
  public var throttling: UInt32?

  init(model: String) { self.model = model }

  /// Reads the facts from /proc, /sys and /boot in `folder`; `nil` on another machine.
  public init?(in folder: SystemFolder = SystemFolder()) {
    // The text of a property ends with a NUL.
    guard let model = folder.line("/proc/device-tree/model")?.split(separator: "\0").first,
      model.hasPrefix("Raspberry Pi")
    else { return nil }
    self.model = String(model)
    // Since Debian 12, the firmware's files are in a folder of their own.
    configuration = folder.lines("/boot/firmware/config.txt") ?? folder.lines("/boot/config.txt")
    contiguousBytes = folder.value(of: "CmaFree", in: "/proc/meminfo")
      .flatMap { $0.split(separator: " ").first }.flatMap { Int64($0) }.map { $0.multiplied(clamping: 1024) }
    throttling = folder.line("/sys/devices/platform/soc/soc:firmware/get_throttled")
      .flatMap { UInt32($0.hasPrefix("0x") ? $0.dropFirst(2) : $0[...], radix: 16) }
  }

  /// Returns the checks for a camera with `driver` and the load of a mode.
  ///
  /// - Parameters:
  ///   - driver: The name of the camera's driver; `nil` if there is no camera, or it is simulated.
  ///   - load: The mode's load; `nil` if there is no mode.
  public func checks(driver: String?, for load: ModeLoad?) -> [Diagnosis.Check] {
    var checks = [
      Diagnosis.Check("supply and temperature", Self.supply(throttling)),
      Diagnosis.Check("camera drivers", Self.cameraDrivers(configuration)),
    ]
    if let driver, Self.ribbonDrivers.contains(driver) {
      checks.append(Diagnosis.Check("contiguous memory", Self.contiguousMemory(contiguousBytes, load)))
    }
    return checks
  }

  /// The drivers of the receivers for the ribbon cable: up to the Raspberry Pi 4, and of the Raspberry Pi 5.
  private static let ribbonDrivers: Set<String> = ["unicam", "rp1-cfe"]

  static func supply(_ bits: UInt32?) -> Diagnosis.Verdict {
    guard let bits else {
      return .unknown("The firmware does not report the supply voltage and the temperature.")
    }
    let slows = "The firmware then slows the CPUs down, and frames are lost."
    // raspberrypi/documentation, get_throttled: bits 0 to 3 are the present, and 16 bits higher, what has been since
    // the start.
    let (now, before) = (bits & 0xf, bits >> 16 & 0xf)
    if (now | before) & 1 == 1 {
      return .finding(
        Finding(
          now & 1 == 1
            ? "The supply voltage is too low." : "The supply voltage has been too low since the start.",
          why: slows,
          remedy:
            "Use the power supply that is made for this model, and a USB hub with a supply of its own for disks."
        ))
    }
    guard now | before != 0 else { return .fine("The supply voltage and the temperature allow full speed.") }
    return .finding(
      Finding(
        now != 0
          ? "The CPUs are slowed down because they are hot." : "The CPUs have been too hot since the start.",
        why: slows, remedy: "Cool them with a fan; \"vcgencmd measure_temp\" prints their temperature."))
  }

  /// The names of overlays for cameras begin with these.
  private static let sensorNames = ["imx", "ov", "arducam", "cam-mux", "irs1125", "tc358743", "adv728"]

  static func cameraDrivers(_ lines: [String]?) -> Diagnosis.Verdict {
    guard let lines else {
      return .unknown("config.txt, which names the drivers of cameras, cannot be read.")
    }
    var isAutomatic = false
    var overlays: [String] = []
    for line in lines {
      // A line for some models only counts too: config.txt does not tell which model reads it.
      let words = line.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)[0]
        .split(separator: "=", maxSplits: 1).map { $0.filter { !$0.isWhitespace } }
      guard words.count == 2 else { continue }
      switch words[0] {
      case "camera_auto_detect": isAutomatic = words[1] != "0"
      case "dtoverlay":
        let name = words[1].prefix { $0 != "," && $0 != ":" }
        if sensorNames.contains(where: name.hasPrefix) { overlays.append(String(name)) }
      default: break
      }
    }
    if !overlays.isEmpty {
      return .fine("config.txt loads the driver of \(overlays.joined(separator: ", ")).")
    }
    let line = "\"dtoverlay=ov9281\", with its sensor's name, in /boot/firmware/config.txt, then restart"
    if isAutomatic {
      return .fine("config.txt detects Raspberry Pi's own cameras. Another one needs a line such as \(line).")
    }
    return .finding(
      Finding(
        "config.txt loads no driver for a camera on the ribbon cable.",
        why: "Such a camera is not found. Cameras on USB need no such line.",
        remedy:
          "Write \"camera_auto_detect=1\" for one of Raspberry Pi's own cameras, or for another \(line).",
        severity: .hint))
  }

  static func contiguousMemory(_ free: Int64?, _ load: ModeLoad?) -> Diagnosis.Verdict {
    guard let free else {
      return .unknown("/proc/meminfo does not say how much contiguous memory (CMA) is free.")
    }
    guard let load, let rate = load.mode.rate, let bytes = load.bytesPerSecond else {
      return .unknown(
        "\(megabytes(free)) of contiguous memory (CMA) are free; what the mode needs is not known.")
    }
    let need = rate.interval.scaling(bytes).multiplied(clamping: Int64(V4L2Camera.wantedBuffers))
    guard need > free else {
      return .fine(
        "\(megabytes(free)) of contiguous memory (CMA) are free; \(load.mode) needs \(megabytes(need)).")
    }
    return .finding(
      Finding(
        "\(megabytes(free)) of contiguous memory (CMA) are free; \(load.mode) needs \(megabytes(need)) for all buffers.",
        why:
          "With fewer buffers, frames are lost as soon as the capture thread is late; with too few, it cannot start.",
        remedy:
          "Write \"dtoverlay=vc4-kms-v3d,cma-512\" in /boot/firmware/config.txt in place of \"dtoverlay=vc4-kms-v3d\", then restart."
      ))
  }
}
