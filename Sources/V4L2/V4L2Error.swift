import CV4L2
public import SystemPackage

/// A failed call into the kernel's video API, with the device, the cause and the remedy.
public struct V4L2Error: Error, Hashable, Sendable, CustomStringConvertible {
  /// A kind of failure.
  public struct Code: Hashable, Sendable {
    private enum Value: Hashable, Sendable {
      case noDevice, notVideo, noPermission, busy, unsupported, bandwidth, outOfMemory, disconnected, failed
    }
    private let value: Value

    /// There is no such node, or no device behind it.
    public static let noDevice = Code(value: .noDevice)
    /// The path is not a video device, or the device cannot capture.
    public static let notVideo = Code(value: .notVideo)
    /// This user may not open the node.
    public static let noPermission = Code(value: .noPermission)
    /// Another program is streaming.
    public static let busy = Code(value: .busy)
    /// The driver does not support the request.
    public static let unsupported = Code(value: .unsupported)
    /// The bus cannot carry this mode.
    public static let bandwidth = Code(value: .bandwidth)
    /// The kernel has no memory for the buffers.
    public static let outOfMemory = Code(value: .outOfMemory)
    /// The camera was unplugged or its driver unloaded.
    public static let disconnected = Code(value: .disconnected)
    /// The driver or the hardware failed.
    public static let failed = Code(value: .failed)
  }

  /// The kind of failure.
  public let code: Code
  /// The device's path as it was given.
  public let device: FilePath
  /// The system call or ioctl, such as `VIDIOC_REQBUFS`.
  public let call: String
  /// The kernel's error; `nil` if the call succeeded with an unusable result.
  public let errno: Errno?
  /// The meaning in this case and the remedy, in whole sentences.
  public let meaning: String

  /// `/dev/video0: VIDIOC_REQBUFS failed: Device or resource busy (errno 16). Another program ...`
  public var description: String {
    guard let errno else { return "\(device): \(meaning)" }
    return "\(device): \(call) failed: \(errno) (errno \(errno.rawValue)). \(meaning)"
  }

  init(device: FilePath, _ code: Code, call: String, errno: Errno? = nil, _ meaning: String) {
    self.code = code
    self.device = device
    self.call = call
    self.errno = errno
    self.meaning = meaning
  }
}

extension V4L2Error {
  /// Returns the error of a failed `open(2)` of a device node.
  static func open(_ device: FilePath, _ errno: Errno) -> V4L2Error {
    let (code, meaning): (Code, String) =
      switch errno {
      case .noSuchFileOrDirectory:
        (.noDevice, "There is no such device; \"ls /dev/video*\" lists the existing ones.")
      case .permissionDenied, .notPermitted:
        (
          .noPermission,
          "This user may not open it. Join the group that may: sudo usermod -aG video $USER, then log in again."
        )
      case .resourceBusy:
        (.busy, busyRemedy(device))
      case .noSuchAddressOrDevice, .operationNotSupportedByDevice:
        (.noDevice, "The node exists, but its camera does not: was it unplugged?")
      case .isDirectory:
        (.notVideo, "It is a directory; a camera is a node such as /dev/video0.")
      case .tooManyOpenFiles:
        (.failed, "This program has reached its limit of open files; \"ulimit -n 1024\" allows more.")
      case .tooManyOpenFilesInSystem:
        (
          .failed,
          "The system's limit of open files is reached; close some programs, or raise it with \"sysctl fs.file-max\"."
        )
      case .noMemory:
        (.outOfMemory, "The kernel has no memory for it; close other programs.")
      default:
        (.failed, "The node could not be opened; \"dmesg\" may say why.")
      }
    return V4L2Error(device: device, code, call: "open", errno: errno, meaning)
  }

  /// Returns the error of a failed ioctl or system call on an open device.
  ///
  /// Meanings are those of the kernel's "Video for Linux API" manual, one page per ioctl.
  static func call(_ call: String, on device: FilePath, _ errno: Errno) -> V4L2Error {
    let (code, meaning): (Code, String) =
      switch (call, errno) {
      case (_, .operationNotSupportedByDevice), (_, .noSuchAddressOrDevice):
        (.disconnected, "The camera is gone: it was unplugged or its driver was unloaded.")
      case ("VIDIOC_S_SELECTION", .resourceBusy), ("VIDIOC_S_INPUT", .resourceBusy):
        (
          .busy,
          "It cannot be changed while a program holds buffers of the device: stop the stream here, or find the "
            + "other program with \"fuser -v \(device)\"."
        )
      case (_, .resourceBusy):
        (.busy, busyRemedy(device))
      case ("VIDIOC_STREAMON", .noSpace):
        // uvcvideo passes on the error of a USB host controller that has no room left for the camera's
        // alternate setting.
        (
          .bandwidth,
          "The USB bus has no bandwidth left for this mode; no disk is full. Use a separate port on a USB 3 "
            + "controller, unplug other cameras, or choose a smaller or compressed mode."
        )
      case ("VIDIOC_STREAMON", .brokenPipe), ("VIDIOC_STREAMON", .noLink):
        (.unsupported, "The media pipeline is not set up from sensor to node; see \"media-ctl -p\".")
      case (_, .noMemory):
        (.outOfMemory, "The kernel has no memory for the buffers; free some, or choose a smaller mode.")
      case ("VIDIOC_DQBUF", .ioError), ("VIDIOC_QBUF", .ioError):
        (
          .failed,
          "The driver gave up on the stream; unplug the camera and plug it in again. \"dmesg\" may say why."
        )
      case ("VIDIOC_QBUF", .invalidArgument), ("VIDIOC_DQBUF", .invalidArgument):
        (
          .failed,
          "The driver refuses one of its own buffers; unplug the camera and plug it in again. \"dmesg\" may say why."
        )
      case ("VIDIOC_STREAMON", .invalidArgument):
        (
          .unsupported,
          "The driver accepted the mode, but does not start to stream in it; choose another."
        )
      case ("VIDIOC_REQBUFS", .invalidArgument):
        (.unsupported, "The device does not support memory-mapped streaming.")
      case ("VIDIOC_S_SELECTION", .outOfRange):
        (.unsupported, "The driver has no rectangle that meets the flags; choose another, or fewer flags.")
      case (_, .noData):
        (.unsupported, "The selected input has no such setting; select another.")
      case ("VIDIOC_SUBSCRIBE_EVENT", .invalidArgument):
        (.unsupported, "The driver does not report these events, or has no such control or input.")
      case ("VIDIOC_SUBSCRIBE_EVENT", .inappropriateIOCTLForDevice),
        ("VIDIOC_UNSUBSCRIBE_EVENT", .inappropriateIOCTLForDevice),
        ("VIDIOC_DQEVENT", .inappropriateIOCTLForDevice):
        (.unsupported, "The driver has no events.")
      case ("VIDIOC_G_PRIORITY", .inappropriateIOCTLForDevice),
        ("VIDIOC_S_PRIORITY", .inappropriateIOCTLForDevice):
        (.unsupported, "The driver has no priorities.")
      case ("VIDIOC_S_EXT_CTRLS", .permissionDenied):
        // uvcvideo returns this for a control that an automatic one makes inactive.
        (.unsupported, "The control cannot be set now: it is read-only, or another control disables it.")
      case ("VIDIOC_S_EXT_CTRLS", .outOfRange), ("VIDIOC_S_EXT_CTRLS", .invalidArgument):
        (.unsupported, "The control does not accept this value.")
      case (_, .invalidArgument), (_, .inappropriateIOCTLForDevice):
        (.unsupported, "The driver does not accept this call with these values.")
      case (_, .timedOut), (_, .protocolError), (_, .brokenPipe), (_, .ioError):
        (.failed, "The camera does not respond correctly; unplug it and plug it in again.")
      default:
        (.failed, "\"dmesg\" may say why.")
      }
    return V4L2Error(device: device, code, call: call, errno: errno, meaning)
  }

  private static func busyRemedy(_ device: FilePath) -> String {
    "Another program is using it; find it with \"fuser -v \(device)\" and stop it."
  }
}

/// Throws the error of `call` on `device` if `result` is a negated errno.
func check(
  _ result: CInt, _ call: @autoclosure () -> String, on device: @autoclosure () -> FilePath
) throws(V4L2Error) {
  guard result < 0 else { return }
  throw .call(call(), on: device(), Errno(rawValue: -result))
}

/// Returns whether a call found an optional property of the device; throws if the call failed for another
/// reason.
///
/// EINVAL means the end of a list or a missing property, ENOTTY a driver without the ioctl, ENODATA a
/// property that the present input lacks.
func exists(
  _ result: CInt, _ call: @autoclosure () -> String, on device: @autoclosure () -> FilePath
) throws(V4L2Error) -> Bool {
  if [-EINVAL, -ENOTTY, -ENODATA].contains(result) { return false }
  try check(result, call(), on: device())
  return true
}
