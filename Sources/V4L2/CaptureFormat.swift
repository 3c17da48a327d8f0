public import CameraModel
import CV4L2
package import SystemPackage
public import Timebase

/// The format that a node captures in; V4L2's `struct v4l2_format`, single- or multi-planar.
public struct CaptureFormat: Hashable, Sendable {
  /// The pixel format.
  public var pixelFormat: PixelFormat
  /// Pixels across.
  public var width: UInt32
  /// Pixels down.
  public var height: UInt32
  /// Bytes from one row's start to the next's, for each memory plane; 0 for compressed formats.
  public var bytesPerLine: [UInt32]
  /// Bytes that a frame may fill, for each memory plane.
  public var sizeImage: [UInt32]
  /// Which colours the primaries are.
  public var colorspace: Colorspace
  /// How light becomes a number.
  public var transfer: TransferFunction
  /// How luma and chroma are made of red, green and blue.
  public var encoding: YCbCrEncoding
  /// Which numbers are black and white.
  public var quantization: Quantization
}

extension Device {
  /// The format that the node is set to.
  ///
  /// The corresponding ioctl is `VIDIOC_G_FMT`.
  /// - Throws: ``V4L2Error``; `disconnected` where the camera is gone.
  public borrowing func captureFormat() throws(V4L2Error) -> CaptureFormat {
    CaptureFormat(try rawFormat(), isMultiplanar: capabilities.isMultiplanar)
  }

  /// Asks for a format and returns what the driver made of it.
  ///
  /// The corresponding ioctl is `VIDIOC_S_FMT`, which changes what it cannot do rather than
  /// failing.
  /// - Parameters:
  ///   - format: the pixel format.
  ///   - width: pixels across.
  ///   - height: pixels down.
  /// - Throws: ``V4L2Error``; `busy` where anyone has buffers of the device.
  public borrowing func setCaptureFormat(
    _ format: PixelFormat, width: UInt32, height: UInt32
  ) throws(V4L2Error) -> CaptureFormat {
    try setRawFormat(rawFormat(format, width: width, height: height))
    return try captureFormat()
  }

  /// What the driver would make of a format, which stays as it is set; `nil` where it does not say.
  ///
  /// The corresponding ioctl is `VIDIOC_TRY_FMT`, which drivers may lack, and which some refuse
  /// while they stream.
  /// - Throws: ``V4L2Error``; `disconnected` where the camera is gone.
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

  /// The interval that the node is set to, in seconds per frame; `nil` where its driver has no such
  /// setting.
  ///
  /// The corresponding ioctl is `VIDIOC_G_PARM`.
  /// - Throws: ``V4L2Error``; `disconnected` where the camera is gone.
  public borrowing func frameInterval() throws(V4L2Error) -> FrameInterval? {
    var raw = v4l2_streamparm()
    raw.type = captureType
    let result = cv4l2_g_parm(descriptor.rawValue, &raw)
    guard try isThere(result, "VIDIOC_G_PARM", on: path) else { return nil }
    // Whether V4L2_CAP_TIMEPERFRAME is set tells nothing: v4l2loopback leaves it out, and has an
    // interval.
    let interval = FrameInterval(raw.parm.capture.timeperframe)
    return interval.rate == nil ? nil : interval
  }

  /// Asks for an interval and returns what the driver made of it; `nil` where it has no such
  /// setting.
  ///
  /// The corresponding ioctls are `VIDIOC_S_PARM` and, as drivers have been known not to fill the
  /// answer in, `VIDIOC_G_PARM`.
  /// - Throws: ``V4L2Error``; `busy` where the driver changes none while it streams.
  public borrowing func setFrameInterval(_ interval: FrameInterval) throws(V4L2Error) -> FrameInterval? {
    var raw = v4l2_streamparm()
    raw.type = captureType
    raw.parm.capture.timeperframe = v4l2_fract(
      numerator: interval.numerator, denominator: interval.denominator)
    // A driver that sets no interval may still have one.
    _ = try isThere(cv4l2_s_parm(descriptor.rawValue, &raw), "VIDIOC_S_PARM", on: path)
    return try frameInterval()
  }
}

extension CaptureFormat {
  /// No sensor and no line camera has more pixels in a row or rows in a frame.
  private static let mostPixels: UInt32 = 1 << 20

  /// Throws where no frame can be of this format, so that sizes in bytes can be reckoned with.
  package func check(on device: FilePath) throws(V4L2Error) {
    let sides = 1...Self.mostPixels
    guard sides.contains(width), sides.contains(height) else {
      throw V4L2Error(
        device: device, .failed, call: "VIDIOC_G_FMT",
        "The driver says that its frames are \(width)x\(height) pixels, which cannot be. "
          + "Try another mode.")
    }
  }

  init(_ raw: v4l2_format, isMultiplanar: Bool) {
    // The union is read behind the node's own kind, which is what filled it.
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
