import Testing

@testable import StudioServer

@Suite("The devices that a studio lists")
struct StudioDevicesTests {
  @Test(
    "include simulated cameras and programs that it was started with, and always the default simulated one")
  func named() {
    let program = "exec:64x48@30:cat frames.mjpeg"
    let listed = StudioCamera.all(startedWith: ["sim:a", program, "sim:", "/dev/video9"])
    #expect(listed.suffix(3).map(\.id) == [program, "sim:a", "sim:"])
    #expect(listed.suffix(3).map(\.isSimulated) == [false, true, true])
    #expect(StudioCamera.all().last?.id == "sim:")
  }
}
