import ArgumentParser
import Foundation

/// The program's arguments and environment.
enum Invocation {
  /// The words after the program's name.
  static var arguments: [String] { Array(CommandLine.arguments.dropFirst()) }

  /// Opens standard streams that are closed. Otherwise the next file would take their descriptors, and
  /// messages would go into a video.
  ///
  /// Reading from such a stream ends at once. Facts cannot be written to it, which is reported; other
  /// messages are discarded.
  static func openStandardStreams() {
    // In this order, because open(2) returns the lowest free number.
    for (descriptor, mode) in [
      (STDIN_FILENO, O_RDONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY),
    ]
    where fcntl(descriptor, F_GETFD) == -1 {
      // A folder also occupies the descriptor if there is no /dev.
      if open("/dev/null", mode) == -1 { _ = open("/", O_RDONLY | O_DIRECTORY) }
    }
  }

  /// The message if a signal arrives before any work has begun.
  static var earlyWords: String {
    CommandLine.argc > 1 && CommandLine.unsafeArgv[1].map({ String(cString: $0) }) == "record"
      ? RecordCommand.interruptedEarly : "Interrupted before anything was done."
  }

  /// Limits the width of help to what the argument parser supports: it traps if no room is left beside the
  /// indentation.
  static func boundHelpWidth() {
    let told = ProcessInfo.processInfo.environment["COLUMNS"].flatMap(Int.init)
    let width = told.flatMap { $0 > 0 ? $0 : nil } ?? Console.columns(of: STDOUT_FILENO)
    guard !widths.contains(told ?? width) else { return }
    setenv("COLUMNS", "\(min(max(width, widths.lowerBound), widths.upperBound))", 1)
  }

  private static let widths = 40...1000

  /// Whether the requested command captures frames, or examines what capturing needs.
  static var capturesFrames: Bool {
    let commands: [any ParsableCommand.Type] = [
      RecordCommand.self, BenchCommand.self, SnapCommand.self, DoctorCommand.self,
      StudioCommand.self,
    ]
    guard CommandLine.argc > 1, let word = CommandLine.unsafeArgv[1] else { return false }
    let name = String(cString: word)
    return commands.contains { $0.configuration.commandName == name }
  }

  /// Checks that the arguments can be read.
  ///
  /// - Throws: ``Failure`` for words that are not UTF-8, because replacing their bytes would name another
  ///   file; also if there are no words at all, not even the program's name: Swift reads them from `/proc`.
  static func checkArguments() throws(Failure) {
    guard CommandLine.argc > 0 else {
      throw Failure(
        "The command line cannot be read, because /proc/self/cmdline cannot be read. Mount /proc.",
        exitCode: ExitStatus.inputOutput)
    }
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = CommandLine.unsafeArgv[index], String(validatingCString: argument) == nil else {
        continue
      }
      throw Failure(
        "\"\(String(cString: argument).printable)\" is not UTF-8, as names given to this program must be. Rename the file, or the folder.",
        exitCode: ExitStatus.usage)
    }
  }
}
