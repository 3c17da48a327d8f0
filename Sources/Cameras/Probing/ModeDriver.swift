import CameraModel
import V4L2

/// What a camera table asks of a driver: V4L2's lists, an entry at a time, each `nil` where its list has ended.
///
/// Stands between the table and the device, so that tables can be made of answers that no driver here gives.
protocol ModeDriver: ~Copyable {
  func pixelFormat(at index: UInt32) throws(V4L2Error) -> PixelFormat?
  func frameSize(of format: PixelFormat, at index: UInt32) throws(V4L2Error) -> FrameSize?
  func frameIntervals(
    of format: PixelFormat, size: Dimensions, at index: UInt32
  ) throws(V4L2Error) -> FrameIntervals?
  /// What the driver would make of `size`; `nil` where it does not say.
  func nearestSize(to size: Dimensions, of format: PixelFormat) throws(V4L2Error) -> Dimensions?
}

extension Device: ModeDriver {
  borrowing func pixelFormat(at index: UInt32) throws(V4L2Error) -> PixelFormat? {
    try format(at: index)?.format
  }

  borrowing func nearestSize(
    to size: Dimensions, of format: PixelFormat
  ) throws(V4L2Error) -> Dimensions? {
    guard let given = try tryCaptureFormat(format, width: size.width, height: size.height),
      given.pixelFormat == format
    else { return nil }
    return Dimensions(width: given.width, height: given.height)
  }
}
