import CameraModel
import Testing
import Timebase

@testable import Cameras

@Suite("A program as a camera")
struct ProgramCameraTests {
  @Test(
    "has the mode that its name states, and the rest is its command",
    arguments: [
      ("exec:1280x720@240:cat a", "1280x720 MJPG 240", "cat a"),
      ("exec:640x480@30000/1001 YUYV:dd if=a:b | cat", "640x480 YUYV 30000/1001", "dd if=a:b | cat"),
      ("exec:64x48@15 mjpeg:x,fps=7", "64x48 MJPG 15", "x,fps=7"),
    ])
  func reads(_ name: String, _ mode: String, _ command: String) throws {
    let camera = try ProgramCamera(name: name)
    #expect(camera.command == command && camera.name == name)
    let rate = try #require(camera.mode.rate)
    #expect(
      "\(camera.mode.width)x\(camera.mode.height) \(camera.mode.fourcc) \(rate.exactDescription)" == mode)
    #expect(camera.table.rows.count == 1 && camera.table.rows.first?.intervals == [camera.mode.interval])
  }

  @Test(
    "needs a size, a rate, a format that can be shown, and a command",
    arguments: [
      "exec:", "exec:cat a", "exec:1280x720:cat a", "exec:720p@240:cat a", "exec:1280x720@0:cat a",
      "exec:1280x720@240:", "exec:1280x720@240: ", "exec:1280x720@240 H264:cat a",
      "exec:640x480@240 S910:cat a",
      "exec:1280x720@240 raw:cat a",
      "exec:99999x9@240:cat a", "exec:16384x16384@1 RGB4:cat a", "sim:",
    ])
  func refused(_ name: String) { #expect(throws: QuantityError.self) { try ProgramCamera(name: name) } }
}
