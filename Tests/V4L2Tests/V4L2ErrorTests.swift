import SystemPackage
import Testing

@testable import V4L2

@Suite("Each errno has its meaning here")
struct V4L2ErrorTests {
  @Test(
    "for open",
    arguments: [
      (Errno.noSuchFileOrDirectory, V4L2Error.Code.noDevice, "no such device"),
      (.permissionDenied, .noPermission, "usermod -aG video"),
      (.resourceBusy, .busy, "fuser -v /dev/video9"),
      (.isDirectory, .notVideo, "directory"),
      (.tooManyOpenFiles, .failed, "ulimit"),
      (.noSuchAddressOrDevice, .noDevice, "unplugged"),
    ])
  func open(_ errno: Errno, _ code: V4L2Error.Code, _ words: String) {
    let error = V4L2Error.open("/dev/video9", errno)
    #expect(error.code == code)
    #expect(error.description.hasPrefix("/dev/video9: open failed: "))
    #expect(error.description.contains("errno \(errno.rawValue)"))
    #expect(error.description.contains(words))
  }

  @Test(
    "for ioctls",
    arguments: [
      ("VIDIOC_STREAMON", Errno.noSpace, V4L2Error.Code.bandwidth, "USB"),
      ("VIDIOC_STREAMON", .resourceBusy, .busy, "fuser"),
      ("VIDIOC_DQBUF", .operationNotSupportedByDevice, .disconnected, "unplugged"),
      ("VIDIOC_DQBUF", .ioError, .failed, "driver"),
      ("VIDIOC_REQBUFS", .invalidArgument, .unsupported, "memory-mapped"),
      ("VIDIOC_STREAMON", .invalidArgument, .unsupported, "choose another"),
      ("VIDIOC_QBUF", .ioError, .failed, "gave up on the stream"),
      ("VIDIOC_QBUF", .invalidArgument, .failed, "buffers"),
      ("VIDIOC_REQBUFS", .noMemory, .outOfMemory, "memory"),
      ("VIDIOC_S_FMT", .invalidArgument, .unsupported, "driver"),
      ("VIDIOC_S_FMT", .resourceBusy, .busy, "fuser"),
      ("VIDIOC_S_SELECTION", .resourceBusy, .busy, "stop the stream"),
      ("VIDIOC_S_INPUT", .resourceBusy, .busy, "stop the stream"),
      ("VIDIOC_S_SELECTION", .outOfRange, .unsupported, "flags"),
      ("VIDIOC_SUBSCRIBE_EVENT", .invalidArgument, .unsupported, "events"),
      ("VIDIOC_DQEVENT", .inappropriateIOCTLForDevice, .unsupported, "no events"),
      ("VIDIOC_S_PRIORITY", .inappropriateIOCTLForDevice, .unsupported, "no priorities"),
    ])
  func call(_ call: String, _ errno: Errno, _ code: V4L2Error.Code, _ words: String) {
    let error = V4L2Error.call(call, on: "/dev/video9", errno)
    #expect(error.code == code)
    #expect(error.description.contains(call))
    #expect(error.description.contains(words))
  }

  /// All errors that can be returned, to see every text.
  private static let errnos = (1...133).map { Errno(rawValue: $0) }
  private static let calls = [
    "VIDIOC_STREAMON", "VIDIOC_QBUF", "VIDIOC_DQBUF", "VIDIOC_REQBUFS", "VIDIOC_S_FMT", "VIDIOC_S_EXT_CTRLS",
    "VIDIOC_S_SELECTION", "VIDIOC_S_INPUT", "VIDIOC_SUBSCRIBE_EVENT", "VIDIOC_S_PRIORITY",
  ]

  @Test("without naming options or a program")
  func noOptions() {
    let errors =
      Self.errnos.map { V4L2Error.open("/dev/video9", $0) }
      + Self.calls.flatMap { call in Self.errnos.map { V4L2Error.call(call, on: "/dev/video9", $0) } }
    for error in errors {
      #expect(!error.meaning.contains(" --"), "\(error)")
      #expect(!error.meaning.contains("overcrank"), "\(error)")
    }
  }

  @Test("and a full USB bus is not called a full disk")
  func noSpace() {
    let error = V4L2Error.call("VIDIOC_STREAMON", on: "/dev/video0", .noSpace)
    #expect(error.meaning.contains("no disk is full"))
  }

  @Test("and a missing path, a directory and a file are distinguished")
  func notCameras() {
    for (path, code) in [
      ("/dev/video987", V4L2Error.Code.noDevice), ("/tmp", .notVideo), ("/dev/null", .notVideo),
    ] {
      do throws(V4L2Error) {
        _ = try Device(path: FilePath(path))
        Issue.record("\(path) was opened as a camera")
      } catch {
        #expect(error.code == code)
        #expect(error.device == FilePath(path))
      }
    }
  }
}
