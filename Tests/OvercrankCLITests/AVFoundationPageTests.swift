import FrameJudge
import Foundation
import Testing

/// `docs/from-avfoundation.md` against `Snippets/FromAVFoundation.swift`, which the compiler checks.
@Suite("The calls of the page for users of AVFoundation")
struct AVFoundationPageTests {
  /// A row of the page's table.
  private struct Row {
    /// Its first cell, without the marks of code.
    let name: String
    /// The code in each cell.
    let theirs: [String]
    let ours: [String]
    /// Its second cell.
    let text: String
  }

  /// An example of the snippet.
  private struct Example {
    /// The beginnings of the rows' names.
    let names: [String]
    let words: Set<String>
  }

  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    .standardizedFileURL

  private static func file(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  private static func code(in cell: Substring) -> [String] {
    cell.matches(of: /`([^`]+)`/).map { String($0.output.1) }
  }

  private static func rows() throws -> [Row] {
    try file("docs/from-avfoundation.md").split(separator: "\n").compactMap { line -> Row? in
      guard let cells = line.wholeMatch(of: /\| (.+?) \| (.+) \|/), cells.output.1 != "AVFoundation" else {
        return nil
      }
      return Row(
        name: String(cells.output.1).replacing("`", with: ""), theirs: code(in: cells.output.1),
        ours: code(in: cells.output.2), text: String(cells.output.2))
    }
  }

  private static func words(of code: some StringProtocol) -> Set<String> {
    Set(String(code).matches(of: /[A-Za-z_]\w*/).map { String($0.output) }).subtracting([
      "_", "nil", "true", "false",
    ])
  }

  private static func examples() throws -> [Example] {
    let source = try file("Snippets/FromAVFoundation.swift").replacing(/\/\/.*/, with: "")
    return source.split(separator: "\ntry await row(").dropFirst().map { part in
      let head = part.prefix { $0 != "{" }
      return Example(
        names: head.matches(of: /"([^"\n]*)"/).map { String($0.output.1) },
        words: words(of: part.dropFirst(head.count)))
    }
  }

  /// Returns the names in what a row calls Swift; none for commands, options and controls.
  private static func calls(_ code: String) -> Set<String> {
    guard code.wholeMatch(of: /(?:--|V4L2_|(?:overcrank|record|snap|takes|retime) ).*/) == nil else {
      return []
    }
    return words(of: code.replacing(/"[^"]*"/, with: ""))
  }

  @Test("are those of an example that compiles, in each row")
  func rows() throws {
    let (rows, examples) = try (Self.rows(), Self.examples())
    #expect(rows.count > 50 && examples.count > 20)
    let all = try Self.words(of: Self.file("Snippets/FromAVFoundation.swift"))
    for name in examples.flatMap(\.names) {
      let count = rows.count { $0.name.hasPrefix(name) }
      #expect(count == 1, "\(count) rows for \(name)")
    }
    for row in rows where !row.text.contains("the studio's") {
      let calls = (row.text == "the same" ? row.theirs : row.ours).map(Self.calls).reduce(into: Set<String>())
      {
        $0.formUnion($1)
      }
      guard !calls.isEmpty else {
        #expect(row.text.hasPrefix("none: ") || row.text.hasPrefix("off "), "\(row.name) names no call")
        continue
      }
      let mine = examples.filter { $0.names.contains(where: row.name.hasPrefix) }
      #expect(!mine.isEmpty, "\(row.name) has no example")
      // Types may stand in another example, which made the value.
      let known = mine.reduce(into: all.filter { $0.first?.isUppercase == true }) { $0.formUnion($1.words) }
      #expect(calls.isSubset(of: known), "\(row.name): no example has \(calls.subtracting(known).sorted())")
    }
  }

  @Test("of the studio are in its API")
  func studio() throws {
    let pages = try Self.file("docs/studio-openapi.yaml") + Self.file("docs/studio-api.md")
    let rows = try Self.rows().filter { $0.text.contains("the studio's") }
    #expect(rows.count == 3)
    for row in rows {
      for code in row.ours {
        let words = code.split(separator: " ").map { $0.replacing("NAME", with: "{name}") }
        #expect(words.allSatisfy { pages.lowercased().contains($0.lowercased()) }, "\(row.name): \(code)")
      }
    }
  }

  @Test("do what the page says", .tags(.program), .timeLimit(.minutes(1)))
  func run() throws {
    let folder = try TemporaryFolder()
    let tests = URL(filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    let snippet = tests.deletingLastPathComponent().appending(path: "FromAVFoundation")
    let run = try Program.run(snippet.path, [folder.url.path])
    let lines = Set(String(decoding: run.output, as: UTF8.self).split(separator: "\n").map(String.init))
    #expect(try lines.isSuperset(of: Self.examples().flatMap(\.names)))
  }
}
