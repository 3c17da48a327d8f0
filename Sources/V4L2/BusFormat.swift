public import CameraModel
import CV4L2

/// The format at a pad; V4L2's `struct v4l2_mbus_framefmt`.
public struct BusFormat: Hashable, Sendable {
  /// The pixels on the bus.
  public var code: MediaBusCode
  /// Pixels across and down.
  public var size: Dimensions
  /// The order of the lines, `enum v4l2_field`; 1 is progressive.
  public var field: UInt32 = 1
  /// The colors: `enum v4l2_colorspace` and its companions. All 0 for the driver's own.
  public var color = Color()

  /// Creates a progressive format of `size` in `code`, in the driver's own colors.
  public init(code: MediaBusCode, size: Dimensions) {
    self.code = code
    self.size = size
  }

  /// The color coding. A raw value of 0 leaves it to the driver.
  public struct Color: Hashable, Sendable {
    /// The color primaries.
    public var colorspace = Colorspace(rawValue: 0)
    /// The function from light to code values.
    public var transfer = TransferFunction(rawValue: 0)
    /// The matrix between RGB and luma with chroma.
    public var encoding = YCbCrEncoding(rawValue: 0)
    /// The code values of black and white.
    public var quantization = Quantization(rawValue: 0)

    /// Creates a value for the driver's own colors.
    public init() {}
  }

  /// Returns whether two pads with these formats can be linked: the colors may differ.
  public func matches(_ other: BusFormat) -> Bool {
    code == other.code && size == other.size && field == other.field
  }
}

extension BusFormat: CustomStringConvertible {
  /// `SRGGB10_1X10 640x480`.
  public var description: String { "\(code) \(size)" }
}

extension BusFormat {
  init(_ raw: v4l2_mbus_framefmt) {
    self.init(
      code: MediaBusCode(rawValue: raw.code), size: Dimensions(width: raw.width, height: raw.height))
    field = raw.field
    color.colorspace = Colorspace(rawValue: raw.colorspace)
    color.transfer = TransferFunction(rawValue: UInt32(raw.xfer_func))
    color.encoding = YCbCrEncoding(rawValue: UInt32(raw.ycbcr_enc))
    color.quantization = Quantization(rawValue: UInt32(raw.quantization))
  }

  var raw: v4l2_mbus_framefmt {
    var raw = v4l2_mbus_framefmt()
    raw.code = code.rawValue
    raw.width = size.width
    raw.height = size.height
    raw.field = field
    raw.colorspace = color.colorspace.rawValue
    raw.xfer_func = UInt16(truncatingIfNeeded: color.transfer.rawValue)
    raw.ycbcr_enc = UInt16(truncatingIfNeeded: color.encoding.rawValue)
    raw.quantization = UInt16(truncatingIfNeeded: color.quantization.rawValue)
    return raw
  }
}
