import ArgumentParser
import Foundation

/// What a program is handed by whoever starts it.
enum Invocation {
  /// The words after the program's name.
  static var arguments: [String] { Array(CommandLine.arguments.dropFirst()) }

  /// Opens the standard streams that are closed: the next file would take their place, and words go into a film.
  ///
  /// What was closed for reading ends at once. Facts cannot be written to what was closed, and that is
  /// told; words can, and nobody hears them.
  static func openStandardStreams() {
    // In this order, as open(2) gives the lowest number that is free.
    for (descriptor, mode) in [
      (STDIN_FILENO, O_RDONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY),
    ]
    where fcntl(descriptor, F_GETFD) == -1 {
      // A folder takes the place too, where there is no /dev.
      if open("/dev/null", mode) == -1 { _ = open("/", O_RDONLY | O_DIRECTORY) }
    }
  }

  /// What is said where a signal comes before anything has begun.
  static var earlyWords: String {
    CommandLine.argc > 1 && CommandLine.unsafeArgv[1].map({ String(cString: $0) }) == "record"
      ? RecordCommand.interruptedEarly : "Interrupted before anything was done."
  }

  /// Has help be as wide as the argument parser can make it: where there is no room beside what it indents by, it traps.
  static func boundHelpWidth() {
    let told = ProcessInfo.processInfo.environment["COLUMNS"].flatMap(Int.init)
    let width = told.flatMap { $0 > 0 ? $0 : nil } ?? Console.columns(of: STDOUT_FILENO)
    guard !widths.contains(told ?? width) else { return }
    setenv("COLUMNS", "\(min(max(width, widths.lowerBound), widths.upperBound))", 1)
  }

  private static let widths = 40...1000

  /// Whether the command that is asked for captures frames, or looks at what that needs.
  static var capturesFrames: Bool {
    let commands: [any ParsableCommand.Type] = [
      RecordCommand.self, BenchCommand.self, SnapCommand.self, DoctorCommand.self,
      StudioCommand.self,
    ]
    guard CommandLine.argc > 1, let word = CommandLine.unsafeArgv[1] else { return false }
    let name = String(cString: word)
    return commands.contains { $0.configuration.commandName == name }
  }

  /// - Throws: ``Failure`` for words that are not UTF-8: with their bytes replaced, they would name another file. Also
  ///   where there are none at all, not even the program's name: Swift has them from `/proc`.
  static func checkArguments() throws(Failure) {
    guard CommandLine.argc > 0 else {
      throw Failure(
        "The command line cannot be read, as /proc/self/cmdline cannot. Mount /proc.",
        exitCode: ExitStatus.inputOutput)
    }
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = CommandLine.unsafeArgv[index], String(validatingCString: argument) == nil else {
        continue
      }
      throw Failure(
        "\"\(String(cString: argument))\" is not UTF-8, and only such names can be given. Rename the file, or the folder.",
        exitCode: ExitStatus.usage)
    }
  }
}
