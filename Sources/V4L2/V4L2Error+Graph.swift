import SystemPackage

extension V4L2Error {
  /// Returns the error of a failed `VIDIOC_SUBDEV_S_*` on a pad of the sub-device `device`.
  ///
  /// Meanings are those of the kernel's "Video for Linux API" manual, one page per ioctl.
  static func pad(_ pad: UInt32, _ call: String, on device: FilePath, _ errno: Errno) -> V4L2Error {
    let what =
      switch call {
      case "VIDIOC_SUBDEV_S_FMT": "format"
      case "VIDIOC_SUBDEV_S_SELECTION": "rectangle"
      default: "interval"
      }
    let (code, meaning): (Code, String)
    switch errno {
    case .resourceBusy:
      (code, meaning) = (
        .busy,
        "The \(what) of pad \(pad) cannot change while a stream goes through this entity; stop the program "
          + "that streams from this media graph."
      )
    case .invalidArgument:
      (code, meaning) = (.unsupported, "Pad \(pad) has no such \(what), or none that can be set.")
    case .inappropriateIOCTLForDevice:
      (code, meaning) = (.unsupported, "Its driver has no \(what) that can be set.")
    case .notPermitted, .permissionDenied:
      (code, meaning) = (
        .noPermission,
        "The sub-device is read-only: its driver sets it up itself, or this user may not write to it."
      )
    case .outOfRange:
      (code, meaning) = (.unsupported, "Pad \(pad) has no \(what) that meets the request.")
    default: return .call(call, on: device, errno)
    }
    return V4L2Error(device: device, code, call: call, errno: errno, meaning)
  }

  /// Returns the error of a failed `MEDIA_IOC_SETUP_LINK`.
  static func link(on device: FilePath, _ errno: Errno) -> V4L2Error {
    let (code, meaning): (Code, String)
    switch errno {
    case .resourceBusy:
      (code, meaning) = (
        .busy,
        "The link cannot change while a stream goes through it, or while another link to the same entity "
          + "conflicts with it; stop the program that streams from this media graph."
      )
    case .invalidArgument:
      (code, meaning) = (
        .unsupported, "There is no such link, or it is immutable; see \"media-ctl -p -d \(device)\"."
      )
    case .brokenPipe, .noLink:
      (code, meaning) = (.unsupported, "The two pads cannot be linked with their current settings.")
    case .inappropriateIOCTLForDevice:
      (code, meaning) = (.unsupported, "Its driver has no links that can be set.")
    default: return .call("MEDIA_IOC_SETUP_LINK", on: device, errno)
    }
    return V4L2Error(device: device, code, call: "MEDIA_IOC_SETUP_LINK", errno: errno, meaning)
  }
}
