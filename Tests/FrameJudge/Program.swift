public import Foundation

/// A program that was run to its end.
public struct Program: Sendable {
  /// Its exit status.
  public let status: Int32
  /// What it wrote to stdout.
  public let output: Data
  /// What it wrote to stderr.
  public let errors: String

  /// A program that did not exit with 0.
  public struct Failure: Error, CustomStringConvertible {
    /// The command and its errors.
    public let description: String
  }

  /// The file of a program in the PATH; `env`, which every other start of it would cost too, says if there is none.
  private static func file(of name: String) -> String? {
    guard !name.contains("/") else { return name }
    return ProcessInfo.processInfo.environment["PATH", default: "/usr/bin:/bin"].split(separator: ":")
      .map { "\($0)/\(name)" }.first(where: FileManager.default.isExecutableFile(atPath:))
  }

  /// Runs `name` from the PATH with `arguments`, and expects it to succeed.
  @discardableResult
  public static func run(_ name: String, _ arguments: [String]) throws -> Program {
    let process = Process()
    let file = file(of: name)
    process.executableURL = URL(filePath: file ?? "/usr/bin/env")
    process.arguments = (file == nil ? [name] : []) + arguments
    if ["ffmpeg", "ffprobe"].contains(name) { process.environment = OvercrankProgram.environment }
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    // A file rather than a second pipe, which could fill up while the first is read.
    let errors = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data().write(to: errors)
    defer { try? FileManager.default.removeItem(at: errors) }
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let program = Program(
      status: process.terminationStatus, output: data,
      errors: try String(contentsOf: errors, encoding: .utf8))
    guard program.status == 0 else {
      let command = ([name] + arguments).joined(separator: " ")
      throw Failure(description: "\(command) exited with \(program.status): \(program.errors)")
    }
    return program
  }

  /// Makes a video with ffmpeg.
  public static func ffmpeg(_ arguments: String...) throws {
    try run("ffmpeg", ["-hide_banner", "-loglevel", "error", "-nostdin", "-y"] + arguments)
  }
}
