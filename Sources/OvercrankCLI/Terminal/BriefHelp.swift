import ArgumentParser

/// The help of a command with many options: `--help` shows those that most people need, `--help-all` the rest.
///
/// Completions, man pages and messages know every option: only a question for the brief help hides any.
enum BriefHelp {
  /// The option that asks for all of the help.
  static let wholeName = "--help-all"

  private static let question = Invocation.arguments.prefix { $0 != "--" }
  /// Whether help is asked for, be it brief or whole.
  private static let isHelpWanted =
    question.first == "help" || question.contains { ["-h", "--help", wholeName].contains($0) }
  /// The commands that have so many: all others show theirs at once.
  private static let commands: Set = ["bench", "record", "retime", "snap"]
  /// Whether options that few need are left out.
  fileprivate static let isWanted =
    isHelpWanted && !question.contains(wholeName) && !commands.isDisjoint(with: question)

  fileprivate static func asks(about command: String) -> Bool { isWanted && question.contains(command) }

  /// The discussion of a command: examples, where help is asked for, then the rest of it, where all is.
  static func discussion(examples: String, _ whole: String) -> String {
    let parts = isHelpWanted ? ["Examples:\n" + examples] : []
    return (parts + (isWanted ? [] : [whole])).joined(separator: "\n\n")
  }

  /// The words that the parser knows: for it, there is one kind of help.
  static func parsed(_ arguments: [String]) -> [String] {
    question.contains(wholeName) ? arguments.map { $0 == wholeName ? "--help" : $0 } : arguments
  }

  /// Help as it is read: a command's own commands come before its options, and what is said of them comes last.
  static func arranged(_ help: String) -> String {
    let blocks = help.components(separatedBy: "\n\n")
    guard let usage = blocks.firstIndex(where: { $0.hasPrefix("USAGE:") }),
      let options = blocks.firstIndex(where: { $0.hasPrefix("OPTIONS:") }),
      let commands = blocks.firstIndex(where: { $0.hasPrefix("SUBCOMMANDS:") }), options + 1 == commands
    else { return help }
    return
      ([blocks[0], blocks[usage], blocks[commands], blocks[options]] + blocks[1..<usage]
      + blocks[(commands + 1)...]).joined(separator: "\n\n")
  }
}

/// The flag of commands that have more options than `--help` shows.
struct WholeHelp: ParsableArguments {
  @Flag(name: .customLong("help-all"), help: "Show all options.")
  var isAskedFor = false
}

extension ArgumentVisibility {
  /// Of options that few need.
  static var rare: Self { BriefHelp.isWanted ? .hidden : .default }

  /// Of options that few need with this command.
  static func rare(in command: String) -> Self { BriefHelp.asks(about: command) ? .hidden : .default }
}

extension String {
  /// The text, or nothing in the brief help: the part of an option's discussion that only `--help-all` shows.
  var rare: String { BriefHelp.isWanted ? "" : self }
}
