import ArgumentParser
import Foundation
import Overcrank

/// The command line: one file per subcommand, each a thin layer over the libraries.
@main
struct Overcrank: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "overcrank",
    abstract: "Records slow motion with any V4L2 camera.",
    discussion: """
      Name a camera by /dev/videoN, N, a /dev/v4l/by-id path, part of the card's name, or sim: for a \
      simulated camera.

      Exit codes: 0 done, 1 doctor found a problem, 4 frames lost with --strict, 64 usage, 65 bad data, 66 no such input, 69 no such \
      camera or mode, 73 cannot create, 74 I/O error, 75 busy: try again, 77 no permission, 130 interrupted.
      """,
    version: Version.current,
    subcommands: [
      DevicesCommand.self, FormatsCommand.self, SelectCommand.self, RecordCommand.self, TriggerCommand.self,
      StudioCommand.self, MotionCommand.self,
      RetimeCommand.self, RecoverCommand.self, TakesCommand.self, ShowCommand.self,
      BenchCommand.self, DoctorCommand.self, SnapCommand.self,
      ControlsCommand.self, SimulateCommand.self, ProfilesCommand.self, SetupsCommand.self,
    ])

  /// Parses and runs the command, and turns each error into one message and a documented exit code.
  static func main() async {
    // Otherwise the next file to be opened, even a pipe for signals, would take a closed stream's descriptor.
    Invocation.openStandardStreams()
    do {
      try Interruption.shared.catchSignals(saying: Invocation.earlyWords)
      Privileges.confine(keepingForCapture: Invocation.capturesFrames)
      try Interruption.shared.listen()
      TerminalState.note()
      try Invocation.checkArguments()
      var command = try command(BriefHelp.parsed(Invocation.arguments))
      try ProcessLimits.check()
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
      end(with: 0)
    } catch let error as ExitCode {
      end(with: error.rawValue)
    } catch {
      end(with: tell(error))
    }
  }

  /// Parses a command line, including the options of its setup.
  static func command(_ arguments: [String]) throws -> any ParsableCommand {
    try UsageAdvice.checkCommand(arguments)
    let expansion = try SetupExpansion(arguments)
    do { return try parseAsRoot(expansion.arguments) } catch {
      throw expansion.fault(for: error) ?? error
    }
  }

  /// Prints an error, or help and the like if the parser was asked for it; returns the exit code.
  private static func tell(_ error: any Error) -> Int32 {
    // The parser formats help as soon as it is asked about the error.
    Invocation.boundHelpWidth()
    if Failure(error) == nil, exitCode(for: error) == .success {
      Console.sayData(BriefHelp.arranged(fullMessage(for: error)))
      return ExitCode.success.rawValue
    }
    let failure = failure(for: error, of: Invocation.arguments)
    Console.complain(failure.message)
    return failure.exitCode
  }

  /// Returns the failure for `error`, with advice that depends on `arguments`.
  static func failure(for error: any Error, of arguments: [String]) -> Failure {
    if let failure = Failure(error) { return failure }
    let message = fullMessage(for: error)
    let advice = UsageAdvice.message(message, arguments: arguments) ?? message
    return Failure(
      advice.hasPrefix("Error: ") ? String(advice.dropFirst("Error: ".count)) : advice,
      exitCode: exitCode(for: error).rawValue)
  }

  /// Ends the program after all output has been written. If facts could not be written, prints that error,
  /// and uses its exit code unless there is another error.
  private static func end(with code: Int32) -> Never {
    var code = code
    do throws(Failure) {
      try Console.checkOutput()
    } catch {
      Console.complain(error.message)
      if [0, ExitStatus.problemsFound, ExitStatus.framesLost].contains(code) { code = error.exitCode }
    }
    Console.finish()
    Interruption.shared.awaitEnd()
    // exit(3) would destroy objects that the encoders' threads still use.
    if ClipRenderer.hasEncodersAtWork { _exit(code) }
    Foundation.exit(code)
  }
}
