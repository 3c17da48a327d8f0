public import CameraModel

extension PixelFormat {
  /// The codec of a file's track of such frames, with unpadded rows and consecutive planes; `nil` if the
  /// format is not supported, or its frames depend on others.
  public var codec: VideoCodec? {
    if self == .mjpeg || self == .jpeg { return .mjpeg }
    if let codec = Self.codecs[description] { return codec }
    return PixelPacking(fourcc: Self.singlePlane[description] ?? description).map { .packed($0) }
  }

  /// Whether each plane has its own V4L2 memory plane.
  package var isInMemoryPlanes: Bool { Self.singlePlane[description] != nil }

  /// The multi-plane codes, with the equivalent single-plane ones, or themselves if there is none.
  private static let singlePlane = [
    "NM12": "NV12", "NM21": "NV21", "NM16": "NV16", "NM61": "NV61", "YM12": "YU12", "YM21": "YV12",
    "YM16": "422P", "YM24": "YM24", "YM42": "YM42", "YM61": "YM61",
    "PM12": "P012",
  ]

  /// V4L2's codes and libav's names, by pixfmt-*.rst of the kernel's documentation.
  private static let names = [
    "YUYV": "yuyv422", "UYVY": "uyvy422", "YVYU": "yvyu422",
    "NV12": "nv12", "NV21": "nv21", "YU12": "yuv420p", "422P": "yuv422p", "YM24": "yuv444p",
    "YUV9": "yuv410p", "411P": "yuv411p",
    // Apple's: NV12 in limited and in full range.
    "420v": "nv12", "420f": "nv12",
    "RGB3": "rgb24", "BGR3": "bgr24", "XR24": "bgr0", "AR24": "bgra", "BX24": "0rgb", "BA24": "argb",
    "RX24": "0bgr", "RA24": "abgr", "XB24": "rgb0", "AB24": "rgba", "RGB4": "0rgb", "BGR4": "bgr0",
    "RGBP": "rgb565le", "RGBR": "rgb565be", "RGBO": "rgb555le", "XR15": "rgb555le", "AR15": "rgb555le",
    "RGBQ": "rgb555be", "XR15-BE": "rgb555be", "AR15-BE": "rgb555be", "XB15": "bgr555le", "AB15": "bgr555le",
    "R444": "rgb444le", "XR12": "rgb444le", "AR12": "rgb444le", "XB12": "bgr444le", "AB12": "bgr444le",
    "RGB1": "rgb8",
    "GREY": "gray", "Y10 ": "gray10le", "Y12 ": "gray12le", "Y14 ": "gray14le", "Y16 ": "gray16le",
    // Twelve bits, in the high ones of each word.
    "Z16 ": "gray16le", "Y012": "gray16le",
    "Y16 -BE": "gray16be",
    "BA81": "bayer_bggr8", "GBRG": "bayer_gbrg8", "GRBG": "bayer_grbg8", "RGGB": "bayer_rggb8",
    "BYR2": "bayer_bggr16le", "GB16": "bayer_gbrg16le", "GR16": "bayer_grbg16le", "RG16": "bayer_rggb16le",
  ]

  private static let codecs: [String: VideoCodec] = {
    var codecs = names.compactMapValues { PixelLayout(name: $0).map { VideoCodec.raw($0) } }
    for (code, single) in singlePlane { codecs[code] = codecs[single] }
    return codecs
  }()
}
