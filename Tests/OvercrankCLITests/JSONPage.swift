import Foundation
import Testing

/// `docs/json.md`: the keys of each section, with the descriptions of their values.
struct JSONPage {
  private let sections: [String: [String: String]]

  /// Reads the page.
  init() throws {
    let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/json.md")
    var sections: [String: [String: String]] = [:]
    var section = ""
    for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
      if let heading = line.wholeMatch(of: /##+ (.*)/) {
        section = heading.output.1.lowercased().replacing(" ", with: "-")
      }
      guard let row = line.wholeMatch(of: /\| `([^`]+)` \| (.*?) \|.*/) else { continue }
      sections[section, default: [:]][String(row.output.1)] = String(row.output.2)
    }
    self.sections = sections
  }

  /// Every key of the page, as `section.key`.
  var keys: Set<String> {
    Set(sections.filter { !$0.key.isEmpty }.flatMap { section, rows in rows.keys.map { "\(section).\($0)" } })
  }

  /// Whether the page describes the output of `command --json`.
  func names(_ command: String) -> Bool { sections[""]?[command] != nil }

  /// Checks `json` against `section`. Returns its keys, as `section.key`.
  func check(_ json: Any, _ section: String, isArray: Bool = false) throws -> Set<String> {
    guard !isArray else {
      let items = try #require(json as? [Any], "\(section)")
      return try items.reduce(into: []) { $0.formUnion(try check($1, section)) }
    }
    let object = try #require(json as? [String: Any], "\(section)")
    let rows = try #require(sections[section], "docs/json.md has no section \(section)")
    var seen: Set<String> = []
    for (key, value) in object {
      guard let words = rows[key] else {
        Issue.record("docs/json.md: \(section) does not tell of \"\(key)\"")
        continue
      }
      seen.insert("\(section).\(key)")
      guard !(value is NSNull) else { continue }
      let link = words.firstMatch(of: /\(#([a-z-]+)\)/).map { String($0.output.1) }
      if words.hasPrefix("by name") {
        let named = try #require(value as? [String: Any], "\(section).\(key)")
        if let link { for value in named.values { seen.formUnion(try check(value, link)) } }
      } else if let link {
        seen.formUnion(try check(value, link, isArray: words.hasPrefix("array of")))
      } else {
        #expect(Self.isOf(words, value), "docs/json.md: \(section).\(key) is no \(words): \(value)")
      }
    }
    return seen
  }

  /// Whether a value matches the page's description.
  private static func isOf(_ words: String, _ value: Any) -> Bool {
    switch words {
    case "text": value is String
    case "true or false": value is Bool
    case "number": value is NSNumber && !(value is String)
    case "number or text": value is NSNumber || value is String
    case "text or array of numbers": value is String || value is [Double]
    case "interval": (value as? [Any])?.count == 2
    default: words.hasPrefix("array of") && value is [Any]
    }
  }
}
