public import CameraModel
import CV4L2
public import SystemPackage
public import Timebase

/// An open sub-device, `/dev/v4l-subdevN`: one entity of a media graph, such as a sensor.
///
/// Closed when dropped. One thread at a time.
public struct Subdevice: ~Copyable, Sendable {
  /// The path by which it was opened.
  public let path: FilePath
  let descriptor: Descriptor
  /// The descriptor, to wait on along with others: `POLLPRI` means that an event arrived.
  ///
  /// The sub-device owns it: do not close it, and do not keep it longer than the sub-device.
  public var fileDescriptor: FileDescriptor { FileDescriptor(rawValue: descriptor.rawValue) }

  /// Opens the sub-device at `path`, only for reading unless `isWritable`.
  ///
  /// The active configuration can only be set if it is opened for writing; the try configuration always. The
  /// corresponding call is `open(2)`.
  public init(path: FilePath, isWritable: Bool = false) throws(V4L2Error) {
    let fd = path.withPlatformString { cv4l2_open($0, isWritable ? 1 : 0) }
    guard fd >= 0 else { throw .open(path, Errno(rawValue: -fd)) }
    self.path = path
    self.descriptor = Descriptor(rawValue: fd)
  }

  /// Returns the bus format at `index` of the list of `pad`; `nil` at the end of the list, or if there is
  /// none.
  ///
  /// The corresponding ioctl is `VIDIOC_SUBDEV_ENUM_MBUS_CODE`. Like all lists here, it is read for this
  /// handle's try configuration, which starts at the driver's default and is independent of other programs.
  public borrowing func busCode(at index: UInt32, ofPad pad: UInt32) throws(V4L2Error) -> MediaBusCode? {
    var raw = v4l2_subdev_mbus_code_enum()
    raw.index = index
    raw.pad = pad
    raw.which = V4L2_SUBDEV_FORMAT_TRY.rawValue
    let result = cv4l2_subdev_enum_mbus_code(descriptor.rawValue, &raw)
    return try exists(result, "VIDIOC_SUBDEV_ENUM_MBUS_CODE", on: path)
      ? MediaBusCode(rawValue: raw.code) : nil
  }

  /// Returns the size, or range of sizes, at `index` of the list of `pad` for `code`; `nil` at the end of the
  /// list, or if there is none.
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
    guard try exists(result, "VIDIOC_SUBDEV_ENUM_FRAME_SIZE", on: path) else { return nil }
    guard raw.min_width != raw.max_width || raw.min_height != raw.max_height else {
      return .discrete(width: raw.max_width, height: raw.max_height)
    }
    return .continuous(
      min: Dimensions(width: raw.min_width, height: raw.min_height),
      max: Dimensions(width: raw.max_width, height: raw.max_height))
  }

  /// Returns the interval at `index` of the list of `pad` for `code` at `size`; `nil` at the end of the list,
  /// or if there is none.
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
    return try exists(result, "VIDIOC_SUBDEV_ENUM_FRAME_INTERVAL", on: path)
      ? FrameInterval(raw.interval) : nil
  }
}
