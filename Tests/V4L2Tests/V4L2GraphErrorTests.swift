import SystemPackage
import Testing

@testable import V4L2

@Suite("Each errno of a media graph has its meaning")
struct V4L2GraphErrorTests {
  @Test(
    "for a sub-device's pad",
    arguments: [
      ("VIDIOC_SUBDEV_S_FMT", Errno.resourceBusy, V4L2Error.Code.busy, "stop the program that streams"),
      ("VIDIOC_SUBDEV_S_FMT", .invalidArgument, .unsupported, "Pad 3 has no such format"),
      ("VIDIOC_SUBDEV_S_SELECTION", .invalidArgument, .unsupported, "no such rectangle"),
      ("VIDIOC_SUBDEV_S_SELECTION", .outOfRange, .unsupported, "no rectangle"),
      ("VIDIOC_SUBDEV_S_FRAME_INTERVAL", .inappropriateIOCTLForDevice, .unsupported, "no interval"),
      ("VIDIOC_SUBDEV_S_FMT", .notPermitted, .noPermission, "read-only"),
      ("VIDIOC_SUBDEV_S_FMT", .operationNotSupportedByDevice, .disconnected, "unplugged"),
    ])
  func pad(_ call: String, _ errno: Errno, _ code: V4L2Error.Code, _ words: String) {
    let error = V4L2Error.pad(3, call, on: "/dev/v4l-subdev7", errno)
    #expect(error.code == code)
    #expect(error.errno == errno)
    #expect(error.description.hasPrefix("/dev/v4l-subdev7: \(call) failed: "))
    #expect(error.description.contains(words))
  }

  @Test(
    "for a link",
    arguments: [
      (Errno.resourceBusy, V4L2Error.Code.busy, "conflicts with it"),
      (.invalidArgument, .unsupported, "immutable"),
      (.inappropriateIOCTLForDevice, .unsupported, "no links"),
      (.operationNotSupportedByDevice, .disconnected, "unplugged"),
    ])
  func link(_ errno: Errno, _ code: V4L2Error.Code, _ words: String) {
    let error = V4L2Error.link(on: "/dev/media7", errno)
    #expect(error.code == code)
    #expect(error.description.contains("MEDIA_IOC_SETUP_LINK failed"))
    #expect(error.description.contains(words))
  }
}
