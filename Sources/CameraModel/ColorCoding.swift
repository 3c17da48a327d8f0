/// Values of `enum v4l2_colorspace`, for ``Colorimetry/colorspace``; 0 is the driver's default.
public enum Colorspace {
  /// Television of standard definition.
  public static let smpte170m: UInt32 = 1
  /// Television of high definition.
  public static let rec709: UInt32 = 3
  /// What an old capture chip makes of television.
  public static let bt878: UInt32 = 4
  /// NTSC's of 1953.
  public static let system470M: UInt32 = 5
  /// PAL's and SECAM's.
  public static let system470BG: UInt32 = 6
  /// sRGB with the matrix and range of JFIF.
  public static let jpeg: UInt32 = 7
  /// What most webcams say.
  public static let srgb: UInt32 = 8
  /// AdobeRGB.
  public static let opRGB: UInt32 = 9
  /// Television of ultra-high definition.
  public static let bt2020: UInt32 = 10
  /// A sensor's own numbers.
  public static let raw: UInt32 = 11
  /// Cinema.
  public static let dciP3: UInt32 = 12
}

/// Values of `enum v4l2_xfer_func`, for ``Colorimetry/transfer``; 0 is that of the colorspace.
public enum TransferFunction {
  /// Television's.
  public static let rec709: UInt32 = 1
  /// That of screens.
  public static let srgb: UInt32 = 2
}

/// Values of `enum v4l2_ycbcr_encoding`, for ``Colorimetry/encoding``; 0 is that of the colorspace.
public enum YCbCrEncoding {
  /// That of standard definition and JPEG.
  public static let bt601: UInt32 = 1
  /// That of high definition.
  public static let rec709: UInt32 = 2
  /// BT.601's with more colours.
  public static let xvYCC601: UInt32 = 3
  /// Rec. 709's with more colours.
  public static let xvYCC709: UInt32 = 4
  /// That of ultra-high definition.
  public static let bt2020: UInt32 = 6
}

/// Values of `enum v4l2_quantization`, for ``Colorimetry/quantization``; 0 is that of the colorspace.
public enum Quantization {
  /// Black is 0, white all ones.
  public static let full: UInt32 = 1
  /// Black is 16 of 255, white 235.
  public static let limited: UInt32 = 2
}
