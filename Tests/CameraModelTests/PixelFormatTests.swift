import CameraModel
import Testing

@Suite("Four-character codes of pixel formats")
struct PixelFormatTests {
  @Test("survive a round trip", arguments: ["MJPG", "YUYV", "Y16 ", "Y16 -BE", "RGB3"])
  func roundTrip(_ code: String) {
    #expect(PixelFormat(fourcc: code)?.description == code)
  }

  @Test("are the kernel's numbers: v4l2_fourcc puts the first character lowest")
  func value() {
    #expect(PixelFormat.mjpeg.rawValue == 0x4750_4A4D)
    #expect(PixelFormat(fourcc: "Y16-BE")?.rawValue == 0xA036_3159)
  }

  @Test("may omit trailing spaces")
  func padding() {
    #expect(PixelFormat(fourcc: "Y16") == PixelFormat(fourcc: "Y16 "))
  }

  @Test("are shown even for an unknown number")
  func unknown() {
    #expect(PixelFormat(rawValue: 0).description == "????")
    #expect(PixelFormat(rawValue: 0).family == .raw)
  }

  @Test("are refused if malformed", arguments: ["", "MJPEGS", "日本", "A\u{7}BC"])
  func invalid(_ code: String) {
    #expect(PixelFormat(fourcc: code) == nil)
  }

  @Test(
    "give the bytes of a frame in memory, rounded up",
    arguments: [
      ("YUYV", 640, 480, 614_400), ("NV12", 640, 480, 460_800), ("Y10P", 3, 1, 4), ("Y10P", 4, 1, 5),
      ("MJPG", 640, 480, nil), ("YUYV", .max, .max, nil), ("GREY", .max, .max, nil),
      ("GREY", 1 << 31, 1 << 31, nil),
    ] as [(String, UInt32, UInt32, Int?)])
  func bytes(_ code: String, _ width: UInt32, _ height: UInt32, _ bytes: Int?) {
    #expect(PixelFormat(fourcc: code)?.bytesPerFrame(width: width, height: height) == bytes)
  }
}
