import Microphones
import Testing
import Timebase

@Suite("Names of microphones")
struct MicrophoneNameTests {
  @Test("can be listed even if they contain commas")
  func lists() throws {
    #expect(
      try MicrophoneName.list(text: "usb,default,none") == [.card("usb"), .device("default"), .none])
    #expect(
      try MicrophoneName.list(text: "hw:1,0,default") == [.device("hw:1,0"), .device("default")])
    #expect(
      try MicrophoneName.list(text: "plughw:CARD=Mic,DEV=0,1,none")
        == [.device("plughw:CARD=Mic,DEV=0,1"), .none])
    #expect(
      try MicrophoneName.list(text: "sim:,drift=500ppm,late=20ms,none")
        == [.simulated("sim:,drift=500ppm,late=20ms"), .none])
    #expect(try MicrophoneName.list(text: "sim:") == [.simulated("sim:")])
  }

  @Test(
    "must not be empty, and none may follow one that always exists",
    arguments: [
      "", ",", "usb,", "none,usb", "sim:,,none", "sim:,%n%s", "sim:,drift,none", "usb,sim:,default",
    ])
  func refused(_ text: String) {
    #expect(throws: QuantityError.self) { try MicrophoneName.list(text: text) }
  }
}
