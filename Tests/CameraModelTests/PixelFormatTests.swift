import CameraModel
import Testing

@Suite("Pixel formats by their four characters")
struct PixelFormatTests {
  @Test("survive both ways", arguments: ["MJPG", "YUYV", "Y16 ", "Y16 -BE", "RGB3"])
  func roundTrip(_ code: String) {
    #expect(PixelFormat(fourcc: code)?.description == code)
  }

  @Test("are the kernel's numbers: v4l2_fourcc puts the first character lowest")
  func value() {
    #expect(PixelFormat.mjpeg.rawValue == 0x4750_4A4D)
    #expect(PixelFormat(fourcc: "Y16-BE")?.rawValue == 0xA036_3159)
  }

  @Test("may lack their trailing spaces")
  func padding() {
    #expect(PixelFormat(fourcc: "Y16") == PixelFormat(fourcc: "Y16 "))
  }

  @Test("an unknown number is shown, not refused")
  func unknown() {
    #expect(PixelFormat(rawValue: 0).description == "????")
    #expect(PixelFormat(rawValue: 0).family == .raw)
  }

  @Test("what is no code is refused", arguments: ["", "MJPEGS", "日本", "A\u{7}BC"])
  func invalid(_ code: String) {
    #expect(PixelFormat(fourcc: code) == nil)
  }
}
