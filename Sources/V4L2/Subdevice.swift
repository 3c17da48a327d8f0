public import CameraModel
import CV4L2
public import SystemPackage
public import Timebase

/// An open sub-device, `/dev/v4l-subdevN`: one entity of a media graph, such as a sensor.
///
/// Closed when dropped. One thread at a time.
public struct Subdevice: ~Copyable, Sendable {
  /// The path it was opened by.
  public let path: FilePath
  let descriptor: Descriptor
  /// The descriptor, to wait on along with others: `POLLPRI` says that an event came.
  ///
  /// Lent by the sub-device, which closes it: never close it, and do not keep it longer than the
  /// sub-device.
  public var fileDescriptor: FileDescriptor { FileDescriptor(rawValue: descriptor.rawValue) }

  /// Opens the sub-device at `path`, for reading alone unless `isWritable`.
  ///
  /// Only one that is opened for writing is to be set up; trying out is possible with either.
  /// The corresponding call is `open(2)`.
  public init(path: FilePath, isWritable: Bool = false) throws(V4L2Error) {
    let fd = path.withPlatformString { cv4l2_open($0, isWritable ? 1 : 0) }
    guard fd >= 0 else { throw .open(path, Errno(rawValue: -fd)) }
    self.path = path
    self.descriptor = Descriptor(rawValue: fd)
  }

  /// The bus format at `index` of the list of `pad`; `nil` where the list has ended, or there is
  /// none.
  ///
  /// The corresponding ioctl is `VIDIOC_SUBDEV_ENUM_MBUS_CODE`, here as in all lists of this
  /// handle's own configuration, which is the driver's default and nobody else's.
  public borrowing func busCode(at index: UInt32, ofPad pad: UInt32) throws(V4L2Error) -> MediaBusCode? {
    var raw = v4l2_subdev_mbus_code_enum()
    raw.index = index
    raw.pad = pad
    raw.which = V4L2_SUBDEV_FORMAT_TRY.rawValue
    let result = cv4l2_subdev_enum_mbus_code(descriptor.rawValue, &raw)
    return try isThere(result, "VIDIOC_SUBDEV_ENUM_MBUS_CODE", on: path)
      ? MediaBusCode(rawValue: raw.code) : nil
  }

  /// The size, or range of sizes, at `index` of the list of `pad` for `code`; `nil` where the list
  /// has ended, or there is none.
  ///
  /// The corresponding ioctl is `VIDIOC_SUBDEV_ENUM_FRAME_SIZE`.
  public borrowing func frameSize(
    of code: MediaBusCode, at index: UInt32, ofPad pad: UInt32
  ) throws(V4L2Error) -> FrameSize? {
    var raw = v4l2_subdev_frame_size_enum()
    raw.index = index
    raw.pad = pad
    raw.code = code.rawValue
    raw.which = V4L2_SUBDEV_FORMAT_TRY.rawValue
    let result = cv4l2_subdev_enum_frame_size(descriptor.rawValue, &raw)
    guard try isThere(result, "VIDIOC_SUBDEV_ENUM_FRAME_SIZE", on: path) else { return nil }
    guard raw.min_width != raw.max_width || raw.min_height != raw.max_height else {
      return .discrete(width: raw.max_width, height: raw.max_height)
    }
    return .continuous(
      min: Dimensions(width: raw.min_width, height: raw.min_height),
      max: Dimensions(width: raw.max_width, height: raw.max_height))
  }

  /// The interval at `index` of the list of `pad` for `code` at `size`; `nil` where the list has
  /// ended, or there is none.
  ///
  /// The corresponding ioctl is `VIDIOC_SUBDEV_ENUM_FRAME_INTERVAL`.
  public borrowing func frameInterval(
    of code: MediaBusCode, size: Dimensions, at index: UInt32, ofPad pad: UInt32
  ) throws(V4L2Error) -> FrameInterval? {
    var raw = v4l2_subdev_frame_interval_enum()
    raw.index = index
    raw.pad = pad
    raw.code = code.rawValue
    raw.width = size.width
    raw.height = size.height
    raw.which = V4L2_SUBDEV_FORMAT_TRY.rawValue
    let result = cv4l2_subdev_enum_frame_interval(descriptor.rawValue, &raw)
    return try isThere(result, "VIDIOC_SUBDEV_ENUM_FRAME_INTERVAL", on: path)
      ? FrameInterval(raw.interval) : nil
  }
}
