import CameraModel
import Testing

@testable import V4L2

@Suite("A format from a driver")
struct FormatBorderTests {
  @Test(
    "is refused if no frame can be so large or empty",
    arguments: [(0, 480), (640, 0), (.max, 480), (640, .max), (1 << 20 + 1, 1)] as [(UInt32, UInt32)])
  func impossible(_ width: UInt32, _ height: UInt32) throws {
    let format = CaptureFormat(.yuyv, size: Dimensions(width: width, height: height))
    let error = #expect(throws: V4L2Error.self) { try format.check(on: "/dev/video7") }
    #expect(error?.code == .failed)
    #expect("\(try #require(error))".contains("/dev/video7"))
    #expect("\(try #require(error))".contains("\(width)x\(height)"))
  }

  @Test("is accepted up to a million pixels a side")
  func possible() throws {
    try CaptureFormat(.yuyv, size: Dimensions(width: 1 << 20, height: 1)).check(on: "/dev/video7")
    try CaptureFormat(.mjpeg, size: Dimensions(width: 1, height: 1 << 20)).check(on: "/dev/video7")
  }
}
