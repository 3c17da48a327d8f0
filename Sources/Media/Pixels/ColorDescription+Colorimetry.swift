package import CameraModel

extension ColorDescription {
  /// The colours that V4L2's four numbers mean, its defaults resolved as `V4L2_MAP_*_DEFAULT` of videodev2.h do.
  ///
  /// - Parameter codec: JPEG is full range and BT.601 by JFIF, and a sensor's mosaic has the full range, whatever the
  ///   driver says.
  package init(_ colorimetry: Colorimetry, of codec: VideoCodec) {
    guard codec != .mjpeg else {
      self = .jpeg
      return
    }
    let primaries: Primaries =
      switch colorimetry.colorspace {
      case Colorspace.smpte170m: .smpte170m
      case Colorspace.rec709, Colorspace.srgb: .bt709
      case Colorspace.bt2020: .bt2020
      default: .unspecified
      }
    let transfer: Transfer =
      switch (colorimetry.transfer, colorimetry.colorspace) {
      case (TransferFunction.srgb, _), (0, Colorspace.srgb): .srgb
      case (TransferFunction.rec709, _), (0, Colorspace.smpte170m), (0, Colorspace.rec709),
        (0, Colorspace.bt2020):
        .bt709
      default: .unspecified
      }
    let matrix: Matrix =
      switch (colorimetry.encoding, colorimetry.colorspace) {
      case (YCbCrEncoding.bt601, _), (YCbCrEncoding.xvYCC601, _): .bt601
      case (YCbCrEncoding.rec709, _), (YCbCrEncoding.xvYCC709, _): .bt709
      case (YCbCrEncoding.bt2020, _), (0, Colorspace.bt2020): .bt2020
      case (0, Colorspace.rec709), (0, Colorspace.dciP3): .bt709
      case (0, Colorspace.smpte170m), (0, Colorspace.bt878), (0, Colorspace.system470M),
        (0, Colorspace.system470BG), (0, Colorspace.jpeg), (0, Colorspace.srgb), (0, Colorspace.opRGB):
        .bt601
      default: .unspecified
      }
    if codec.layout?.isRGB == true {
      // Grabbers of HDMI send the limited range where their source does.
      let isLimited = colorimetry.quantization == Quantization.limited && codec.layout?.isBytesOfRGB == true
      self.init(
        primaries: primaries, transfer: transfer, matrix: .rgb, range: isLimited ? .limited : .full)
      return
    }
    // The colorspace's own is full for JPEG, and limited for other Y'CbCr. A sensor's own numbers know no head room, nor
    // do those of cameras without colour: see docs/formats.md.
    let isFull: Bool =
      switch colorimetry.quantization {
      case Quantization.full: true
      case Quantization.limited: false
      default:
        [Colorspace.jpeg, Colorspace.raw].contains(colorimetry.colorspace) || codec.layout?.isGray == true
      }
    self.init(
      primaries: primaries, transfer: transfer, matrix: matrix, range: isFull ? .full : .limited)
  }
}
