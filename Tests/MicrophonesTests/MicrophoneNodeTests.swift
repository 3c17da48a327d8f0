import FrameJudge
import Foundation
import Microphones
import Platform
import SystemPackage
import Testing

@Suite("The microphones of a machine")
struct MicrophoneNodeTests {
  /// Returns a machine with an onboard card and a USB microphone.
  private func machine() throws -> (TemporaryFolder, SystemFolder) {
    let root = try TemporaryFolder()
    func write(_ path: String, _ text: String) throws {
      let path = root.path(path)
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try text.write(toFile: path, atomically: true, encoding: .utf8)
    }
    try write(
      "proc/asound/cards",
      """
       0 [PCH            ]: HDA-Intel - HDA Intel PCH
                            HDA Intel PCH at 0xf7e30000 irq 33
       1 [Microphone     ]: USB-Audio - Yeti Stereo Microphone
                            Blue Microphones Yeti at usb-0000:00:14.0-2, high speed

      """)
    try write(
      "proc/asound/pcm",
      """
      00-00: ALC269VC Analog : ALC269VC Analog : playback 1 : capture 1
      00-03: HDMI 0 : HDMI 0 : playback 1
      01-00: USB Audio : USB Audio : capture 1

      """)
    try write("proc/asound/card0/pcm0c/sub0/status", "closed\n")
    try write(
      "proc/asound/card1/pcm0c/sub0/status", "state: RUNNING\nowner_pid   : 4711\ntrigger_time: 1.2\n")
    try write("dev/snd/pcmC0D0c", "")
    return (root, SystemFolder(root: FilePath(root.url.path)))
  }

  @Test("are listed with the process that uses them")
  func all() throws {
    let (root, system) = try machine()
    let nodes = MicrophoneNode.all(in: system)
    #expect(nodes.map(\.name) == ["hw:0,0", "hw:1,0"])
    let board = try #require(nodes.first)
    let usb = try #require(nodes.last)
    #expect((board.id, board.driver, board.cardName) == ("PCH", "HDA-Intel", "HDA Intel PCH"))
    #expect(board.longName == "HDA Intel PCH at 0xf7e30000 irq 33")
    #expect(board.isPermitted && !board.isBusy && board.holder == nil)
    #expect(usb.cardName == "Yeti Stereo Microphone")
    #expect(usb.isBusy && usb.holder == 4711 && !usb.isPermitted)
    withExtendedLifetime(root) {}
  }

  @Test("are found by any part of their names")
  func parts() throws {
    let (root, system) = try machine()
    #expect(try ALSAMicrophone(card: "usb", in: system).name == "hw:1,0")
    #expect(try ALSAMicrophone(card: "yeti", in: system).name == "hw:1,0")
    #expect(try ALSAMicrophone(card: "pch", in: system).name == "hw:0,0")
    let error = #expect(throws: OvercrankError.self) { try ALSAMicrophone(card: "rode", in: system) }
    #expect(error?.code == .noMicrophone)
    #expect(
      error?.description
        == "No microphone's name contains \"rode\". The microphones are: hw:0,0 (HDA Intel PCH), hw:1,0 (Yeti Stereo Microphone)."
    )
    withExtendedLifetime(root) {}
  }

  @Test("are none if it has no audio")
  func none() throws {
    let root = try TemporaryFolder()
    #expect(MicrophoneNode.all(in: SystemFolder(root: FilePath(root.url.path))).isEmpty)
  }
}
