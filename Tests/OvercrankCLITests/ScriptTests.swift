import FrameJudge
import Foundation
import Testing

@Suite("Each script prints its purpose", .tags(.program), .timeLimit(.minutes(1)))
struct ScriptTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    .standardizedFileURL

  /// The scripts of a folder, by their names.
  private static func commands(_ folder: String, of door: String? = nil) -> [[String]] {
    let files = try? FileManager.default.contentsOfDirectory(
      at: root.appending(path: folder), includingPropertiesForKeys: nil)
    return (files ?? []).filter {
      !$0.hasDirectoryPath && FileManager.default.isExecutableFile(atPath: $0.path)
    }
    .map(\.lastPathComponent).sorted().map { name in door.map { [$0, name] } ?? ["\(folder)/\(name)"] }
  }

  private static let all =
    commands("script") + commands("script/test.d", of: "script/test")
    + commands("script/bench.d", of: "script/bench")

  private func run(_ command: [String], _ argument: String) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = Self.root.appending(path: command[0])
    process.arguments = command.dropFirst() + [argument]
    let output = Pipe()
    (process.standardOutput, process.standardError) = (output, output)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: text, as: UTF8.self))
  }

  @Test("with --help, and its usage", arguments: all)
  func help(_ command: [String]) throws {
    let (status, output) = try run(command, "--help")
    #expect(status == 0)
    #expect(output.contains("usage: \(command.joined(separator: " "))"), "\(output)")
  }

  @Test("and refuses unknown arguments", arguments: all)
  func unknown(_ command: [String]) throws {
    // These pass their options on to Swift Testing.
    guard let last = command.last, !["unit", "program", "kernel"].contains(last) else { return }
    let (status, output) = try run(command, "--no-such-option")
    #expect(status == 64, "\(output)")
    #expect(output.contains(command.joined(separator: " ")), "\(output)")
  }
}
