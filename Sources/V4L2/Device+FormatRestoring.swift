public import CameraModel
import CV4L2

extension CaptureFormat {
  /// Creates a format of `size`, with layout and colors left to the driver.
  public init(_ format: PixelFormat, size: Dimensions) {
    self.init(
      pixelFormat: format, width: size.width, height: size.height, bytesPerLine: [], sizeImage: [],
      colorspace: Colorspace(rawValue: 0),
      transfer: TransferFunction(rawValue: 0), encoding: YCbCrEncoding(rawValue: 0),
      quantization: Quantization(rawValue: 0))
  }
}

extension Device {
  /// Requests all of `format`, including strides and colors, and returns the format that the driver set.
  ///
  /// Restores an earlier result of ``captureFormat()``. The corresponding ioctl is `VIDIOC_S_FMT`.
  public borrowing func setCaptureFormat(_ format: CaptureFormat) throws(V4L2Error) -> CaptureFormat {
    var raw = try rawFormat()
    // The driver lays out planes without given values itself.
    let planes = zip(format.bytesPerLine, format.sizeImage)
    if capabilities.isMultiplanar {
      raw.fmt.pix_mp.pixelformat = format.pixelFormat.rawValue
      raw.fmt.pix_mp.width = format.width
      raw.fmt.pix_mp.height = format.height
      raw.fmt.pix_mp.colorspace = format.colorspace.rawValue
      raw.fmt.pix_mp.xfer_func = UInt8(truncatingIfNeeded: format.transfer.rawValue)
      raw.fmt.pix_mp.ycbcr_enc = UInt8(truncatingIfNeeded: format.encoding.rawValue)
      raw.fmt.pix_mp.quantization = UInt8(truncatingIfNeeded: format.quantization.rawValue)
      raw.fmt.pix_mp.num_planes = UInt8(truncatingIfNeeded: format.sizeImage.count)
      withUnsafeMutableBytes(of: &raw.fmt.pix_mp.plane_fmt) { bytes in
        let room = bytes.bindMemory(to: v4l2_plane_pix_format.self)
        for index in room.indices { (room[index].bytesperline, room[index].sizeimage) = (0, 0) }
        for (index, plane) in planes.enumerated().prefix(room.count) {
          room[index].bytesperline = plane.0
          room[index].sizeimage = plane.1
        }
      }
    } else {
      raw.fmt.pix.pixelformat = format.pixelFormat.rawValue
      raw.fmt.pix.width = format.width
      raw.fmt.pix.height = format.height
      raw.fmt.pix.colorspace = format.colorspace.rawValue
      raw.fmt.pix.xfer_func = format.transfer.rawValue
      raw.fmt.pix.ycbcr_enc = format.encoding.rawValue
      raw.fmt.pix.quantization = format.quantization.rawValue
      (raw.fmt.pix.bytesperline, raw.fmt.pix.sizeimage) = (0, 0)
      for (bytesPerLine, size) in planes.prefix(1) {
        raw.fmt.pix.bytesperline = bytesPerLine
        raw.fmt.pix.sizeimage = size
      }
    }
    try setRawFormat(raw)
    return try captureFormat()
  }
}
