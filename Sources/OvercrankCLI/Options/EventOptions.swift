import ArgumentParser
import Foundation
import Overcrank

/// Where the events of a recording are told to programs.
struct EventOptions: ParsableArguments {
  @Option(
    name: .customLong("events"),
    help: ArgumentHelp(
      "Write events to FILE, one JSON object for each line; - for standard output, which then holds nothing else.",
      valueName: "file", visibility: .rare),
    completion: .file())
  var destination: FileArgument?

  /// Whether standard output belongs to the events, by a hyphen or by its name.
  var areOnStandardOutput: Bool {
    switch destination {
    case nil: false
    case .standardStream: true
    case .file(let path): path.isStandardOutput
    }
  }

  /// The options that were given.
  var given: [String] {
    [String](given: ["--events": destination != nil, "--events -": areOnStandardOutput])
  }

  /// Writes `events` as they come; `nil` where nobody wants them.
  ///
  /// - Parameters:
  ///   - files: the recording's own, which are not for events.
  ///   - replacing: whether a file of that name may be replaced.
  /// - Throws: `Failure` where the file cannot be opened.
  func log(
    _ events: @autoclosure () -> SessionEvents, beside files: TakeFiles, replacing: Bool
  ) throws(Failure) -> EventLog? {
    guard let destination else { return nil }
    guard case .file(let path) = destination, !path.isStandardOutput else {
      return EventLog(events(), to: STDOUT_FILENO)
    }
    let wanted = path.standardized
    let own = [files.clip, files.master, files.take].map(\.standardized)
    guard !own.contains(where: { wanted == $0 || wanted.string.hasPrefix("\($0).part") }) else {
      throw Failure(
        "--events \(path): is a file of the recording itself; name another one.", exitCode: ExitStatus.usage)
    }
    return EventLog(events(), to: try EventLog.open(path, replacing: replacing))
  }
}

extension FilePath {
  /// Whether the path leads to what standard output is.
  fileprivate var isStandardOutput: Bool {
    guard let named = try? Stat(self), let own = try? FileDescriptor.standardOutput.stat() else {
      return false
    }
    // Both may go to /dev/null.
    guard own.type != .characterSpecial || isatty(STDOUT_FILENO) == 1 else { return false }
    return (named.deviceID, named.inode) == (own.deviceID, own.inode)
  }

  /// The absolute path, without dots in it.
  fileprivate var standardized: FilePath {
    FilePath(URL(filePath: string).standardizedFileURL.path)
  }
}
