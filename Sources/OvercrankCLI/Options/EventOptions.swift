import ArgumentParser
import Foundation
import Overcrank

/// The destination of a recording's events.
struct EventOptions: ParsableArguments {
  @Option(
    name: .customLong("events"),
    help: ArgumentHelp(
      "Write events to FILE, one JSON object per line; - for standard output, which then "
        + "receives nothing else.",
      valueName: "file", visibility: .rare),
    completion: .file())
  var destination: FileArgument?

  /// Whether the events go to standard output, by a hyphen or by its name.
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

  /// Starts to write the events of `sources` as they arrive; returns `nil` if no destination was given.
  ///
  /// - Parameters:
  ///   - files: the recording's own files, which must not receive events.
  ///   - replacing: whether a file of that name may be replaced.
  /// - Throws: `Failure` if the file cannot be opened.
  func log(
    _ sources: @autoclosure () -> [EventSource], beside files: [TakeFiles], replacing: Bool
  ) throws(Failure) -> EventLog? {
    guard let destination else { return nil }
    guard case .file(let path) = destination, !path.isStandardOutput else {
      return EventLog(sources(), to: STDOUT_FILENO)
    }
    let wanted = path.standardized
    let own = files.flatMap { [$0.clip, $0.master, $0.take] }.map(\.standardized)
    guard !own.contains(where: { wanted == $0 || wanted.string.hasPrefix("\($0).part") }) else {
      throw Failure(
        "--events \(path): is one of the recording's own files; name another file.",
        exitCode: ExitStatus.usage)
    }
    return EventLog(sources(), to: try EventLog.open(path, replacing: replacing))
  }
}

extension FilePath {
  /// Whether the path names the same file as standard output.
  fileprivate var isStandardOutput: Bool {
    guard let named = try? Stat(self), let own = try? FileDescriptor.standardOutput.stat() else {
      return false
    }
    // Both may be /dev/null.
    guard own.type != .characterSpecial || isatty(STDOUT_FILENO) == 1 else { return false }
    return (named.deviceID, named.inode) == (own.deviceID, own.inode)
  }

  /// The absolute path, without dots in it.
  fileprivate var standardized: FilePath {
    FilePath(URL(filePath: string).standardizedFileURL.path)
  }
}
