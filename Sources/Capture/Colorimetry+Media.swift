import Cameras
import Media

extension ColorDescription {
  /// The colours that V4L2's four numbers mean, its defaults resolved as `V4L2_MAP_*_DEFAULT` of videodev2.h do.
  ///
  /// - Parameter codec: JPEG is full range and BT.601 by JFIF, and a sensor's mosaic has the full range, whatever the
  ///   driver says.
  init(_ colorimetry: Colorimetry, of codec: VideoCodec) {
    guard codec != .mjpeg else {
      self = .jpeg
      return
    }
    // enum v4l2_colorspace: 1 SMPTE 170M, 3 Rec. 709, 8 sRGB, 10 BT.2020.
    let primaries: Primaries =
      switch colorimetry.colorspace {
      case 1: .smpte170m
      case 3, 8: .bt709
      case 10: .bt2020
      default: .unspecified
      }
    // enum v4l2_xfer_func: 1 Rec. 709, 2 sRGB; 0 follows from the colorspace.
    let transfer: Transfer =
      switch (colorimetry.transfer, colorimetry.colorspace) {
      case (2, _), (0, 8): .srgb
      case (1, _), (0, 1), (0, 3), (0, 10): .bt709
      default: .unspecified
      }
    // enum v4l2_ycbcr_encoding: 1 BT.601, 2 Rec. 709, 3 and 4 the same with more colours (xvYCC), 6 BT.2020; 0 follows
    // from the colorspace: Rec. 709 for 3 and DCI-P3 (12), BT.601 for those of old television, JPEG, sRGB and opRGB.
    let matrix: Matrix =
      switch (colorimetry.encoding, colorimetry.colorspace) {
      case (1, _), (3, _), (0, 1), (0, 4...9): .bt601
      case (2, _), (4, _), (0, 3), (0, 12): .bt709
      case (6, _), (0, 10): .bt2020
      default: .unspecified
      }
    if codec.layout?.isRGB == true {
      // Grabbers of HDMI send the limited range where their source does.
      let isLimited = colorimetry.quantization == 2 && codec.layout?.isBytesOfRGB == true
      self.init(
        primaries: primaries, transfer: transfer, matrix: .rgb, range: isLimited ? .limited : .full)
      return
    }
    // enum v4l2_quantization: 1 full, 2 limited; 0 follows from the colorspace: full for JPEG (7), limited for other
    // Y'CbCr. A sensor's own numbers (11, raw) know no head room, nor do those of cameras without colour: see
    // docs/formats.md.
    let isFull: Bool =
      switch colorimetry.quantization {
      case 1: true
      case 2: false
      default: [7, 11].contains(colorimetry.colorspace) || codec.layout?.isGray == true
      }
    self.init(
      primaries: primaries, transfer: transfer, matrix: matrix, range: isFull ? .full : .limited)
  }
}
