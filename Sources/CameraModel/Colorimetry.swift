/// The colour coding that a camera reports; V4L2's colorspace fields, as numbers in JSON.
public struct Colorimetry: Codable, Hashable, Sendable {
  /// The colour primaries.
  public var colorspace: Colorspace
  /// The function from light to code values.
  public var transfer: TransferFunction
  /// The matrix between RGB and luma with chroma.
  public var encoding: YCbCrEncoding
  /// The code values of black and white.
  public var quantization: Quantization

  /// Creates V4L2's four values; `default` for those that the driver does not report.
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
