import CameraModel
import Testing
import Timebase

@testable import OvercrankCLI

@Suite("A camera that records with others")
struct FurtherCameraTests {
  @Test("has its name and its own wishes, in any order")
  func wishes() throws {
    let camera = try FurtherCamera(text: "usb:3,fps=120,size=720p,format=mjpeg")
    #expect(camera.name == "usb:3" && camera.rate == .rate(FrameRate(whole: 120)))
    #expect(camera.quality == .rows(720) && camera.format != nil)
    let simulated = try FurtherCamera(text: "sim:small.json,fps=max,drop=2%,clock=virtual")
    #expect(simulated.name == "sim:small.json,drop=2%,clock=virtual" && simulated.rate == .highest)
    let plain = try FurtherCamera(text: "2")
    #expect(plain.name == "2" && plain.rate == nil && plain.quality == nil && plain.format == nil)
  }

  @Test("needs a name", arguments: ["", "fps=120", "size=720p,fps=120"])
  func nameless(_ text: String) {
    #expect(throws: QuantityError.self) { try FurtherCamera(text: text) }
  }
}
