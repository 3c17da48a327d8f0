/// How a camera says its colours are coded; V4L2's colorspace fields. Zero is the driver's default.
public struct Colorimetry: Codable, Hashable, Sendable {
  /// `enum v4l2_colorspace`: see ``Colorspace``.
  public var colorspace: UInt32
  /// `enum v4l2_xfer_func`: see ``TransferFunction``.
  public var transfer: UInt32
  /// `enum v4l2_ycbcr_encoding`: see ``YCbCrEncoding``.
  public var encoding: UInt32
  /// `enum v4l2_quantization`: see ``Quantization``.
  public var quantization: UInt32

  /// The kernel's four numbers.
  public init(colorspace: UInt32 = 0, transfer: UInt32 = 0, encoding: UInt32 = 0, quantization: UInt32 = 0) {
    self.colorspace = colorspace
    self.transfer = transfer
    self.encoding = encoding
    self.quantization = quantization
  }
}
