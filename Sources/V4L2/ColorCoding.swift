import CV4L2

/// Values of `enum v4l2_colorspace`, for ``CaptureFormat/colorspace``; 0 is the driver's default.
public enum Colorspace {
  /// Television of standard definition.
  public static let smpte170m: UInt32 = V4L2_COLORSPACE_SMPTE170M.rawValue
  /// Television of high definition.
  public static let rec709: UInt32 = V4L2_COLORSPACE_REC709.rawValue
  /// What an old capture chip makes of television.
  public static let bt878: UInt32 = V4L2_COLORSPACE_BT878.rawValue
  /// NTSC's of 1953.
  public static let system470M: UInt32 = V4L2_COLORSPACE_470_SYSTEM_M.rawValue
  /// PAL's and SECAM's.
  public static let system470BG: UInt32 = V4L2_COLORSPACE_470_SYSTEM_BG.rawValue
  /// sRGB with the matrix and range of JFIF.
  public static let jpeg: UInt32 = V4L2_COLORSPACE_JPEG.rawValue
  /// What most webcams say.
  public static let srgb: UInt32 = V4L2_COLORSPACE_SRGB.rawValue
  /// AdobeRGB.
  public static let opRGB: UInt32 = V4L2_COLORSPACE_OPRGB.rawValue
  /// Television of ultra-high definition.
  public static let bt2020: UInt32 = V4L2_COLORSPACE_BT2020.rawValue
  /// A sensor's own numbers.
  public static let raw: UInt32 = V4L2_COLORSPACE_RAW.rawValue
  /// Cinema.
  public static let dciP3: UInt32 = V4L2_COLORSPACE_DCI_P3.rawValue
}

/// Values of `enum v4l2_xfer_func`, for ``CaptureFormat/transfer``; 0 is that of the colorspace.
public enum TransferFunction {
  /// Television's.
  public static let rec709: UInt32 = V4L2_XFER_FUNC_709.rawValue
  /// That of screens.
  public static let srgb: UInt32 = V4L2_XFER_FUNC_SRGB.rawValue
}

/// Values of `enum v4l2_ycbcr_encoding`, for ``CaptureFormat/encoding``; 0 is that of the colorspace.
public enum YCbCrEncoding {
  /// That of standard definition and JPEG.
  public static let bt601: UInt32 = V4L2_YCBCR_ENC_601.rawValue
  /// That of high definition.
  public static let rec709: UInt32 = V4L2_YCBCR_ENC_709.rawValue
  /// BT.601's with more colours.
  public static let xvYCC601: UInt32 = V4L2_YCBCR_ENC_XV601.rawValue
  /// Rec. 709's with more colours.
  public static let xvYCC709: UInt32 = V4L2_YCBCR_ENC_XV709.rawValue
  /// That of ultra-high definition.
  public static let bt2020: UInt32 = V4L2_YCBCR_ENC_BT2020.rawValue
}

/// Values of `enum v4l2_quantization`, for ``CaptureFormat/quantization``; 0 is that of the colorspace.
public enum Quantization {
  /// Black is 0, white all ones.
  public static let full: UInt32 = V4L2_QUANTIZATION_FULL_RANGE.rawValue
  /// Black is 16 of 255, white 235.
  public static let limited: UInt32 = V4L2_QUANTIZATION_LIM_RANGE.rawValue
}
