extension PixelFormat {
  /// Bits per pixel in memory without row padding, all planes together, or on average for a packed group;
  /// `nil` if the format is compressed, tiled or unknown.
  ///
  /// Linux `videodev2.h` and the "Image Formats" part of the kernel's manual; `420v` and `420f` are Apple's.
  public var bitsPerPixel: Int? {
    let name = description
    return Self.storage.first { $0.codes.contains(name) }?.bits
  }

  private static let storage: [(bits: Int, codes: Set<String>)] = [
    (8, ["GREY", "BA81", "GBRG", "GRBG", "RGGB", "RGB1", "PAL8", "UV8 ", "Y04 ", "Y06 ", "HI24", "S680"]),
    (4, ["CNF4"]),
    (9, ["YUV9", "YVU9"]),
    (10, ["Y10P", "Y10B", "pBAA", "pGAA", "pgAA", "pRAA"]),
    (12, ["Y12P", "pBCC", "pGCC", "pgCC", "pRCC"]),
    (
      12,
      [
        "NV12", "NV21", "NM12", "NM21", "YU12", "YV12", "YM12", "YM21", "M420", "411P", "Y41P", "420v",
        "420f", "S501", "S505", "S508", "CITV", "KONI", "S920",
      ]
    ),
    (14, ["Y14P", "pBEE", "pGEE", "pgEE", "pREE"]),
    (16, ["YUYV", "YVYU", "UYVY", "VYUY", "NV16", "NV61", "NM16", "NM61", "422P", "YM16", "YM61"]),
    (16, ["Y10 ", "Y12 ", "Y14 ", "Y16 ", "Y16 -BE", "Y012", "Z16 ", "Y8I "]),
    (16, ["BG10", "GB10", "BA10", "RG10", "BG12", "GB12", "BA12", "RG12", "BG14", "GB14", "GR14", "RG14"]),
    (16, ["BYR2", "GB16", "GR16", "RG16"]),
    (16, ["RGBP", "RGBR", "RGBO", "RGBQ", "AR15", "XR15", "RA15", "RX15", "AB15", "XB15", "BA15", "BX15"]),
    (16, ["AR15-BE", "XR15-BE", "R444", "AR12", "XR12", "RA12", "RX12", "AB12", "XB12", "GA12", "BX12"]),
    (16, ["Y444", "YUVO", "YUVP"]),
    (24, ["Y12I", "HSV3"]),
    (32, ["Y16I", "INZI", "HSV4"]),
    (48, ["RGB6", "BGR6", "B312"]),
    (64, ["B412"]),
    (24, ["RGB3", "BGR3", "NV24", "NV42", "YM24", "YM42", "P010", "P012", "PM12", "YUV3"]),
    (32, ["RGB4", "BGR4", "AR24", "XR24", "RA24", "RX24", "AB24", "XB24", "BA24", "BX24", "BGRH"]),
    (32, ["YUV4", "AYUV", "XYUV", "VUYA", "VUYX", "YUVA", "YUVX", "Y212", "Y216"]),
    (48, ["Y312"]),
  ]

  /// Returns the bytes of one frame without row padding; `nil` if ``bitsPerPixel`` is, or if they overflow.
  public func bytesPerFrame(width: UInt32, height: UInt32) -> Int? {
    guard let bitsPerPixel else { return nil }
    let (pixels, isPastAll) = Int(width).multipliedReportingOverflow(by: Int(height))
    let (bits, isTooMuch) = pixels.multipliedReportingOverflow(by: bitsPerPixel)
    return isPastAll || isTooMuch ? nil : bits / 8 + min(bits % 8, 1)
  }
}
