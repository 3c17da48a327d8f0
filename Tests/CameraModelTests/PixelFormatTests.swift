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

  @Test(
    "say how many bytes a frame has in memory, the last one begun counted",
    arguments: [
      ("YUYV", 640, 480, 614_400), ("NV12", 640, 480, 460_800), ("Y10P", 3, 1, 4), ("Y10P", 4, 1, 5),
      ("MJPG", 640, 480, nil), ("YUYV", .max, .max, nil), ("GREY", .max, .max, nil),
      ("GREY", 1 << 31, 1 << 31, nil),
    ] as [(String, UInt32, UInt32, Int?)])
  func bytes(_ code: String, _ width: UInt32, _ height: UInt32, _ bytes: Int?) {
    #expect(PixelFormat(fourcc: code)?.bytesPerFrame(width: width, height: height) == bytes)
  }
}
