import ArgumentParser

/// The help of a command with many options: `--help` shows the common ones, `--help-all` shows all.
///
/// Completions, man pages and messages know every option: options are hidden only if brief help is requested.
enum BriefHelp {
  /// The option that requests the complete help.
  static let wholeName = "--help-all"

  private static let question = Invocation.arguments.prefix { $0 != "--" }
  /// Whether help is requested, brief or complete.
  private static let isHelpWanted =
    question.first == "help" || question.contains { ["-h", "--help", wholeName].contains($0) }
  /// The commands with so many options; the others show all of theirs at once.
  private static let commands: Set = ["bench", "edit", "record", "retime", "snap"]
  /// Whether to hide rarely needed options.
  fileprivate static let isWanted =
    isHelpWanted && !question.contains(wholeName) && !commands.isDisjoint(with: question)

  fileprivate static func asks(about command: String) -> Bool { isWanted && question.contains(command) }

  /// Returns the discussion of a command: examples if help is requested, and the rest unless the help is
  /// brief.
  static func discussion(examples: String, _ whole: String) -> String {
    let parts = isHelpWanted ? ["Examples:\n" + examples] : []
    return (parts + (isWanted ? [] : [whole])).joined(separator: "\n\n")
  }

  /// Returns the arguments for the parser, which knows only one kind of help.
  static func parsed(_ arguments: [String]) -> [String] {
    question.contains(wholeName) ? arguments.map { $0 == wholeName ? "--help" : $0 } : arguments
  }

  /// Returns `help` in reading order: a command's subcommands before its options, and its discussion last.
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

/// The flag of commands with more options than `--help` shows.
struct FullHelp: ParsableArguments {
  @Flag(name: .customLong("help-all"), help: "Show all options.")
  var isRequested = false
}

extension ArgumentVisibility {
  /// The visibility of rarely needed options.
  static var rare: Self { BriefHelp.isWanted ? .hidden : .default }

  /// Returns the visibility of options that are rarely needed with `command`.
  static func rare(in command: String) -> Self { BriefHelp.asks(about: command) ? .hidden : .default }
}

extension String {
  /// The text, or nothing in brief help: the part of an option's discussion for `--help-all` only.
  var rare: String { BriefHelp.isWanted ? "" : self }
}
