import SystemPackage
import Testing

@testable import ALSA

@Suite("Errors from libasound")
struct ALSAErrorTests {
  @Test(
    "have a code for each errno of a failed opening",
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

  @Test("have a code for each errno of a device that is already open")
  func open() {
    #expect(ALSAError.call("snd_pcm_readi", on: "hw:0", .operationNotSupportedByDevice).code == .disconnected)
    #expect(ALSAError.call("snd_pcm_readi", on: "hw:0", .badFileDescriptor).code == .disconnected)
    #expect(ALSAError.call("snd_pcm_start", on: "hw:0", .ioError).code == .failed)
  }

  @Test("are thrown when a device that does not exist is opened")
  func missing() {
    let error = #expect(throws: ALSAError.self) { try CapturePCM("hw:31,9") }
    #expect(error?.code == .noDevice)
    #expect(throws: ALSAError.self) { try CapturePCM("nonsense:of,a,kind") }
  }

  @Test(
    "are thrown when libasound's null device is opened as a microphone", arguments: ["null", "plug:null"])
  func nothing(_ name: String) {
    let error = #expect(throws: ALSAError.self) { try CapturePCM(name) }
    #expect(error?.code == .badName && error?.call == nil)
    #expect(!CapturePCM.leadsToDevice(name))
  }

  @Test("a card that does not exist has no capture switches")
  func noMixer() { #expect(CaptureSwitch.all(ofCard: 31).isEmpty) }
}
