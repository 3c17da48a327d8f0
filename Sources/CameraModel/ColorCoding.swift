/// The colour primaries; V4L2's `enum v4l2_colorspace`.
///
/// A value without a name here is kept as the driver's number.
public struct Colorspace: RawRepresentable, Hashable, Sendable, Codable {
  /// The kernel's number.
  public let rawValue: UInt32

  /// Creates the value with the kernel's number `rawValue`, known or not.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The driver does not say.
  public static let `default` = Colorspace(rawValue: 0)
  /// SMPTE 170M: standard-definition television.
  public static let smpte170m = Colorspace(rawValue: 1)
  /// SMPTE 240M: high-definition television before Rec. 709.
  public static let smpte240m = Colorspace(rawValue: 2)
  /// Rec. 709: high-definition television.
  public static let rec709 = Colorspace(rawValue: 3)
  /// The output of the capture chip Bt878 for television.
  public static let bt878 = Colorspace(rawValue: 4)
  /// NTSC of 1953.
  public static let system470M = Colorspace(rawValue: 5)
  /// PAL and SECAM.
  public static let system470BG = Colorspace(rawValue: 6)
  /// sRGB with the matrix and range of JFIF.
  public static let jpeg = Colorspace(rawValue: 7)
  /// sRGB, as reported by most webcams.
  public static let srgb = Colorspace(rawValue: 8)
  /// opRGB, also called AdobeRGB.
  public static let opRGB = Colorspace(rawValue: 9)
  /// BT.2020: ultra-high-definition television.
  public static let bt2020 = Colorspace(rawValue: 10)
  /// A sensor's own samples, not developed.
  public static let raw = Colorspace(rawValue: 11)
  /// DCI-P3: cinema.
  public static let dciP3 = Colorspace(rawValue: 12)
}

/// The function from light to code values; V4L2's `enum v4l2_xfer_func`.
///
/// A value without a name here is kept as the driver's number.
public struct TransferFunction: RawRepresentable, Hashable, Sendable, Codable {
  /// The kernel's number.
  public let rawValue: UInt32

  /// Creates the value with the kernel's number `rawValue`, known or not.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The colorspace's own.
  public static let `default` = TransferFunction(rawValue: 0)
  /// Rec. 709's, for all television.
  public static let rec709 = TransferFunction(rawValue: 1)
  /// sRGB's, for screens.
  public static let srgb = TransferFunction(rawValue: 2)
  /// opRGB's.
  public static let opRGB = TransferFunction(rawValue: 3)
  /// SMPTE 240M's.
  public static let smpte240m = TransferFunction(rawValue: 4)
  /// None: values are proportional to light.
  public static let linear = TransferFunction(rawValue: 5)
  /// DCI-P3's.
  public static let dciP3 = TransferFunction(rawValue: 6)
  /// SMPTE 2084's, for high dynamic range.
  public static let smpte2084 = TransferFunction(rawValue: 7)
}

/// The matrix between RGB and luma with chroma; V4L2's `enum v4l2_ycbcr_encoding`.
///
/// A value without a name here is kept as the driver's number.
public struct YCbCrEncoding: RawRepresentable, Hashable, Sendable, Codable {
  /// The kernel's number.
  public let rawValue: UInt32

  /// Creates the value with the kernel's number `rawValue`, known or not.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The colorspace's own.
  public static let `default` = YCbCrEncoding(rawValue: 0)
  /// BT.601: standard definition and JPEG.
  public static let bt601 = YCbCrEncoding(rawValue: 1)
  /// Rec. 709: high definition.
  public static let rec709 = YCbCrEncoding(rawValue: 2)
  /// BT.601 with colours beyond its primaries.
  public static let xvYCC601 = YCbCrEncoding(rawValue: 3)
  /// Rec. 709 with colours beyond its primaries.
  public static let xvYCC709 = YCbCrEncoding(rawValue: 4)
  /// BT.2020: ultra-high definition.
  public static let bt2020 = YCbCrEncoding(rawValue: 6)
  /// BT.2020 with constant luminance.
  public static let bt2020ConstantLuminance = YCbCrEncoding(rawValue: 7)
  /// SMPTE 240M.
  public static let smpte240m = YCbCrEncoding(rawValue: 8)
  /// Not a matrix: hues of HSV formats from 0 to 255, instead of 0 to 179 (`enum v4l2_hsv_encoding`).
  public static let hueIn256Steps = YCbCrEncoding(rawValue: 129)
}

/// The code values of black and white; V4L2's `enum v4l2_quantization`.
///
/// A value without a name here is kept as the driver's number.
public struct Quantization: RawRepresentable, Hashable, Sendable, Codable {
  /// The kernel's number.
  public let rawValue: UInt32

  /// Creates the value with the kernel's number `rawValue`, known or not.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// That of the colorspace and the pixel format.
  public static let `default` = Quantization(rawValue: 0)
  /// Black is 0 and white all ones.
  public static let full = Quantization(rawValue: 1)
  /// In 8 bits, black is 16 and white 235.
  public static let limited = Quantization(rawValue: 2)
}
