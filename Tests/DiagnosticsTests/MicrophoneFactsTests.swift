import ALSA
import FrameJudge
import Foundation
import Microphones
import Platform
import SystemPackage
import Testing

@testable import Diagnostics

@Suite("The doctor's check of microphones")
struct MicrophoneFactsTests {
  private func node(_ status: String, exists: Bool = true) throws -> MicrophoneNode {
    var files = [
      "proc/asound/cards": " 3 [Mic            ]: USB-Audio - Mic\n                      Mic at usb",
      "proc/asound/pcm": "03-00: USB Audio : USB Audio : capture 1",
      "proc/asound/card3/pcm0c/sub0/status": status,
    ]
    if exists { files["dev/snd/pcmC3D0c"] = "" }
    let folder = try TemporaryFolder(files: files)
    return try withExtendedLifetime(folder) {
      try #require(MicrophoneNode.all(in: SystemFolder(root: FilePath(folder.url.path))).first)
    }
  }

  private func words(_ node: MicrophoneNode, _ switches: CaptureSwitch...) -> String {
    switch MicrophoneFacts.verdict(node, switches) {
    case .fine(let words): words
    case .finding(let finding): "\(finding.what) \(finding.remedy)"
    case .unknown(let words): words
    }
  }

  @Test("finds one that is muted, busy or not permitted")
  func all() throws {
    let free = try node("closed")
    #expect(words(free) == "The microphone hw:3,0 (Mic) can be recorded.")
    #expect(
      words(try node("closed", exists: false))
        == "This user may not open the microphone hw:3,0 (Mic). Join the group that may: sudo usermod -aG audio $USER, then log in again."
    )
    #expect(
      words(try node("state: RUNNING\nowner_pid   : 77")).hasPrefix(
        "The microphone hw:3,0 (Mic) is in use by process 77."))
    let (on, off) = (
      CaptureSwitch(name: "Mic", isOff: false, volume: 0.5),
      CaptureSwitch(name: "Mic", isOff: true, volume: 0.5)
    )
    let capture = CaptureSwitch(name: "Capture", isOff: false, volume: 0)
    #expect(words(free, on).hasSuffix("can be recorded."))
    #expect(
      words(free, off)
        == "The microphone hw:3,0 (Mic) is muted: \"Mic\" is off. amixer -c 3 set 'Mic' 75% cap")
    #expect(words(free, on, capture).contains("\"Capture\" is at 0."))
    // If only one of several inputs is off, the user has chosen that.
    #expect(
      words(free, on, CaptureSwitch(name: "Line", isOff: true, volume: nil)).hasSuffix("can be recorded."))
  }
}
