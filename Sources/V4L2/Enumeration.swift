public import CameraModel
import CV4L2
import Timebase

/// One entry of a node's list of formats; V4L2's `struct v4l2_fmtdesc`.
public struct FormatDescription: Hashable, Sendable {
  /// The format.
  public let format: PixelFormat
  /// The driver's name for it.
  public let name: String
  /// Whether the driver marks it as compressed.
  public let isCompressed: Bool
  /// Whether a library emulates it, as libv4l does.
  public let isEmulated: Bool
}

/// Lists entry by entry, for readers that also take entries from other sources; see ``DriverList``.
extension Device {
  /// Returns the format at `index` of the node's list; `nil` at the end of the list.
  package borrowing func format(
    at index: UInt32, for code: MediaBusCode? = nil
  ) throws(V4L2Error) -> FormatDescription? {
    try node.format(at: index, for: code)
  }

  /// Returns the size at `index` of the list for `format`; `nil` at the end of the list, or if there is none.
  package borrowing func frameSize(
    of format: PixelFormat, at index: UInt32
  ) throws(V4L2Error) -> FrameSize? {
    try node.frameSize(of: format, at: index)
  }

  /// Returns the entry at `index` of the list of intervals for `format` at `size`; `nil` at the end of the
  /// list, or if there is none.
  package borrowing func frameIntervals(
    of format: PixelFormat, size: Dimensions, at index: UInt32
  ) throws(V4L2Error) -> FrameIntervals? {
    try node.frameIntervals(of: format, size: size, at: index)
  }
}

extension OpenNode {
  /// Returns the format at `index` of the node's list; `nil` at the end of the list.
  func format(
    at index: UInt32, for code: MediaBusCode? = nil
  ) throws(V4L2Error) -> FormatDescription? {
    var raw = v4l2_fmtdesc()
    raw.index = index
    raw.type = captureType
    raw.mbus_code = code?.rawValue ?? 0
    guard try exists(cv4l2_enum_fmt(descriptor, &raw), "VIDIOC_ENUM_FMT", on: path) else {
      return nil
    }
    return FormatDescription(
      format: PixelFormat(rawValue: raw.pixelformat),
      name: String(fixedField: raw.description),
      isCompressed: raw.flags & UInt32(V4L2_FMT_FLAG_COMPRESSED) != 0,
      isEmulated: raw.flags & UInt32(V4L2_FMT_FLAG_EMULATED) != 0)
  }

  /// Returns the size at `index` of the list for `format`; `nil` at the end of the list, or if there is none.
  ///
  /// A range of sizes is the whole list: a driver may repeat it at every index. The corresponding ioctl is
  /// `VIDIOC_ENUM_FRAMESIZES`.
  func frameSize(of format: PixelFormat, at index: UInt32) throws(V4L2Error) -> FrameSize? {
    var raw = v4l2_frmsizeenum()
    raw.index = index
    raw.pixel_format = format.rawValue
    guard try exists(cv4l2_enum_framesizes(descriptor, &raw), "VIDIOC_ENUM_FRAMESIZES", on: path)
    else {
      return nil
    }
    // The union is read by the tag that names the filled member.
    guard raw.type != V4L2_FRMSIZE_TYPE_DISCRETE.rawValue else {
      return .discrete(width: raw.discrete.width, height: raw.discrete.height)
    }
    let range = raw.stepwise
    let min = Dimensions(width: range.min_width, height: range.min_height)
    let max = Dimensions(width: range.max_width, height: range.max_height)
    guard raw.type != V4L2_FRMSIZE_TYPE_CONTINUOUS.rawValue else { return .continuous(min: min, max: max) }
    return .stepwise(
      min: min, max: max, step: Dimensions(width: range.step_width, height: range.step_height))
  }

  /// Returns the entry at `index` of the list of intervals for `format` at `size`; `nil` at the end of the
  /// list, or if there is none.
  ///
  /// A range of intervals is the whole list: a driver may repeat it at every index. The corresponding ioctl
  /// is `VIDIOC_ENUM_FRAMEINTERVALS`.
  func frameIntervals(
    of format: PixelFormat, size: Dimensions, at index: UInt32
  ) throws(V4L2Error) -> FrameIntervals? {
    var raw = v4l2_frmivalenum()
    raw.index = index
    raw.pixel_format = format.rawValue
    raw.width = size.width
    raw.height = size.height
    let result = cv4l2_enum_frameintervals(descriptor, &raw)
    guard try exists(result, "VIDIOC_ENUM_FRAMEINTERVALS", on: path) else { return nil }
    guard raw.type != V4L2_FRMIVAL_TYPE_DISCRETE.rawValue else {
      return .discrete(FrameInterval(raw.discrete))
    }
    let (min, max) = (FrameInterval(raw.stepwise.min), FrameInterval(raw.stepwise.max))
    guard raw.type != V4L2_FRMIVAL_TYPE_CONTINUOUS.rawValue else { return .continuous(min: min, max: max) }
    return .stepwise(min: min, max: max, step: FrameInterval(raw.stepwise.step))
  }
}

extension FrameInterval {
  init(_ raw: v4l2_fract) { self.init(raw.numerator, raw.denominator) }
}
