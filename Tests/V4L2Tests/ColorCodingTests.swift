import CameraModel
import CV4L2
import Testing

@Suite("Colour codes are the kernel's")
struct ColorCodingTests {
  @Test("colorspaces")
  func colorspaces() {
    #expect(Colorspace.smpte170m == V4L2_COLORSPACE_SMPTE170M.rawValue)
    #expect(Colorspace.rec709 == V4L2_COLORSPACE_REC709.rawValue)
    #expect(Colorspace.bt878 == V4L2_COLORSPACE_BT878.rawValue)
    #expect(Colorspace.system470M == V4L2_COLORSPACE_470_SYSTEM_M.rawValue)
    #expect(Colorspace.system470BG == V4L2_COLORSPACE_470_SYSTEM_BG.rawValue)
    #expect(Colorspace.jpeg == V4L2_COLORSPACE_JPEG.rawValue)
    #expect(Colorspace.srgb == V4L2_COLORSPACE_SRGB.rawValue)
    #expect(Colorspace.opRGB == V4L2_COLORSPACE_OPRGB.rawValue)
    #expect(Colorspace.bt2020 == V4L2_COLORSPACE_BT2020.rawValue)
    #expect(Colorspace.raw == V4L2_COLORSPACE_RAW.rawValue)
    #expect(Colorspace.dciP3 == V4L2_COLORSPACE_DCI_P3.rawValue)
  }

  @Test("transfer functions, encodings and ranges")
  func others() {
    #expect(TransferFunction.rec709 == V4L2_XFER_FUNC_709.rawValue)
    #expect(TransferFunction.srgb == V4L2_XFER_FUNC_SRGB.rawValue)
    #expect(YCbCrEncoding.bt601 == V4L2_YCBCR_ENC_601.rawValue)
    #expect(YCbCrEncoding.rec709 == V4L2_YCBCR_ENC_709.rawValue)
    #expect(YCbCrEncoding.xvYCC601 == V4L2_YCBCR_ENC_XV601.rawValue)
    #expect(YCbCrEncoding.xvYCC709 == V4L2_YCBCR_ENC_XV709.rawValue)
    #expect(YCbCrEncoding.bt2020 == V4L2_YCBCR_ENC_BT2020.rawValue)
    #expect(Quantization.full == V4L2_QUANTIZATION_FULL_RANGE.rawValue)
    #expect(Quantization.limited == V4L2_QUANTIZATION_LIM_RANGE.rawValue)
  }
}
