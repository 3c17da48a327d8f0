import Platform
import Cameras
import Testing

@testable import Capture

/// Only the shipped profiles, whatever the user's own folder holds.
private let shipped = ProfileLibrary(userFolder: "/no/such/folder")

@Suite("The name of a simulated camera")
struct SimulatedNameTests {
  @Test("is refused if unknown, and the error suggests similar ones")
  func near() {
    #expect(shipped.ids(near: "imx217").contains("imx219"))
    #expect(shipped.ids(near: "c922") == ["logitech-c922"])
    #expect(shipped.ids(near: "no-such-camera-at-all") == [])
    let error = #expect(throws: OvercrankError.self) {
      try CaptureDevice(named: "sim:imx777", profiles: shipped)
    }
    #expect(error?.code == .noCamera)
    #expect(error?.description.contains("sim:imx477") == true)
  }
}
