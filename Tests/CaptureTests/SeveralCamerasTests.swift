import Platform
import Cameras
import Testing

@testable import Capture

@Suite("A list of cameras")
struct SeveralCamerasTests {
  @Test("gives the first that exists, and the reasons for skipping those before it")
  func first() throws {
    let (name, missing) = try CaptureDevice.first(of: [
      "/dev/video987", "no-such-camera", "sim:", "sim:imx708",
    ])
    #expect(name == "sim:")
    #expect(missing.map(\.code) == [.noCamera, .noCamera])
    #expect(missing.first?.description.contains("/dev/video987") == true)
  }

  @Test("gives an error that names each camera if none exists")
  func none() {
    let error = #expect(throws: OvercrankError.self) {
      _ = try CaptureDevice.first(of: ["/dev/video987", "sim:no-such-table"])
    }
    #expect(error?.code == .noCamera)
    #expect(error?.description.contains("/dev/video987: ") == true)
    #expect(error?.description.contains("sim:no-such-table: ") == true)
  }

  @Test("is refused for a malformed name, whatever comes after it")
  func mistake() {
    let error = #expect(throws: OvercrankError.self) {
      _ = try CaptureDevice.first(of: ["sim:,drip=1", "sim:"])
    }
    #expect(error?.code == .badName)
  }
}
