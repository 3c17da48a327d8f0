import Foundation
import Testing

/// The libraries name things and remedies; options and commands belong to the command line.
@Suite("Libraries do not name options or commands of the program")
struct RoomTextTests {
  /// Options of other programs that the documentation names.
  static let options: Set = ["--list-formats-ext", "--sort"]

  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Sources").standardizedFileURL

  /// The Swift sources and documentation of the libraries.
  private static func files() throws -> [URL] {
    let all = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    let program = sources.appending(path: "OvercrankCLI").path + "/"
    return all.compactMap { $0 as? URL }.filter {
      ["swift", "md"].contains($0.pathExtension) && !$0.path.hasPrefix(program)
    }
  }

  /// The commands of the program: the files of their folder are named after them.
  private static func commands() throws -> Set<String> {
    let folder = sources.appending(path: "OvercrankCLI/Commands").path
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    return Set(
      names.filter { $0.hasSuffix("Command.swift") }.map { $0.dropLast(13).lowercased() })
  }

  /// The parts of `line` that only the command line may contain.
  static func violations(in line: some StringProtocol, commands: Set<String>) -> [String] {
    // Regular expressions are slow: only a few lines are examined twice.
    guard ["--", "overcrank "].contains(where: line.contains) else { return [] }
    let named = String(line).matches(of: /(?:^|[^-\w])(--[a-z][a-z0-9-]*)/)
      .map { String($0.output.1) }
    let called = String(line).matches(of: /(?:"|`|\()overcrank ([a-z]+)/)
      .filter { commands.contains(String($0.output.1)) }.map { String($0.output.0) }
    return named.filter { !options.contains($0) } + called
  }

  @Test("in any literal or comment")
  func names() throws {
    let files = try Self.files()
    let commands = try Self.commands()
    #expect(files.count > 200)
    #expect(commands.isSuperset(of: ["record", "recover", "formats"]))
    for file in files {
      let lines = try String(contentsOf: file, encoding: .utf8).split(
        separator: "\n", omittingEmptySubsequences: false)
      for (number, line) in lines.enumerated() {
        let found = Self.violations(in: line, commands: commands)
        #expect(found.isEmpty, "\(file.path):\(number + 1) names \(found.joined(separator: ", "))")
      }
    }
  }

  @Test(
    "and a violation is found",
    arguments: [
      (#""replace it with --force.""#, ["--force"]),
      (#""see \"overcrank formats\".""#, [#""overcrank formats"#]),
      ("/// as `overcrank devices --json` prints", ["--json", "`overcrank devices"]),
      (#""v4l2-ctl --list-formats-ext""#, []), ("/// What overcrank does", []), ("let a = b - -c", []),
    ])
  func seen(_ line: String, _ expected: [String]) {
    #expect(Self.violations(in: line, commands: ["formats", "devices"]) == expected)
  }
}
