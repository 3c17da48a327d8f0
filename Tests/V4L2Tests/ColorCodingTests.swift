import CameraModel
import CV4L2
import Testing

@Suite("The numbers of the kernel's header")
struct ColorCodingTests {
  @Test(
    "are those of colorspaces",
    arguments: [
      (Colorspace.default, V4L2_COLORSPACE_DEFAULT.rawValue),
      (Colorspace.smpte170m, V4L2_COLORSPACE_SMPTE170M.rawValue),
      (Colorspace.smpte240m, V4L2_COLORSPACE_SMPTE240M.rawValue),
      (Colorspace.rec709, V4L2_COLORSPACE_REC709.rawValue),
      (Colorspace.bt878, V4L2_COLORSPACE_BT878.rawValue),
      (Colorspace.system470M, V4L2_COLORSPACE_470_SYSTEM_M.rawValue),
      (Colorspace.system470BG, V4L2_COLORSPACE_470_SYSTEM_BG.rawValue),
      (Colorspace.jpeg, V4L2_COLORSPACE_JPEG.rawValue),
      (Colorspace.srgb, V4L2_COLORSPACE_SRGB.rawValue),
      (Colorspace.opRGB, V4L2_COLORSPACE_OPRGB.rawValue),
      (Colorspace.bt2020, V4L2_COLORSPACE_BT2020.rawValue),
      (Colorspace.raw, V4L2_COLORSPACE_RAW.rawValue),
      (Colorspace.dciP3, V4L2_COLORSPACE_DCI_P3.rawValue),
    ])
  func colorspaces(_ value: Colorspace, _ number: UInt32) {
    #expect(value.rawValue == number)
  }

  @Test(
    "are those of transfer functions",
    arguments: [
      (TransferFunction.default, V4L2_XFER_FUNC_DEFAULT.rawValue),
      (TransferFunction.rec709, V4L2_XFER_FUNC_709.rawValue),
      (TransferFunction.srgb, V4L2_XFER_FUNC_SRGB.rawValue),
      (TransferFunction.opRGB, V4L2_XFER_FUNC_OPRGB.rawValue),
      (TransferFunction.smpte240m, V4L2_XFER_FUNC_SMPTE240M.rawValue),
      (TransferFunction.linear, V4L2_XFER_FUNC_NONE.rawValue),
      (TransferFunction.dciP3, V4L2_XFER_FUNC_DCI_P3.rawValue),
      (TransferFunction.smpte2084, V4L2_XFER_FUNC_SMPTE2084.rawValue),
    ])
  func transferFunctions(_ value: TransferFunction, _ number: UInt32) {
    #expect(value.rawValue == number)
  }

  @Test(
    "are those of encodings",
    arguments: [
      (YCbCrEncoding.default, V4L2_YCBCR_ENC_DEFAULT.rawValue),
      (YCbCrEncoding.bt601, V4L2_YCBCR_ENC_601.rawValue),
      (YCbCrEncoding.rec709, V4L2_YCBCR_ENC_709.rawValue),
      (YCbCrEncoding.xvYCC601, V4L2_YCBCR_ENC_XV601.rawValue),
      (YCbCrEncoding.xvYCC709, V4L2_YCBCR_ENC_XV709.rawValue),
      (YCbCrEncoding.bt2020, V4L2_YCBCR_ENC_BT2020.rawValue),
      (YCbCrEncoding.bt2020ConstantLuminance, V4L2_YCBCR_ENC_BT2020_CONST_LUM.rawValue),
      (YCbCrEncoding.smpte240m, V4L2_YCBCR_ENC_SMPTE240M.rawValue),
    ])
  func encodings(_ value: YCbCrEncoding, _ number: UInt32) {
    #expect(value.rawValue == number)
  }

  @Test(
    "are those of quantizations",
    arguments: [
      (Quantization.default, V4L2_QUANTIZATION_DEFAULT.rawValue),
      (Quantization.full, V4L2_QUANTIZATION_FULL_RANGE.rawValue),
      (Quantization.limited, V4L2_QUANTIZATION_LIM_RANGE.rawValue),
    ])
  func quantizations(_ value: Quantization, _ number: UInt32) {
    #expect(value.rawValue == number)
  }
}
