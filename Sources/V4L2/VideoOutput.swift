public import CameraModel
import CV4L2
public import SystemPackage
public import Timebase

/// An open node that takes frames, such as a v4l2loopback device, which passes them on to its readers.
///
/// Closed when dropped. One thread at a time.
public struct VideoOutput: ~Copyable, Sendable {
  private let device: Device

  /// Opens the node at `path` for frames of `format` at `interval`, in seconds per frame.
  ///
  /// The corresponding ioctls are `VIDIOC_QUERYCAP`, `VIDIOC_S_FMT` and `VIDIOC_S_PARM`.
  /// - Parameters:
  ///   - path: the node, such as `/dev/video10`.
  ///   - format: the frames' pixel format.
  ///   - width: pixels across.
  ///   - height: pixels down.
  ///   - largestFrame: the maximum size of a frame, in bytes.
  ///   - interval: seconds per frame.
  ///   - colorspace: the colorspace that readers of the node see.
  /// - Throws: ``V4L2Error``; `notVideo` if it is not a video output, `unsupported` if it takes another
  ///   format or size.
  public init(
    path: FilePath, format: PixelFormat, width: UInt32, height: UInt32, largestFrame: Int,
    interval: FrameInterval, colorspace: Colorspace = .srgb
  ) throws(V4L2Error) {
    let device = try Device(path: path)
    guard device.capabilities.capabilities.contains(.videoOutput) else {
      throw V4L2Error(
        device: path, .notVideo, call: "VIDIOC_QUERYCAP",
        "It does not accept frames (\(device.capabilities.card), \(device.capabilities.driver)); a v4l2loopback node does: \"sudo modprobe v4l2loopback\"."
      )
    }
    let fd = device.descriptor.rawValue
    var raw = v4l2_format()
    raw.type = V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue
    raw.fmt.pix.pixelformat = format.rawValue
    raw.fmt.pix.width = width
    raw.fmt.pix.height = height
    raw.fmt.pix.field = V4L2_FIELD_NONE.rawValue
    raw.fmt.pix.sizeimage = UInt32(clamping: largestFrame)
    raw.fmt.pix.colorspace = colorspace.rawValue
    try check(cv4l2_s_fmt(fd, &raw), "VIDIOC_S_FMT", on: path)
    let given = raw.fmt.pix
    guard given.pixelformat == format.rawValue, given.width == width, given.height == height else {
      throw V4L2Error(
        device: path, .unsupported, call: "VIDIOC_S_FMT",
        "Asked to accept \(width)x\(height) \(format), it accepts \(given.width)x\(given.height) \(PixelFormat(rawValue: given.pixelformat)). Is another program writing to it, or reading from it?"
      )
    }
    var parameters = v4l2_streamparm()
    parameters.type = V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue
    parameters.parm.output.timeperframe = v4l2_fract(
      numerator: interval.numerator, denominator: interval.denominator)
    try check(cv4l2_s_parm(fd, &parameters), "VIDIOC_S_PARM", on: path)
    self.device = device
  }

  /// Writes one frame to the device, and waits until it has room for it.
  ///
  /// The corresponding call is `write(2)`: one call, one frame.
  /// - Throws: ``V4L2Error`` if the device does not take it.
  public borrowing func write(_ frame: UnsafeRawBufferPointer) throws(V4L2Error) {
    let fd = device.descriptor.rawValue
    while true {
      let answer = cv4l2_write(fd, frame.baseAddress, frame.count)
      if answer >= 0 { return }
      switch CInt(answer) {
      case -EINTR: continue
      case -EAGAIN:
        // There is no room yet, and the node was opened non-blocking.
        var events: Int16 = 0
        _ = cv4l2_poll(fd, Int16(POLLOUT), 100, &events)
      default: throw .call("write", on: device.path, Errno(rawValue: -CInt(answer)))
      }
    }
  }
}
