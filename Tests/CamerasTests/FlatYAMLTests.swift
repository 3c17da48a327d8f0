import Testing

@testable import Cameras

@Suite("Options in YAML") struct FlatYAMLTests {
  /// Everything that YAML could take for something else, and characters that it folds or refuses.
  private static let texts =
    [
      "", " ", "%a", "50%", "- a", "#c\n1/8", "0s:1 # real time\n1s:1/8", "a: b", "'", "\"", "\\", "\\n",
      "null", "true", "~",
    ]
    + [
      "...", "---", "\t", "a\r\nb", "\u{85}", "\u{2028}", "\u{7f}", "\u{1}", "\u{ffff}",
      "\u{1f3ac}", "\u{e9}",
    ]

  @Test("are read back as they were written", arguments: texts)
  func same(_ text: String) throws {
    for values in [[text], [text, "b"], ["a", text]] {
      let yaml = FlatYAML.text([("label", values), ("fps", ["240"])])
      let entries = try FlatYAML.entries(of: yaml, named: "x.yaml")
      #expect(entries.map(\.key) == ["label", "fps"])
      #expect(
        entries.map { $0.values.map { Array($0.unicodeScalars) } } == [
          values.map { Array($0.unicodeScalars) }, [Array("240".unicodeScalars)],
        ])
    }
  }
}
