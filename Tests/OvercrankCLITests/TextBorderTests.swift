import Foundation
import Testing

/// The calls that pass text to code which interprets it, and the files that may make them; see
/// docs/architecture.md, "Text that a library interprets".
@Suite("Text reaches a library that interprets it only through the listed files")
struct TextBorderTests {
  /// The calls, and the files that may make them.
  static let borders: [(call: String, files: Set<String>)] = [
    ("snd_pcm_open(", []), ("snd_pcm_open_lconf(", ["PCMConfiguration.swift"]),
    ("snd_config_", ["PCMConfiguration.swift", "ConfigurationNode.swift", "ForeignCode.swift"]),
    // With a card's number.
    ("snd_mixer_attach", ["CaptureSwitch.swift"]), ("snd_ctl_open", []),
    ("avformat_open_input", ["InputContext.swift", "InputContext+Opening.swift", "OggLink.swift"]),
    ("avio_open", []),
    ("av_opt_set(", []), ("av_dict_parse_string", []), ("av_opt_set_from_string", []),
    (
      "av_dict_set(",
      [
        "InputContext.swift", "InputContext+Opening.swift", "OggLink.swift", "OutputContext.swift",
        "CodecContext.swift",
      ]
    ),
    ("avfilter_graph_parse", ["FilterGraph.swift", "CLibAV.h"]),
    ("FilterGraph(", ["AudioStretch.swift", "AudioSource.swift", "PaletteMaker.swift"]),
    ("Yams.compose", ["Profile+YAML.swift"]), ("Yams.load", []),
    ("posix_spawn(", ["programs.c"]), ("posix_spawnp(", ["DesktopOpener.swift"]), ("Process()", []),
    ("popen(", []),
    ("/bin/sh", ["programs.c"]),
    ("system(\"", []), ("execv", []), ("dlopen(", ["CLibAV.c"]), ("wordexp(", []),
    ("NSRegularExpression", []), ("Regex(", []),
    ("regcomp(", []), ("NSPredicate", []), ("XMLParser", []), ("strftime(", []), ("dateFormat =", []),
    ("CompletionKind.custom", []), (".custom {", ["Completions.swift"]), (".shellCommand(", []),
    ("innerHTML", []), ("outerHTML", []), ("insertAdjacentHTML", []), ("document.write", []), (" eval(", []),
    ("new Function", []), ("setTimeout('", []), ("javascript:", []),
  ]

  /// The calls of this kind in `line` of `file`.
  static func violations(in line: some StringProtocol, of file: String) -> [String] {
    let text = String(line)
    guard !text.drop(while: \.isWhitespace).hasPrefix("//") else { return [] }
    let calls = borders.filter { text.contains($0.call) && !$0.files.contains(file) }.map(\.call)
    // A format is a literal without interpolation.
    let isFormat = text.contains("String(format:") && !text.contains("String(format: \"")
    let isMade = text.firstMatch(of: /String\(format: "[^"]*\\\(/) != nil
    return calls + (isFormat || isMade ? ["String(format:"] : [])
  }

  @Test("in any module, and in the page")
  func rooms() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources").standardizedFileURL
    let all = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    let files = all.compactMap { $0 as? URL }.filter {
      ["swift", "c", "h", "js", "html"].contains($0.pathExtension)
    }
    #expect(files.count > 200)
    for file in files {
      let content = try String(contentsOf: file, encoding: .utf8)
      guard Self.borders.contains(where: { content.contains($0.call) }) || content.contains("String(format:")
      else { continue }
      let lines = content.split(separator: "\n", omittingEmptySubsequences: false)
      for (number, line) in lines.enumerated() {
        let found = Self.violations(in: line, of: file.lastPathComponent)
        #expect(found.isEmpty, "\(file.path):\(number + 1): \(found.joined(separator: "; "))")
      }
    }
  }

  @Test(
    "and a violation is found",
    arguments: [
      ("let a = snd_pcm_open(&b, name, c, 0)", 1), ("// innerHTML", 0), ("a.innerHTML = label", 1),
      ("a.textContent = label", 0), ("String(format: text)", 1), (#"String(format: "%d \(a)", b)"#, 1),
      (#"String(format: "%d", b)"#, 0), (#"Process().arguments = ["-c"]"#, 1),
    ])
  func examples(_ line: String, _ count: Int) {
    #expect(Self.violations(in: line, of: "x.swift").count == count)
  }

  @Test("and each listed file exists")
  func files() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources")
    let all = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    let names = Set(all.compactMap { ($0 as? URL)?.lastPathComponent })
    #expect(Set(Self.borders.flatMap(\.files)).subtracting(names).isEmpty)
  }
}
