import CV4L2
import SystemPackage
public import Timebase

extension Subdevice {
  /// One of a sub-device's two configurations; V4L2's `V4L2_SUBDEV_FORMAT_TRY` and `_ACTIVE`.
  public enum Which: Hashable, Sendable {
    /// This handle's own, which affects neither other programs nor the hardware.
    case `try`
    /// The one that the hardware uses.
    case active

    var rawValue: UInt32 {
      switch self {
      case .try: V4L2_SUBDEV_FORMAT_TRY.rawValue
      case .active: V4L2_SUBDEV_FORMAT_ACTIVE.rawValue
      }
    }
  }

  /// Returns the format of `pad`; `nil` if it has none.
  ///
  /// The corresponding ioctl is `VIDIOC_SUBDEV_G_FMT`.
  public borrowing func format(ofPad pad: UInt32, _ which: Which = .active) throws(V4L2Error) -> BusFormat? {
    var raw = v4l2_subdev_format()
    raw.pad = pad
    raw.which = which.rawValue
    let result = cv4l2_subdev_g_fmt(descriptor.rawValue, &raw)
    return try exists(result, "VIDIOC_SUBDEV_G_FMT", on: path) ? BusFormat(raw.format) : nil
  }

  /// Requests a format of `pad` and returns the format that the driver set.
  ///
  /// A format of a sink resets the rectangles and sources of its entity to their defaults. The corresponding
  /// ioctl is `VIDIOC_SUBDEV_S_FMT`, which changes unsupported values rather than failing.
  /// - Throws: ``V4L2Error``: `busy` while a stream goes through the entity.
  public borrowing func setFormat(
    _ format: BusFormat, ofPad pad: UInt32, _ which: Which = .active
  ) throws(V4L2Error) -> BusFormat {
    var raw = v4l2_subdev_format()
    raw.pad = pad
    raw.which = which.rawValue
    raw.format = format.raw
    try check(cv4l2_subdev_s_fmt(descriptor.rawValue, &raw), "VIDIOC_SUBDEV_S_FMT", pad: pad, on: path)
    return BusFormat(raw.format)
  }

  /// Returns a rectangle of `pad`; `nil` if its driver has none of this kind.
  ///
  /// The corresponding ioctl is `VIDIOC_SUBDEV_G_SELECTION`.
  public borrowing func selection(
    _ target: SelectionTarget, ofPad pad: UInt32, _ which: Which = .active
  ) throws(V4L2Error) -> Rectangle? {
    var raw = v4l2_subdev_selection()
    raw.pad = pad
    raw.target = target.rawValue
    raw.which = which.rawValue
    let result = cv4l2_subdev_g_selection(descriptor.rawValue, &raw)
    return try exists(result, "VIDIOC_SUBDEV_G_SELECTION", on: path) ? Rectangle(raw.r) : nil
  }

  /// Requests a rectangle of `pad` and returns the rectangle that the driver set.
  ///
  /// The corresponding ioctl is `VIDIOC_SUBDEV_S_SELECTION`.
  /// - Throws: ``V4L2Error``: `busy` while a stream goes through the entity, `unsupported` if the driver has
  ///   no such rectangle, or none that can be set.
  public borrowing func setSelection(
    _ target: SelectionTarget, to rectangle: Rectangle, ofPad pad: UInt32, _ which: Which = .active
  ) throws(V4L2Error) -> Rectangle {
    var raw = v4l2_subdev_selection()
    raw.pad = pad
    raw.target = target.rawValue
    raw.which = which.rawValue
    raw.r = v4l2_rect(
      left: rectangle.left, top: rectangle.top, width: rectangle.width, height: rectangle.height)
    let result = cv4l2_subdev_s_selection(descriptor.rawValue, &raw)
    try check(result, "VIDIOC_SUBDEV_S_SELECTION", pad: pad, on: path)
    return Rectangle(raw.r)
  }

  /// Returns the present interval of `pad`; `nil` if its driver has no such setting.
  ///
  /// The corresponding ioctl is `VIDIOC_SUBDEV_G_FRAME_INTERVAL`.
  public borrowing func frameInterval(ofPad pad: UInt32) throws(V4L2Error) -> FrameInterval? {
    var raw = v4l2_subdev_frame_interval()
    raw.pad = pad
    let result = cv4l2_subdev_g_frame_interval(descriptor.rawValue, &raw)
    return try exists(result, "VIDIOC_SUBDEV_G_FRAME_INTERVAL", on: path) ? FrameInterval(raw.interval) : nil
  }

  /// Requests an interval of `pad` and returns the interval that the driver set.
  ///
  /// The corresponding ioctl is `VIDIOC_SUBDEV_S_FRAME_INTERVAL`. Drivers of many raw sensors lack it: their
  /// intervals follow from the controls of their blanking.
  /// - Throws: ``V4L2Error``: `busy` while it streams, `unsupported` if the driver has no such setting.
  public borrowing func setFrameInterval(
    _ interval: FrameInterval, ofPad pad: UInt32
  ) throws(V4L2Error) -> FrameInterval {
    var raw = v4l2_subdev_frame_interval()
    raw.pad = pad
    raw.interval = v4l2_fract(numerator: interval.numerator, denominator: interval.denominator)
    let result = cv4l2_subdev_s_frame_interval(descriptor.rawValue, &raw)
    try check(result, "VIDIOC_SUBDEV_S_FRAME_INTERVAL", pad: pad, on: path)
    return FrameInterval(raw.interval)
  }

  private borrowing func check(
    _ result: CInt, _ call: String, pad: UInt32, on device: FilePath
  ) throws(V4L2Error) {
    guard result < 0 else { return }
    throw .pad(pad, call, on: device, Errno(rawValue: -result))
  }
}
