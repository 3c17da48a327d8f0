import FrameJudge
import Foundation
import Glibc
import SystemPackage
import Testing

@testable import ALSA

/// Names that must not reach libasound.
private enum Names {
  /// Every way in which libasound's own parser accepts more than a value.
  static let refused = [
    "", ":", "hw:", "hw:,", "hw:0,", ":0", "hw:CARD=", "hw:=0", "hw 0", " hw:0", "hw:0 ", "hw:0\n", "hw:0\0",
    "file:FILE='|id >/tmp/x',FORMAT=raw", "file:/tmp/x,raw", "tee:hw,/tmp/x,raw", "tee:'hw:0',x,raw",
    "plug:SLAVE='file:FILE=/tmp/x,FORMAT=raw'", "plug:\"hw:0\"", "hw:{card 0}", "{type hw card 0}",
    "plug:{SLAVE={type file file /tmp/x slave.pcm null format raw}}", "hw:0;id", "hw:$(id)", "hw:`id`",
    "hw:0|id", "hw:../x", "/tmp/x", "pcm.hw", "cards.pcm.default", "hw:<x>", "</tmp/x>", "@func", "hw:0#",
    "plug:SLAVE=hw:0", "bluealsa:DEV=00:11:22:AA:bb:c,PROFILE=sco", "bluealsa:DEV=00:11:22:AA:bb:cc:dd",
    "hw:\u{e9}", "h\u{e9}", String(repeating: "a", count: 257),
  ]

  /// Words that libasound knows, and that open something other than a device.
  static let others = [
    "file", "file:x", "file:FILE=x", "file:FILE=x,FORMAT=raw", "tee:null,x,raw",
    "tee:SLAVE=null,FILE=x,FORMAT=raw",
    "shm:x,null", "plug:file", "plug:SLAVE=tee", "plug:plug", "plug:pcm.file",
  ]
}

/// Definitions of `mic` with which libasound, unchecked, would load `FOLDER/code.so` or read `FOLDER/x.conf`.
private enum ForeignDefinitions {
  /// Definitions that are refused because of it.
  static let refused = [
    #"pcm_type.hw { open "_snd_pcm_file_open" } pcm.mic { type hw slave.pcm { type null } file "|touch x" format raw }"#,
    #"pcm_type.hw { lib "FOLDER/code.so" open "o" } pcm.mic { type hw card 7 }"#,
    #"pcm_type.hw "file" pcm.mic { type plug slave.pcm { type hw card 7 } }"#,
    #"pcm_type.null { lib "FOLDER/code.so" open "o" } pcm.mic { type null }"#,
    #"pcm_hook_type.zz { lib "FOLDER/code.so" install "i" } pcm.mic { type hooks slave.pcm { type hw card 7 } hooks.0 { type zz } }"#,
    #"pcm_hook.zz { type ctl_elems } pcm.mic { type hooks slave.pcm { type hw card 7 } hooks.0 "zz" }"#,
    #"func.evil { lib "FOLDER/code.so" func "f" } pcm.mic { type hw card { @func evil } }"#,
    #"func.evil { lib "FOLDER/code.so" func "f" } pcm.mic { type plug slave.pcm { @func evil } }"#,
    #"func.evil { lib "FOLDER/code.so" func "f" } pcm.mic { @args [ X ] @args.X { type string default { @func evil } } type hw card $X }"#,
    #"pcm.mic { type ladspa slave.pcm { type hw card 7 } plugins [ { filename "FOLDER/code.so" label "x" } ] }"#,
    #"pcm.mic { type rate converter "x/FOLDER/code" slave.pcm { type hw card 7 } }"#,
    #"pcm.mic { type plug rate_converter [ "x/FOLDER/code" ] slave.pcm { type hw card 7 } }"#,
    #"defaults.pcm.rate_converter "x/FOLDER/code" pcm.mic { type plug slave.pcm { type hw card 7 } }"#,
  ]

  /// Definitions that are harmless once the hooks and files are left out.
  static let harmless = [
    #"hook_func.evil { lib "FOLDER/code.so" func "f" } @hooks [ { func evil } ] pcm.mic { type hw card 7 }"#,
    #"hook_func.load { lib "FOLDER/code.so" func "f" } @hooks [ { func load files [ "x" ] } ] pcm.mic { type hw card 7 }"#,
    #"hook_func.evil { lib "FOLDER/code.so" func "f" } pcm.mic { @hooks [ { func evil } ] type hw card 7 }"#,
    #"cards.hook_func.evil { lib "FOLDER/code.so" func "f" } cards.@hooks.7 { func evil } pcm.mic { type hw card 7 }"#,
    #"pcm.hook_func.evil { lib "FOLDER/code.so" func "f" } pcm.@hooks [ { func evil } ] pcm.mic { type hw card 7 }"#,
    #"pcm.mic { @hooks [ { func load files [ "FOLDER/x.conf" ] } ] type hw card 7 }"#,
    #"pcm.mic { @func refer file "FOLDER/x.conf" name "pcm.x" }"#,
    #"cards.@hooks.7 { func load files [ { @func refer file "FOLDER/x.conf" name "pcm.x" } ] } pcm.mic { type hw card 7 }"#,
    #"func.evil { lib "FOLDER/code.so" func "f" } pcm.mic "plug:{SLAVE={@func evil}}""#,
    #"func.evil { lib "FOLDER/code.so" func "f" } pcm.mic { type plug slave.pcm "plug:{SLAVE={@func evil}}" }"#,
    #"func.concat { lib "FOLDER/code.so" func "f" } pcm.mic { type hw card { @func concat strings [ "7" ] } }"#,
    #"func "elsewhere" elsewhere.concat { lib "FOLDER/code.so" func "f" } pcm.mic { type hw card { @func concat strings [ "7" ] } }"#,
    #"ctl_type.hw { lib "FOLDER/code.so" open "o" } pcm.mic { type hw card { @func card_inum card 7 } }"#,
  ]
}

/// The files of a folder that any program opens from now on.
private final class OpenedFiles {
  private let descriptor: Int32

  init(in folder: String) throws {
    descriptor = inotify_init1(Int32(IN_NONBLOCK))
    guard descriptor >= 0, inotify_add_watch(descriptor, folder, UInt32(IN_OPEN)) >= 0 else {
      throw Errno(rawValue: errno)
    }
  }

  deinit { close(descriptor) }

  /// The names of the files opened since the last call.
  var names: Set<String> {
    var bytes = [UInt8](repeating: 0, count: 1 << 14)
    let count = max(0, read(descriptor, &bytes, bytes.count))
    var names: Set<String> = []
    var place = 0
    while place + 16 <= count {
      let length = bytes.withUnsafeBytes {
        Int($0.loadUnaligned(fromByteOffset: place + 12, as: UInt32.self))
      }
      let name = bytes[place + 16..<place + 16 + length].prefix { $0 != 0 }
      if !name.isEmpty { names.insert(String(decoding: name, as: UTF8.self)) }
      place += 16 + length
    }
    return names
  }
}

@Suite("Names of ALSA devices")
struct PCMNameTests {
  @Test(
    "are accepted for devices, sound servers, and users' own definitions",
    arguments: [
      "default", "pulse", "pipewire", "hw:0", "hw:1,0", "hw:1,0,3", "plughw:CARD=Mic,DEV=0,SUBDEV=1",
      "dsnoop:CARD=U0x46d0x825,DEV=0", "sysdefault:CARD=PCH", "front:CARD=PCH,DEV=0", "plug:my_mic", "my-mic",
      "pipewire:NODE=alsa_input.usb-Blue_Yeti-00.analog-stereo", "bluealsa:DEV=00:11:22:AA:bb:cc,PROFILE=sco",
    ])
  func passing(_ name: String) throws { #expect(try PCMName(name).text == name) }

  @Test("are refused where libasound would interpret them", arguments: Names.refused)
  func refused(_ name: String) {
    #expect(throws: ALSAError.self) { try PCMName(name) }
    let error = #expect(throws: ALSAError.self) { try CapturePCM(name) }
    #expect(error?.code == .badName && error?.call == nil)
    #expect(error?.description.contains("Use a device such as hw:1,0") == true)
    #expect(error?.description.contains { $0.isNewline || $0 == "\0" } == false)
    #expect(!CapturePCM.isDefined(name))
  }

  @Test("open no plugin that is not a device, even if plain words", arguments: Names.others)
  func plugins(_ name: String) {
    let error = #expect(throws: ALSAError.self) { try CapturePCM(name) }
    #expect([.badName, .noDevice].contains(error?.code), "\(error?.description ?? "")")
  }

  /// The configuration of this machine plus a user's, in which `FOLDER` is replaced by `folder`.
  private func configuration(
    _ definitions: String, in folder: TemporaryFolder
  ) throws -> PCMConfiguration {
    let home = try TemporaryFolder()
    // This is how ~/.asoundrc is read: by a hook of ALSA's own. Its own hooks run only at a lookup.
    let head = "</usr/share/alsa/alsa.conf>\n@hooks.1 { func load files [ \"\(home.path("asoundrc"))\" ] }\n"
    try Data(head.utf8).write(to: home.url.appending(path: "alsa.conf"))
    try write(definitions, to: home, "asoundrc", folder)
    CapturePCM.beQuiet()
    return try PCMConfiguration(file: home.path("alsa.conf"))
  }

  private func write(
    _ text: String, to folder: TemporaryFolder, _ name: String, _ named: TemporaryFolder
  ) throws {
    try Data(text.replacing("FOLDER", with: named.url.path).utf8).write(to: folder.url.appending(path: name))
  }

  private func check(_ definitions: String) throws {
    let folder = try TemporaryFolder()
    let configuration = try configuration(definitions, in: folder)
    let name = try PCMName("mic")
    let isDefined = configuration.defines(name)
    #expect(isDefined)
    try configuration.check(name)
    // The checked definition is the one that is opened.
    for file in try folder.names { Issue.record("\(name.text) wrote \(file)") }
  }

  @Test(
    "that a user defines are accepted if they lead to a device",
    arguments: [
      "pcm.mic { type hw card 7 }", #"pcm.mic { type plug slave.pcm { type hw card 7 } }"#,
      #"pcm.dev { type hw card 7 } pcm.mic "dev""#, "pcm.mic { type pulse }", "pcm.mic { type pipewire }",
      #"pcm.mic { type softvol slave { pcm { type hw card 7 } } control { name "x" card 0 } }"#,
      #"pcm_slave.s { pcm { type hw card 7 } rate 48000 } pcm.mic { type rate slave s }"#,
      #"pcm.mic { type rate converter [ "speexrate" "linear" ] slave.pcm { type hw card 7 } }"#,
      #"pcm.mic { type multi slaves.a { pcm { type hw card 7 } channels 2 } bindings.0 { slave a channel 0 } }"#,
      #"pcm.mic { type asym capture.pcm { type hw card 7 } playback.pcm { type file slave.pcm null file "/x" } }"#,
      #"pcm.mic { @args [ CARD ] @args.CARD { type string default "7" } type hw card $CARD }"#,
      "pcm.mic { type dsnoop ipc_key 77 slave { pcm { type hw card 7 } } }",
      "pcm.mic { type hooks slave.pcm { type hw card 7 } hooks.0 { type ctl_elems hook_args [ ] } }",
    ])
  func definitions(_ text: String) throws { try check(text) }

  @Test(
    "that a user defines are refused if they lead to a file, a command, other code or nothing",
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
      "pcm.mic { type null }", #"pcm.mic "null""#, #"pcm.mic { type plug slave.pcm "null" }"#,
      #"pcm.mic { type asym playback.pcm { type hw card 7 } }"#,
      #"pcm.mic { type share slave.pcm "hw:7" }"#,
    ] + ForeignDefinitions.refused)
  func hostile(_ text: String) {
    let error = #expect(throws: ALSAError.self) { try check(text) }
    #expect([.badName, .noDevice].contains(error?.code), "\(error?.description ?? "")")
  }

  @Test(
    "are refused if a definition changes the meaning of a type or a function",
    arguments: ForeignDefinitions.refused)
  func redefined(_ text: String) {
    let error = #expect(throws: ALSAError.self) { try check(text) }
    #expect(error?.code == .badName, "\(error?.description ?? "")")
  }

  @Test(
    "load no library and read no other file when they are checked or opened",
    arguments: ForeignDefinitions.refused + ForeignDefinitions.harmless)
  func foreignCode(_ text: String) throws {
    let folder = try TemporaryFolder()
    try write("", to: folder, "code.so", folder)
    try write(
      #"func.late { lib "FOLDER/code.so" func "f" } pcm.x { type hw card { @func late } }"#, to: folder,
      "x.conf",
      folder)
    let opened = try OpenedFiles(in: folder.url.path)
    let configuration = try configuration(text, in: folder)
    let error = #expect(throws: ALSAError.self) { _ = try configuration.open(try PCMName("mic")) }
    #expect([.badName, .noDevice].contains(error?.code), "\(error?.description ?? "")")
    #expect(opened.names == [])
    // Opening the file would have been noticed.
    _ = try Data(contentsOf: folder.url.appending(path: "code.so"))
    #expect(opened.names == ["code.so"])
  }

  @Test(
    "load no library named in a file that a hook reads",
    arguments: [
      "@hooks [ LOAD LOAD ] MIC", "@hooks [ LOAD { func evil } ] MIC",
      "@hooks [ LOAD LOAD { func evil } LOAD ] MIC",
      "@hooks [ { func load files [ FILE FILE ] } LOAD ] MIC",
      "cards.@hooks.7 LOAD cards.@hooks.8 { func evil } MIC",
      "cards.@hooks.7 { func load_for_all_cards files [ FILE FILE ] } cards.@hooks.8 LOAD MIC",
      "@hooks [ { func load_for_all_cards files [ FILE FILE ] } ] MIC",
      "hook_func.mine { lib libasound_module_conf_pulse.so func snd_config_hook_load_for_all_cards } @hooks [ { func mine files [ FILE ] } ] MIC",
    ])
  func nestedHooks(_ text: String) throws {
    let folder = try TemporaryFolder()
    try write("", to: folder, "code.so", folder)
    try write(
      #"hook_func.evil { lib "FOLDER/code.so" func "f" } @hooks [ { func evil } ] func.concat { lib "FOLDER/code.so" func "f" }"#,
      to: folder, "x.conf", folder)
    let opened = try OpenedFiles(in: folder.url.path)
    let definitions = text.replacing("LOAD", with: "{ func load files [ FILE ] }").replacing(
      "FILE", with: #""FOLDER/x.conf""#
    ).replacing("MIC", with: "pcm.mic { type hw card 7 }")
    let configuration = try configuration(definitions, in: folder)
    #expect(throws: ALSAError.self) { _ = try configuration.open(try PCMName("mic")) }
    #expect(!opened.names.contains("code.so"))
  }

  @Test("are also checked where a hook of ALSA's own adds to the configuration")
  func hooked() throws {
    let folder = try TemporaryFolder()
    try write("pcm_type.hw { open \"o\" } pcm.mic { type hw card 7 }", to: folder, "more.conf", folder)
    let configuration = try configuration(
      #"@hooks [ { func load files [ "FOLDER/more.conf" ] } ]"#, in: folder)
    let name = try PCMName("mic")
    let isDefined = configuration.defines(name)
    #expect(isDefined)
    let error = #expect(throws: ALSAError.self) { try configuration.check(name) }
    #expect(error?.code == .badName)
  }

  @Test("of the plugins that ALSA itself defines are accepted, each with its device")
  func shipped() throws {
    for name in ["hw:7", "plughw:CARD=7,DEV=0", "dsnoop:7"] {
      CapturePCM.beQuiet()
      let name = try PCMName(name)
      do { try PCMConfiguration(for: name.text).check(name) } catch {
        // ALSA cannot look up the name of a card that does not exist.
        #expect(error.code == .noDevice, "\(error)")
      }
    }
  }
}
