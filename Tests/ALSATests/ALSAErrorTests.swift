import SystemPackage
import Testing

@testable import ALSA

@Suite("What libasound's answers mean")
struct ALSAErrorTests {
  @Test(
    "to an opening",
    arguments: [
      (Errno.noSuchFileOrDirectory, ALSAError.Code.noDevice), (.noSuchAddressOrDevice, .noDevice),
      (.operationNotSupportedByDevice, .noDevice), (.invalidArgument, .noDevice),
      (.permissionDenied, .noPermission), (.notPermitted, .noPermission), (.resourceBusy, .busy),
      (.connectionRefused, .failed), (.ioError, .failed),
    ])
  func opening(_ errno: Errno, _ code: ALSAError.Code) {
    let error = ALSAError.open("hw:7,0", errno)
    #expect(error.code == code)
    #expect(error.description.hasPrefix("hw:7,0: snd_pcm_open failed: "))
    #expect(error.description.contains("(errno \(errno.rawValue))"))
  }

  @Test("to a device that is open")
  func open() {
    #expect(ALSAError.call("snd_pcm_readi", on: "hw:0", .operationNotSupportedByDevice).code == .disconnected)
    #expect(ALSAError.call("snd_pcm_readi", on: "hw:0", .badFileDescriptor).code == .disconnected)
    #expect(ALSAError.call("snd_pcm_start", on: "hw:0", .ioError).code == .failed)
  }

  @Test("a device that is not there cannot be opened")
  func missing() {
    let error = #expect(throws: ALSAError.self) { try CapturePCM("hw:31,9") }
    #expect(error?.code == .noDevice)
    #expect(throws: ALSAError.self) { try CapturePCM("nonsense:of,a,kind") }
  }

  @Test("libasound's own device of nothing is no microphone", arguments: ["null", "plug:null"])
  func nothing(_ name: String) {
    let error = #expect(throws: ALSAError.self) { try CapturePCM(name) }
    #expect(error?.code == .badName && error?.call == nil)
    #expect(!CapturePCM.leadsToDevice(name))
  }

  @Test("a mixer that is not there has no switches")
  func noMixer() { #expect(CaptureSwitch.all(ofCard: 31).isEmpty) }
}
