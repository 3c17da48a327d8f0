import FilmJudge
import Foundation
import Testing

@testable import ALSA

/// Names that are not to reach libasound.
private enum Names {
  /// Every way in which libasound's own parser takes more than a value.
  static let refused = [
    "", ":", "hw:", "hw:,", "hw:0,", ":0", "hw:CARD=", "hw:=0", "hw 0", " hw:0", "hw:0 ", "hw:0\n", "hw:0\0",
    "file:FILE='|id >/tmp/x',FORMAT=raw", "file:/tmp/x,raw", "tee:hw,/tmp/x,raw", "tee:'hw:0',x,raw",
    "plug:SLAVE='file:FILE=/tmp/x,FORMAT=raw'", "plug:\"hw:0\"", "hw:{card 0}", "{type hw card 0}",
    "plug:{SLAVE={type file file /tmp/x slave.pcm null format raw}}", "hw:0;id", "hw:$(id)", "hw:`id`",
    "hw:0|id", "hw:../x", "/tmp/x", "pcm.hw", "cards.pcm.default", "hw:<x>", "</tmp/x>", "@func", "hw:0#",
    "plug:SLAVE=hw:0", "bluealsa:DEV=00:11:22:AA:bb:c,PROFILE=sco", "bluealsa:DEV=00:11:22:AA:bb:cc:dd",
    "hw:\u{e9}", "h\u{e9}", String(repeating: "a", count: 257),
  ]

  /// Words that libasound knows, and that open other things than devices.
  static let others = [
    "file", "file:x", "file:FILE=x", "file:FILE=x,FORMAT=raw", "tee:null,x,raw",
    "tee:SLAVE=null,FILE=x,FORMAT=raw",
    "shm:x,null", "plug:file", "plug:SLAVE=tee", "plug:plug", "plug:pcm.file",
  ]
}

@Suite("Names that libasound is given")
struct PCMNameTests {
  @Test(
    "devices, sound servers, and what users define",
    arguments: [
      "default", "pulse", "pipewire", "null", "hw:0", "hw:1,0", "hw:1,0,3", "plughw:CARD=Mic,DEV=0,SUBDEV=1",
      "dsnoop:CARD=U0x46d0x825,DEV=0", "sysdefault:CARD=PCH", "front:CARD=PCH,DEV=0", "plug:my_mic", "my-mic",
      "pipewire:NODE=alsa_input.usb-Blue_Yeti-00.analog-stereo", "bluealsa:DEV=00:11:22:AA:bb:cc,PROFILE=sco",
    ])
  func passing(_ name: String) throws { #expect(try PCMName(name).text == name) }

  @Test("nothing that libasound would interpret", arguments: Names.refused)
  func refused(_ name: String) {
    #expect(throws: ALSAError.self) { try PCMName(name) }
    let error = #expect(throws: ALSAError.self) { try CapturePCM(name) }
    #expect(error?.code == .badName && error?.call == nil)
    #expect(error?.description.contains("Use a device such as hw:1,0") == true)
    #expect(error?.description.contains { $0.isNewline || $0 == "\0" } == false)
    #expect(!CapturePCM.isDefined(name))
  }

  @Test("that are words of letters alone open no plugin that is no device", arguments: Names.others)
  func plugins(_ name: String) {
    let error = #expect(throws: ALSAError.self) { try CapturePCM(name) }
    #expect([.badName, .noDevice].contains(error?.code), "\(error?.description ?? "")")
  }

  /// A user's own configuration, beside this machine's.
  private func open(_ name: String, _ definitions: String) throws {
    let folder = try TemporaryFolder()
    let text = "</usr/share/alsa/alsa.conf>\n" + definitions
    try Data(text.utf8).write(to: folder.url.appending(path: "asound.conf"))
    CapturePCM.beQuiet()
    let configuration = try PCMConfiguration(file: folder.path("asound.conf"))
    let name = try PCMName(name)
    let isDefined = configuration.defines(name)
    #expect(isDefined)
    try configuration.check(name)
    // What the checks let through is what is opened.
    for file in try folder.names where file != "asound.conf" { Issue.record("\(name.text) wrote \(file)") }
  }

  @Test(
    "of a user's own definitions pass where a device is at their end",
    arguments: [
      "pcm.mic { type null }", #"pcm.mic { type plug slave.pcm "null" }"#,
      #"pcm.mic "null""#, "pcm.mic { type hw card 7 }", "pcm.mic { type pulse }", "pcm.mic { type pipewire }",
      #"pcm.mic { type softvol slave { pcm { type hw card 7 } } control { name "x" card 0 } }"#,
      #"pcm_slave.s { pcm "null" rate 48000 } pcm.mic { type rate slave s }"#,
      #"pcm.mic { type multi slaves.a { pcm "null" channels 2 } bindings.0 { slave a channel 0 } }"#,
      #"pcm.mic { type asym capture.pcm "null" playback.pcm { type file slave.pcm null file "/x" } }"#,
      #"pcm.mic { @args [ CARD ] @args.CARD { type string default "7" } type hw card $CARD }"#,
      "pcm.mic { type dsnoop ipc_key 77 slave { pcm { type hw card 7 } } }",
    ])
  func definitions(_ text: String) throws { try open("mic", text) }

  @Test(
    "of a user's own definitions are refused where a file, a command or nothing is at their end",
    arguments: [
      #"pcm.mic { type file slave.pcm "null" file "|touch x" format raw }"#,
      #"pcm.mic "file:FILE=x,FORMAT=raw""#, #"pcm.mic "tee:'null','x',raw""#,
      #"pcm.mic { type plug slave.pcm "file:FILE='x',FORMAT=raw" }"#,
      #"pcm.mic { type plug slave.pcm { type file slave.pcm "null" file "x" } }"#,
      #"pcm_slave.s { pcm { type file slave.pcm "null" file "x" } } pcm.mic { type rate slave s }"#,
      #"pcm.mic { type multi slaves.a { pcm { type file slave.pcm "null" file "x" } channels 2 } }"#,
      #"pcm.mic { type asym capture.pcm { type file slave.pcm "null" file "x" } }"#,
      #"pcm.mic { type shm server "x" pcm "y" }"#, "pcm.mic { type my_own }", "pcm.mic { }",
      #"pcm.mic "mic""#, #"pcm.mic { type plug slave.pcm "mic" }"#,
    ])
  func hostile(_ text: String) {
    let error = #expect(throws: ALSAError.self) { try open("mic", text) }
    #expect([.badName, .noDevice].contains(error?.code), "\(error?.description ?? "")")
  }

  @Test("of the plugins that ALSA itself defines pass, each to its device")
  func shipped() throws {
    for name in ["hw:7", "plughw:CARD=7,DEV=0", "dsnoop:7", "plug:null", "null"] {
      CapturePCM.beQuiet()
      let name = try PCMName(name)
      do { try PCMConfiguration(for: name.text).check(name) } catch {
        // A card that is not there cannot be asked what it is called.
        #expect(error.code == .noDevice, "\(error)")
      }
    }
  }
}
