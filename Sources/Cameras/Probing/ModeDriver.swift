import CameraModel
import V4L2

/// The lists of a driver that a camera table needs, read one entry at a time; each function returns `nil` at
/// the end of its list.
///
/// A protocol between table and device, so that tests can use answers that no driver at hand gives.
protocol ModeDriver: ~Copyable {
  func pixelFormat(at index: UInt32) throws(V4L2Error) -> PixelFormat?
  func frameSize(of format: PixelFormat, at index: UInt32) throws(V4L2Error) -> FrameSize?
  func frameIntervals(
    of format: PixelFormat, size: Dimensions, at index: UInt32
  ) throws(V4L2Error) -> FrameIntervals?
  /// Returns the size that the driver would change `size` to; `nil` if it does not say.
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
