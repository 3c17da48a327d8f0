import Foundation
import Testing

@testable import Cameras

/// A profile with one fault, and the expected error.
struct BrokenProfile: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var line: Int?
  var key: String?
  var words: String
  var yaml: String

  /// Creates a valid profile of six lines, followed by the faulty `more` from line 7 on.
  init(_ what: String, line: Int?, key: String?, _ words: String, more: String) {
    (testDescription, self.line, self.key, self.words) = (what, line, key, words)
    yaml = """
      id: mine
      name: My camera
      match: {driver: uvcvideo}
      native: [640, 480]
      drawn_as: GREY
      source: my own eyes

      """ + more
  }

  init(_ what: String, line: Int?, key: String?, _ words: String, yaml: String) {
    (testDescription, self.line, self.key, self.words, self.yaml) = (what, line, key, words, yaml)
  }

  static let all: [BrokenProfile] = [
    BrokenProfile("empty", line: nil, key: nil, "empty", yaml: ""),
    BrokenProfile("not a mapping", line: 1, key: nil, "keys with values", yaml: "- 1\n- 2"),
    BrokenProfile("not YAML", line: 2, key: nil, "not YAML", yaml: "id: x\nname: [\n"),
    BrokenProfile("a control character", line: nil, key: nil, "control characters", yaml: "id: \u{1}"),
    BrokenProfile("a key twice", line: 1, key: nil, "duplicate key: id", yaml: "id: x\nid: y\n"),
    BrokenProfile("missing key", line: 1, key: "source", "missing", yaml: "id: x\nname: y\nmatch: {card: z}"),
    BrokenProfile(
      "nothing to match", line: 3, key: "match", "nothing to match",
      yaml: "id: x\nname: y\nmatch: {}\nsource: z"),
    BrokenProfile(
      "an id with a space", line: 1, key: "id", "not an id",
      yaml: "id: x y\nname: y\nmatch: {card: z}\nsource: z"
    ),
    BrokenProfile(
      "a number for USB ids", line: 3, key: "match.usb", "not a USB vendor",
      yaml: "id: x\nname: y\nmatch: {usb: 1234}\nsource: z"),
    BrokenProfile("unknown key", line: 7, key: "mods", "unknown key", more: "mods: []"),
    BrokenProfile(
      "unknown key of a mode", line: 9, key: "modes[1].binnned", "unknown key",
      more: "modes:\n  - sizes: [[640, 480]]\n  - {sizes: [[320, 240]], binnned: true}"),
    BrokenProfile("wrong type", line: 7, key: "modes", "a list", more: "modes: many"),
    BrokenProfile(
      "not a truth value", line: 9, key: "modes[0].binned", "true or false",
      more: "modes:\n  - sizes: [[640, 480]]\n    binned: perhaps"),
    BrokenProfile(
      "negative size", line: 8, key: "modes[0].sizes", "not a list of sizes",
      more: "modes:\n  - sizes: [[640, -480]]"),
    BrokenProfile(
      "no rate", line: 8, key: "modes[0].rates[1]", "rate",
      more: "modes:\n  - {sizes: [[1, 1]], rates: [30, 0]}"),
    BrokenProfile(
      "a reversed range", line: 8, key: "modes[0].continuous", "slowest",
      more: "modes:\n  - {sizes: [[1, 1]], continuous: [60, 3]}"),
    BrokenProfile(
      "factor without binning", line: 8, key: "modes[0].binning", "binned: true",
      more: "modes:\n  - {sizes: [[1, 1]], binning: [2, 2]}"),
    BrokenProfile(
      "crop of three", line: 8, key: "modes[0].crop", "4 whole numbers",
      more: "modes:\n  - {sizes: [[1, 1]], crop: [0, 0, 1]}"),
    BrokenProfile(
      "a crop above the sensor", line: 8, key: "modes[0].crop", "4 whole numbers",
      more: "modes:\n  - {sizes: [[1, 1]], crop: [0, -1, 1, 1]}"),
    BrokenProfile(
      "crop beyond the sensor", line: 7, key: "modes", "beyond",
      more: "modes:\n  - {sizes: [[1, 1]], crop: [600, 0, 100, 100]}"),
    BrokenProfile(
      "no range", line: 8, key: "modes[0].range", "neither",
      more: "modes:\n  - {sizes: [[1, 1]], range: wide}"),
    BrokenProfile(
      "not a pixel format", line: 8, key: "modes[0].formats", "not a pixel format",
      more: "modes:\n  - {sizes: [[1, 1]], formats: [MJPEG]}"),
    BrokenProfile(
      "unknown quirk", line: 8, key: "quirks[0].kind", "rate_ignored",
      more: "quirks:\n  - {kind: odd, note: x}"),
    BrokenProfile(
      "control without a reason", line: 8, key: "controls[0].why", "missing",
      more: "controls:\n  - {name: gain, value: 3}"),
    BrokenProfile(
      "an empty raw section", line: 7, key: "raw", "is empty", more: "raw: {source: x}"),
    BrokenProfile(
      "a black level without a source", line: 7, key: "raw.source", "missing",
      more: "raw: {black: 64, bits: 10}"),
    BrokenProfile(
      "a black level without a depth", line: 8, key: "raw.black", "bits",
      more: "raw:\n  black: 64\n  source: x"),
    BrokenProfile(
      "a depth alone", line: 8, key: "raw.bits", "without black",
      more: "raw:\n  bits: 10\n  matrix: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\n  source: x"),
    BrokenProfile(
      "an odd depth", line: 9, key: "raw.bits", "8 to 16", more: "raw:\n  black: 64\n  bits: 40\n  source: x"),
    BrokenProfile(
      "a black level beyond its range", line: 8, key: "raw.black", "0 to 1023",
      more: "raw:\n  black: 4096\n  bits: 10\n  source: x"),
    BrokenProfile(
      "a negative black level", line: 8, key: "raw.black", "not a black level",
      more: "raw:\n  black: -1\n  bits: 10\n  source: x"),
    BrokenProfile(
      "a matrix of two rows", line: 8, key: "raw.matrix", "three rows",
      more: "raw:\n  matrix: [[1, 0, 0], [0, 1, 0]]\n  source: x"),
    BrokenProfile(
      "a matrix without numbers", line: 8, key: "raw.matrix", "three rows",
      more: "raw:\n  matrix: [[1, 0, 0], [0, 1, 0], [0, 0, .inf]]\n  source: x"),
    BrokenProfile(
      "a matrix that colours grey", line: 8, key: "raw.matrix", "is not 1",
      more: "raw:\n  matrix: [[1, 0, 0], [0, 1.1, 0], [0, 0, 1]]\n  source: x"),
  ]
}

@Suite("Errors in a profile")
struct ProfileErrorTests {
  @Test("are reported with file, line and key", arguments: BrokenProfile.all)
  func broken(_ profile: BrokenProfile) {
    let error = #expect(throws: ProfileError.self) {
      try Profile(yaml: profile.yaml, named: "mine.yaml")
    }
    #expect(error?.line == profile.line)
    #expect(error?.key == profile.key)
    #expect(
      error?.problem.contains(profile.words) == true, "\(error?.problem ?? "")")
    if let line = profile.line { #expect(error?.description.hasPrefix("mine.yaml:\(line):") == true) }
  }

  @Test("do not occur in the profile that the guide shows")
  func guide() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../docs/profiles.md").standardizedFileURL
    let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "```yaml\n")
    let yaml = try #require(parts.last?.components(separatedBy: "```").first)
    #expect(parts.count == 2)
    #expect(throws: Never.self) { try Profile(yaml: yaml, named: "the guide's") }
  }

  @Test("do not occur in a valid profile")
  func right() throws {
    let whole = BrokenProfile(
      "", line: nil, key: nil, "", more: "modes:\n  - {sizes: [[320, 240]], rates: [119.88, 61612/513]}")
    let profile = try Profile(yaml: whole.yaml, named: "mine.yaml")
    #expect(profile.modes[0].rates.map(\.interval) == [.init(25, 2997), .init(513, 61612)])
  }
}
