import Platform
import Cameras
import SystemPackage
import Timebase

extension CameraFacts {
  /// Returns the checks of the camera for the load of a mode.
  public func checks(for load: ModeLoad?) -> [Diagnosis.Check] {
    guard failure == nil else {
      return [Diagnosis.Check("camera", Self.access(path, failure, access))]
    }
    return [
      Diagnosis.Check("camera", Self.access(path, nil, access)),
      Diagnosis.Check("in use", Self.use(path, isStreamingElsewhere, holders)),
      Diagnosis.Check("USB speed", Self.usbSpeed(usb)),
      Diagnosis.Check("USB bandwidth", Self.usbBandwidth(usb, load)),
      Diagnosis.Check("USB bus", Self.usbBus(usb, busSharers)),
      Diagnosis.Check("USB autosuspend", Self.autosuspend(usb)),
    ] + Self.controls(path, controls, load)
  }

  static func access(_ path: FilePath, _ failure: OvercrankError?, _ access: NodeAccess?) -> Diagnosis.Verdict
  {
    guard let failure else { return .fine("This user may open \(path).") }
    if failure.code == .noPermission, let access {
      let owners =
        "it belongs to user \(access.owner) and group \(access.group), mode 0\(String(access.mode & 0o777, radix: 8))"
      // A nameless group cannot be joined, and root's should not be.
      let remedy =
        ["root", "not known"].contains(access.group)
        ? "sudo chgrp video \(path) && sudo chmod 660 \(path)"
        : "sudo usermod -aG \(access.group) $USER, then log in again"
      return .finding(
        Finding("This user may not open \(path): \(owners).", why: "Nothing can be recorded.", remedy: remedy)
      )
    }
    let isBusy = failure.code == .busy
    return .finding(
      Finding(
        failure.description, why: "Nothing can be recorded.",
        remedy: isBusy
          ? "Stop the program that uses it: fuser -v \(path)" : "See which cameras this machine has.",
        action: isBusy ? nil : .listCameras))
  }

  static func use(_ path: FilePath, _ isStreaming: Bool?, _ holders: [DeviceHolder]) -> Diagnosis.Verdict {
    let names = holders.map(\.description).joined(separator: ", ")
    switch isStreaming {
    case true?:
      return .finding(
        Finding(
          "Another program captures from \(path)\(names.isEmpty ? "" : ": \(names)").",
          why: "A camera sends its frames to only one program at a time.",
          remedy: holders.count == 1
            ? "kill \(holders[0].process)" : "fuser -v \(path), then end the programs that it lists"))
    case false?:
      return .fine(
        names.isEmpty
          ? "No other program captures from \(path)." : "Open in \(names), but not capturing.")
    case nil:
      return names.isEmpty
        ? .unknown("The driver does not say whether another program captures from \(path).")
        : .unknown("\(path) is open in \(names); the driver does not say whether they capture.")
    }
  }

  static func usbSpeed(_ usb: USBDevice?) -> Diagnosis.Verdict {
    guard let usb else { return .fine("The camera is not on USB.") }
    guard let speed = usb.megabitsPerSecond else {
      return .unknown("sysfs does not state the speed of the port.")
    }
    let words = "\(Fraction(Int64(clamping: speed * 10), 10).decimal(places: 1)) Mbit/s"
    if speed < USBDevice.highSpeed {
      return .finding(
        Finding(
          "The camera's link runs at \(words), as USB 1 did.",
          why: "It carries less than 2 MB/s, which is too little for a high rate.",
          remedy:
            "Plug the camera into another port, without a hub, with another cable; \"lsusb -t\" shows the new speed."
        ))
    }
    // A USB 3 device on a USB 2 link must report version 2.1 (USB 3.2 specification, 9.6.1).
    if let version = usb.version, version >= 2.1, speed <= USBDevice.highSpeed {
      return .finding(
        Finding(
          "The camera's link runs at \(words), and the camera reports USB \(version), as USB 3 cameras do at a USB 2 port.",
          why: "Its fastest modes may be missing, or may lose frames for lack of bandwidth.",
          remedy:
            "Plug it into a USB 3 port (blue, or marked SS) with a USB 3 cable; \"lsusb -t\" then shows 5000M or more."
        ))
    }
    return .fine("The camera's link runs at \(words).")
  }

  static func usbBandwidth(_ usb: USBDevice?, _ load: ModeLoad?) -> Diagnosis.Verdict {
    guard let usb else { return .fine("The camera is not on USB.") }
    guard let load, let speed = usb.megabitsPerSecond else {
      return .unknown("The bandwidth that the mode needs, or that the bus has, is not known.")
    }
    guard let need = load.bytesPerSecond else {
      return .unknown("\(load.mode) is compressed: the bandwidth that it needs is known only during capture.")
    }
    let most = Int64(clamping: USBDevice.mostBytesPerSecond(at: speed))
    guard need > most else {
      return .fine("\(load.mode) needs \(megabytes(need))/s, and the bus carries \(megabytes(most))/s.")
    }
    return .finding(
      Finding(
        "\(load.mode) needs \(megabytes(need))/s, and the camera's link carries about \(megabytes(most))/s.",
        why: "The stream will not start (ENOSPC), or frames will be lost on the bus.",
        remedy: "Record a compressed or smaller mode, or use a USB 3 port.", action: .chooseLighterMode))
  }

  static func autosuspend(_ usb: USBDevice?) -> Diagnosis.Verdict {
    guard let usb else { return .fine("The camera is not on USB.") }
    guard let isOn = usb.isAutosuspended else {
      return .unknown("sysfs does not say whether the camera is put to sleep.")
    }
    guard isOn else { return .fine("The camera is not put to sleep between takes.") }
    let device = usb.name ?? "*"
    return .finding(
      Finding(
        "The kernel puts the camera to sleep between takes.",
        why: "Waking it delays the start of a take, and some cameras lose their settings while asleep.",
        remedy: "echo on | sudo tee /sys/bus/usb/devices/\(device)/power/control", severity: .hint))
  }

  static func controls(
    _ path: FilePath, _ controls: [CameraControl], _ load: ModeLoad?
  ) -> [Diagnosis.Check] {
    guard let mode = load?.mode, let rate = mode.rate else {
      return [Diagnosis.Check("controls", .unknown("The rate of the recording is not known."))]
    }
    let hindrances = RateLimitingControl.all(in: controls, at: mode.interval)
    guard !hindrances.isEmpty else {
      return [Diagnosis.Check("controls", .fine("No control is known to keep the camera from \(rate) fps."))]
    }
    let frame = "At \(rate) fps a frame lasts \((rate.interval * Fraction(1000)).decimal(places: 2)) ms"
    let putBack = "A recording sets it for the take and restores it; other programs do not."
    // In the control's unit, 100 microseconds.
    let longest = max(1, (rate.interval * Fraction(10_000)).floor)
    return hindrances.map { hindrance in
      switch hindrance {
      case .dynamicRate(let control):
        Diagnosis.Check(
          "dynamic frame rate",
          .finding(
            Finding(
              "\(control.name) is on.",
              why: "\(frame); in the dark the camera exposes longer and sends fewer frames. \(putBack)",
              remedy: "Switch it off.",
              action: .setControl(control.name, value: 0, camera: path.string))))
      case .longExposure(let control, let exposure):
        Diagnosis.Check(
          "exposure",
          .finding(
            Finding(
              "\(control.name) is fixed at \((exposure.inSeconds * Fraction(1000)).decimal(places: 1)) ms.",
              why: "\(frame), and a frame is sent only after its exposure ends. \(putBack)",
              remedy: "Shorten it to \(longest).",
              action: .setControl(control.name, value: longest, camera: path.string))))
      case .powerLine(let control):
        Diagnosis.Check(
          "power-line frequency",
          .finding(
            Finding(
              "\(control.name) is \(control.words(for: control.control.value)).",
              why:
                "\(frame), but an automatic exposure that avoids flicker lasts one or more flickers of the light, which is longer. The camera cannot do both.",
              remedy: "Switch it off.",
              action: .setControl(control.name, value: 0, camera: path.string), severity: .hint)))
      }
    }
  }
}
