/// How a camera says its colours are coded; V4L2's colorspace fields, as numbers in JSON.
public struct Colorimetry: Codable, Hashable, Sendable {
  /// Which colours the primaries are.
  public var colorspace: Colorspace
  /// How light becomes a number.
  public var transfer: TransferFunction
  /// How luma and chroma are made of red, green and blue.
  public var encoding: YCbCrEncoding
  /// Which numbers are black and white.
  public var quantization: Quantization

  /// The four that V4L2 has; what a driver does not say is `default`.
  public init(
    colorspace: Colorspace = .default, transfer: TransferFunction = .default,
    encoding: YCbCrEncoding = .default, quantization: Quantization = .default
  ) {
    self.colorspace = colorspace
    self.transfer = transfer
    self.encoding = encoding
    self.quantization = quantization
  }
}
