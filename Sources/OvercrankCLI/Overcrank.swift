import ArgumentParser
import Foundation
import Overcrank
import Platform

/// The command line: one subcommand a file, each a thin layer over the rooms.
@main
struct Overcrank: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "overcrank",
    abstract: "Records slow motion with any V4L2 camera.",
    discussion: """
      Name a camera by /dev/videoN, N, a /dev/v4l/by-id path, a part of the card's name, or sim: for a \
      simulated camera.

      Exit codes: 0 done, 1 doctor found a problem, 4 frames lost under --strict, 64 usage, 65 bad data, 66 no such input, 69 no such \
      camera or mode, 73 cannot create, 74 I/O error, 75 busy: try again, 77 no permission, 130 interrupted.
      """,
    version: Version.current,
    subcommands: [
      DevicesCommand.self, FormatsCommand.self, SelectCommand.self, RecordCommand.self, TriggerCommand.self,
      MotionCommand.self,
      RetimeCommand.self, RecoverCommand.self, BenchCommand.self, DoctorCommand.self, SnapCommand.self,
      ControlsCommand.self, SimulateCommand.self, ProfilesCommand.self,
    ])

  /// Parses, runs, and turns every error into one message and the contract's exit code.
  static func main() async {
    // A reader that closes the pipe ends the output, not the recording.
    signal(SIGPIPE, SIG_IGN)
    let arguments = Array(CommandLine.arguments.dropFirst())
    Invocation.openStandardStreams()
    Privileges.confine(keepingForCapture: Invocation.capturesFrames)
    // At once, so that there is no time in which a signal just kills.
    Interruption.shared.listen()
    TerminalState.note()
    do {
      try Invocation.checkArguments()
      try UsageAdvice.checkCommand(arguments)
      var command = try parseAsRoot()
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
      try Console.checkOutput()
      Console.finish()
    } catch {
      guard let failure = Failure(error) else {
        guard let message = UsageAdvice.message(fullMessage(for: error), arguments: arguments) else {
          Console.finish()
          exit(withError: error)
        }
        Console.remark(message)
        Console.finish()
        Foundation.exit(ExitStatus.usage)
      }
      Console.complain(failure.message)
      Console.finish()
      Foundation.exit(failure.exitCode)
    }
  }
}
