import CameraModel
import Testing

@testable import Media

@Suite("Colours that a driver states")
struct CameraColoursTests {
  @Test(
    "have their matrix of H.273, or the colorspace's",
    arguments: [
      (Colorspace.srgb, YCbCrEncoding.default, ColorDescription.Matrix.bt601), (.rec709, .default, .bt709),
      (.srgb, .rec709, .bt709), (.smpte240m, .default, .smpte240m), (.rec709, .smpte240m, .smpte240m),
      (.bt2020, .default, .bt2020), (.bt2020, .bt2020ConstantLuminance, .bt2020ConstantLuminance),
      (.raw, .default, .unspecified),
    ])
  func matrix(_ colorspace: Colorspace, _ encoding: YCbCrEncoding, _ expected: ColorDescription.Matrix) {
    let colorimetry = Colorimetry(colorspace: colorspace, encoding: encoding)
    #expect(ColorDescription(colorimetry, of: .raw(.yuyv422)).matrix == expected)
    #expect(ColorDescription(colorimetry, of: .raw(.rgb24)).matrix == .rgb)
    #expect(ColorDescription(colorimetry, of: .mjpeg).matrix == .bt601)
  }
}
