import CV4L2
public import SystemPackage

/// An open video node: `/dev/videoN`.
///
/// Closed when dropped. One thread at a time.
public struct Device: ~Copyable, Sendable {
  /// The path by which it was opened.
  public let path: FilePath
  /// The device's identity and abilities.
  public let capabilities: Capabilities
  let descriptor: Descriptor
  /// The descriptor, to wait on along with others: `POLLPRI` means that an event arrived.
  ///
  /// The device owns it: do not close it, and do not keep it longer than the device.
  public var fileDescriptor: FileDescriptor { FileDescriptor(rawValue: descriptor.rawValue) }

  /// Opens the node at `path` without waiting and reads its capabilities.
  ///
  /// The corresponding calls are `open(2)` with `O_NONBLOCK` and `VIDIOC_QUERYCAP`.
  /// - Throws: ``V4L2Error`` if there is no such node, it may not be opened, or it is not a video device.
  public init(path: FilePath) throws(V4L2Error) {
    let fd = path.withPlatformString { cv4l2_open($0, 1) }
    guard fd >= 0 else { throw .open(path, Errno(rawValue: -fd)) }
    let descriptor = Descriptor(rawValue: fd)
    var raw = v4l2_capability()
    let result = cv4l2_querycap(fd, &raw)
    guard result >= 0 else {
      throw V4L2Error(
        device: path, .notVideo, call: "VIDIOC_QUERYCAP", errno: Errno(rawValue: -result),
        "It is not a video device; a camera is a node such as /dev/video0.")
    }
    self.path = path
    self.capabilities = Capabilities(raw)
    self.descriptor = descriptor
  }

  /// Checks that the node can capture video, unlike a metadata, output, radio or codec node.
  ///
  /// It only looks at ``capabilities``, without a call to the driver.
  /// - Throws: ``V4L2Error`` with `notVideo`.
  public borrowing func requireCapture() throws(V4L2Error) {
    guard !capabilities.canCapture else { return }
    let what =
      if capabilities.deviceCaps.contains(.metadataCapture) {
        "a metadata node; the camera's pictures come from a sibling node"
      } else if capabilities.deviceCaps.contains(.videoOutput) {
        "a video output; if it is a v4l2loopback, nothing is writing to it yet"
      } else {
        "not a node that captures video"
      }
    throw V4L2Error(
      device: path, .notVideo, call: "VIDIOC_QUERYCAP",
      "It is \(what) (\(capabilities.card), \(capabilities.driver))."
    )
  }

  /// The buffer type of this node's capture calls.
  var captureType: UInt32 {
    capabilities.isMultiplanar
      ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue : V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
  }
}

/// The only owner of a file descriptor.
struct Descriptor: ~Copyable, Sendable {
  let rawValue: CInt
  init(rawValue: CInt) { self.rawValue = rawValue }
  deinit { _ = close(rawValue) }
}

extension Device {
  /// Returns whether another program has buffers of this node; `nil` if the driver does not say.
  ///
  /// The corresponding ioctl is `VIDIOC_REQBUFS` for no buffers, which frees only one's own.
  public borrowing func isStreamingElsewhere() -> Bool? {
    var request = v4l2_requestbuffers()
    request.type = captureType
    request.memory = V4L2_MEMORY_MMAP.rawValue
    switch cv4l2_reqbufs(descriptor.rawValue, &request) {
    case 0: return false
    case -EBUSY: return true
    default: return nil
    }
  }
}
