import ArgumentParser
import Capture
import Foundation
import Synchronization

/// Where the events of a recording are told to programs.
struct EventOptions: ParsableArguments {
  @Option(
    name: .customLong("events"),
    help: ArgumentHelp(
      "Write events to FILE, one JSON object for each line; - for standard output, which then holds nothing else.",
      valueName: "file"),
    completion: .file())
  var path: String?

  /// Whether standard output belongs to the events.
  var areOnStandardOutput: Bool { path == "-" }

  /// Throws where two would write to standard output.
  func validate(with output: OutputOptions) throws {
    if areOnStandardOutput, output.json {
      throw ValidationError(
        "--events - and --json both write to standard output; name a file for one of them, or drop one.")
    }
  }

  /// Writes `events` as they come; `nil` where nobody wants them.
  ///
  /// - Throws: `Failure` where the file cannot be opened.
  func log(_ events: @autoclosure () -> SessionEvents) throws(Failure) -> EventLog? {
    guard let path else { return nil }
    return EventLog(events(), to: try EventLog.open(path))
  }
}

/// Events on their way to a file: one JSON object a line.
///
/// Written from a task of its own: a reader that takes nothing holds up neither the session nor a
/// trigger.
struct EventLog {
  private let work: Task<Void, Never>

  /// Opens `path` for events: standard output, a file that is made, or a pipe that is there.
  static func open(_ path: String) throws(Failure) -> Int32 {
    if path == "-" { return STDOUT_FILENO }
    // A pipe that nobody reads yet is not to hold up the recording.
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK
    let descriptor = Glibc.open(path, flags, 0o666)
    guard descriptor >= 0 else {
      let answer = errno
      let remedy =
        answer == ENXIO ? "Nothing reads from this pipe; start its reader first." : "Name another file."
      throw Failure(
        "\(path): events cannot be written there: \(String(cString: strerror(answer))) (errno \(answer)). \(remedy)",
        exitCode: ExitStatus.cannotCreate)
    }
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    return descriptor
  }

  init(_ events: SessionEvents, to descriptor: Int32) {
    work = Task.detached {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      do {
        for try await event in events {
          guard let line = try? encoder.encode(event) else { continue }
          guard Self.write(line + [UInt8(ascii: "\n")], to: descriptor) else { break }
        }
      } catch {
        let lost = ["event": "error", "message": "\(error)"]
        if let line = try? encoder.encode(lost) {
          _ = Self.write(line + [UInt8(ascii: "\n")], to: descriptor)
        }
      }
      if descriptor != STDOUT_FILENO { close(descriptor) }
    }
  }

  /// Waits until all has been written.
  func finish() async { await work.value }

  private static func write(_ bytes: Data, to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
