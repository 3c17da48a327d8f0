package import CameraModel

extension ColorDescription {
  /// Creates the colours of V4L2's four values, with defaults resolved as in `V4L2_MAP_*_DEFAULT` of
  /// videodev2.h.
  ///
  /// - Parameter codec: the codec of the frames; JPEG is full range and BT.601 by JFIF, and a sensor's mosaic
  ///   has the full range, whatever the driver reports.
  package init(_ colorimetry: Colorimetry, of codec: VideoCodec) {
    guard codec != .mjpeg else {
      self = .jpeg
      return
    }
    let primaries: Primaries =
      switch colorimetry.colorspace {
      case .smpte170m: .smpte170m
      case .rec709, .srgb: .bt709
      case .bt2020: .bt2020
      default: .unspecified
      }
    let transfer: Transfer =
      switch (colorimetry.transfer, colorimetry.colorspace) {
      case (.srgb, _), (.default, .srgb): .srgb
      case (.rec709, _), (.default, .smpte170m), (.default, .rec709),
        (.default, .bt2020):
        .bt709
      default: .unspecified
      }
    let matrix: Matrix =
      switch (colorimetry.encoding, colorimetry.colorspace) {
      case (.bt601, _), (.xvYCC601, _): .bt601
      case (.rec709, _), (.xvYCC709, _): .bt709
      case (.smpte240m, _), (.default, .smpte240m): .smpte240m
      case (.bt2020, _), (.default, .bt2020): .bt2020
      case (.bt2020ConstantLuminance, _): .bt2020ConstantLuminance
      case (.default, .rec709), (.default, .dciP3): .bt709
      case (.default, .smpte170m), (.default, .bt878), (.default, .system470M),
        (.default, .system470BG), (.default, .jpeg), (.default, .srgb), (.default, .opRGB):
        .bt601
      default: .unspecified
      }
    if codec.layout?.isRGB == true {
      // HDMI grabbers send the limited range if their source does.
      let isLimited = colorimetry.quantization == .limited && codec.layout?.isBytesOfRGB == true
      self.init(
        primaries: primaries, transfer: transfer, matrix: .rgb, range: isLimited ? .limited : .full)
      return
    }
    // The colorspace's default range is full for JPEG, and limited for other Y'CbCr. Raw sensor values have
    // no headroom, nor have those of cameras without colour: see docs/formats.md.
    let isFull: Bool =
      switch colorimetry.quantization {
      case .full: true
      case .limited: false
      default:
        [Colorspace.jpeg, .raw].contains(colorimetry.colorspace) || codec.layout?.isGray == true
      }
    self.init(
      primaries: primaries, transfer: transfer, matrix: matrix, range: isFull ? .full : .limited)
  }
}
