import Testing

@testable import Cameras

@Suite("Aliases in YAML")
struct YAMLSizeTests {
  @Test(
    "count as all the values that they stand for",
    arguments: [
      ("", 0), ("# nothing", 0), ("a", 1), ("a: b", 3), ("[a, b, c]", 4), ("{a: [b, c], d: e}", 7),
      ("- &x a\n- *x\n- *x", 4), ("- &x [a, b]\n- *x", 7), ("- &x [a]\n- &y [*x, *x]\n- *y", 13),
      ("- &x a\n- &x [b, c]\n- *x", 8), ("text: '*x &y'", 3), ("a: b # *x", 3), ("&x {a: *x}", 2),
    ])
  func counts(_ yaml: String, _ count: Int) {
    #expect(YAMLSize.count(yaml, limit: 1000) == count)
    #expect(YAMLSize.count(yaml, limit: count) == count)
    #expect(count == 0 || YAMLSize.count(yaml, limit: count - 1) == nil)
  }

  /// Returns lists of two aliases to the previous list: 2 to the power of `levels` values.
  private func nested(_ levels: Int) -> String {
    (1..<levels).reduce("a0: &a0 [x, x]\n") { $0 + "a\($1): &a\($1) [*a\($1 - 1), *a\($1 - 1)]\n" }
  }

  @Test(
    "are refused before they are expanded if they stand for more than a file can hold",
    arguments: ["modes: *a59", "? *a59\n: 1", "[*a59, *a59]: 1", "id: x", "modes: [{formats: *a59}]"])
  func refused(_ last: String) {
    let error = #expect(throws: ProfileError.self) {
      try Profile(yaml: nested(60) + last + "\n", named: "bomb.yaml")
    }
    #expect(error?.problem.contains("aliases") == true)
    #expect(throws: ProfileError.self) {
      try FlatYAML.entries(of: nested(60) + last + "\n", named: "bomb.yaml")
    }
  }

  @Test("are within the limit in each shipped profile, and are expanded")
  func shipped() throws {
    let library = ProfileLibrary(userFolder: "/nowhere")
    for entry in library.entries {
      let name = entry.profile.id
      #expect(throws: Never.self, "\(name)") { try Profile(yaml: entry.yaml, named: name) }
    }
    let profile = try #require(library["elgato-4k-x-10g"]).profile
    #expect(profile.modes.count > 10)
  }

  @Test("do not limit a long text that has none")
  func long() {
    let yaml = "[" + Array(repeating: "a", count: 200_000).joined(separator: ",") + "]"
    #expect(YAMLSize.count(yaml, limit: YAMLSize.limit(bytes: yaml.utf8.count)) == 200_001)
  }
}
