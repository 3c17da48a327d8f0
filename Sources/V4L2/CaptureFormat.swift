public import CameraModel
import CV4L2
package import SystemPackage
public import Timebase

/// The capture format of a node; V4L2's `struct v4l2_format`, single- or multi-planar.
public struct CaptureFormat: Hashable, Sendable {
  /// The pixel format.
  public var pixelFormat: PixelFormat
  /// Pixels across.
  public var width: UInt32
  /// Pixels down.
  public var height: UInt32
  /// Bytes from one row's start to the next's, for each memory plane; 0 for compressed formats.
  public var bytesPerLine: [UInt32]
  /// The maximum bytes of a frame, for each memory plane.
  public var sizeImage: [UInt32]
  /// The colour primaries.
  public var colorspace: Colorspace
  /// The function from light to code values.
  public var transfer: TransferFunction
  /// The matrix between RGB and luma with chroma.
  public var encoding: YCbCrEncoding
  /// The code values of black and white.
  public var quantization: Quantization
}

extension Device {
  /// Returns the node's present format.
  ///
  /// The corresponding ioctl is `VIDIOC_G_FMT`.
  /// - Throws: ``V4L2Error``; `disconnected` if the camera is gone.
  public borrowing func captureFormat() throws(V4L2Error) -> CaptureFormat {
    CaptureFormat(try rawFormat(), isMultiplanar: capabilities.isMultiplanar)
  }

  /// Requests a format and returns the format that the driver set.
  ///
  /// The corresponding ioctl is `VIDIOC_S_FMT`, which changes unsupported values rather than failing.
  /// - Parameters:
  ///   - format: the pixel format.
  ///   - width: pixels across.
  ///   - height: pixels down.
  /// - Throws: ``V4L2Error``; `busy` if any program has buffers of the device.
  public borrowing func setCaptureFormat(
    _ format: PixelFormat, width: UInt32, height: UInt32
  ) throws(V4L2Error) -> CaptureFormat {
    try setRawFormat(rawFormat(format, width: width, height: height))
    return try captureFormat()
  }

  /// Returns the format that the driver would set, without setting it; `nil` if the driver does not say.
  ///
  /// The corresponding ioctl is `VIDIOC_TRY_FMT`, which some drivers lack, and others refuse while they
  /// stream.
  /// - Throws: ``V4L2Error``; `disconnected` if the camera is gone.
  public borrowing func tryCaptureFormat(
    _ format: PixelFormat, width: UInt32, height: UInt32
  ) throws(V4L2Error) -> CaptureFormat? {
    var raw = rawFormat(format, width: width, height: height)
    let result = cv4l2_try_fmt(descriptor.rawValue, &raw)
    if [-EINVAL, -ENOTTY, -EBUSY].contains(result) { return nil }
    try check(result, "VIDIOC_TRY_FMT", on: path)
    return CaptureFormat(raw, isMultiplanar: capabilities.isMultiplanar)
  }

  private borrowing func rawFormat(_ format: PixelFormat, width: UInt32, height: UInt32) -> v4l2_format {
    var raw = v4l2_format()
    raw.type = captureType
    if capabilities.isMultiplanar {
      raw.fmt.pix_mp.pixelformat = format.rawValue
      raw.fmt.pix_mp.width = width
      raw.fmt.pix_mp.height = height
      raw.fmt.pix_mp.field = V4L2_FIELD_NONE.rawValue
    } else {
      raw.fmt.pix.pixelformat = format.rawValue
      raw.fmt.pix.width = width
      raw.fmt.pix.height = height
      raw.fmt.pix.field = V4L2_FIELD_NONE.rawValue
    }
    return raw
  }

  borrowing func rawFormat() throws(V4L2Error) -> v4l2_format {
    var raw = v4l2_format()
    raw.type = captureType
    try check(cv4l2_g_fmt(descriptor.rawValue, &raw), "VIDIOC_G_FMT", on: path)
    return raw
  }

  borrowing func setRawFormat(_ format: v4l2_format) throws(V4L2Error) {
    var raw = format
    try check(cv4l2_s_fmt(descriptor.rawValue, &raw), "VIDIOC_S_FMT", on: path)
  }

  /// Returns the node's present interval, in seconds per frame; `nil` if its driver has no such setting.
  ///
  /// The corresponding ioctl is `VIDIOC_G_PARM`.
  /// - Throws: ``V4L2Error``; `disconnected` if the camera is gone.
  public borrowing func frameInterval() throws(V4L2Error) -> FrameInterval? {
    var raw = v4l2_streamparm()
    raw.type = captureType
    let result = cv4l2_g_parm(descriptor.rawValue, &raw)
    guard try exists(result, "VIDIOC_G_PARM", on: path) else { return nil }
    // V4L2_CAP_TIMEPERFRAME is not reliable: v4l2loopback does not set it, and has an interval.
    let interval = FrameInterval(raw.parm.capture.timeperframe)
    return interval.rate == nil ? nil : interval
  }

  /// Requests an interval and returns the interval that the driver set; `nil` if it has no such setting.
  ///
  /// The corresponding ioctls are `VIDIOC_S_PARM` and, as some drivers do not fill in its result,
  /// `VIDIOC_G_PARM`.
  /// - Throws: ``V4L2Error``; `busy` if the driver cannot change it while it streams.
  public borrowing func setFrameInterval(_ interval: FrameInterval) throws(V4L2Error) -> FrameInterval? {
    var raw = v4l2_streamparm()
    raw.type = captureType
    raw.parm.capture.timeperframe = v4l2_fract(
      numerator: interval.numerator, denominator: interval.denominator)
    // A driver that cannot set an interval may still have one.
    _ = try exists(cv4l2_s_parm(descriptor.rawValue, &raw), "VIDIOC_S_PARM", on: path)
    return try frameInterval()
  }
}

extension CaptureFormat {
  /// More pixels in a row, or rows in a frame, than any sensor or line camera has.
  private static let mostPixels: UInt32 = 1 << 20

  /// Checks that frames of this format can exist, so that calculations with sizes in bytes are safe.
  ///
  /// - Throws: ``V4L2Error`` with `failed` if they cannot.
  package func check(on device: FilePath) throws(V4L2Error) {
    let sides = 1...Self.mostPixels
    guard sides.contains(width), sides.contains(height) else {
      throw V4L2Error(
        device: device, .failed, call: "VIDIOC_G_FMT",
        "The driver reports frames of \(width)x\(height) pixels, which is impossible. "
          + "Try another mode.")
    }
  }

  init(_ raw: v4l2_format, isMultiplanar: Bool) {
    // The union is read by the node's own kind, which determined the member that was filled.
    if isMultiplanar {
      let pix = raw.fmt.pix_mp
      let planes = withUnsafeBytes(of: pix.plane_fmt) { bytes in
        Array(bytes.bindMemory(to: v4l2_plane_pix_format.self).prefix(Int(pix.num_planes)))
      }
      self.init(
        pixelFormat: PixelFormat(rawValue: pix.pixelformat), width: pix.width, height: pix.height,
        bytesPerLine: planes.map(\.bytesperline), sizeImage: planes.map(\.sizeimage),
        colorspace: Colorspace(rawValue: pix.colorspace),
        transfer: TransferFunction(rawValue: UInt32(pix.xfer_func)),
        encoding: YCbCrEncoding(rawValue: UInt32(pix.ycbcr_enc)),
        quantization: Quantization(rawValue: UInt32(pix.quantization)))
    } else {
      let pix = raw.fmt.pix
      self.init(
        pixelFormat: PixelFormat(rawValue: pix.pixelformat), width: pix.width, height: pix.height,
        bytesPerLine: [pix.bytesperline], sizeImage: [pix.sizeimage],
        colorspace: Colorspace(rawValue: pix.colorspace),
        transfer: TransferFunction(rawValue: pix.xfer_func),
        encoding: YCbCrEncoding(rawValue: pix.ycbcr_enc),
        quantization: Quantization(rawValue: pix.quantization))
    }
  }
}
