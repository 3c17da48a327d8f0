import ArgumentParser

/// A row of the table of options that do not go together, or not without another.
///
/// An option stands as it is typed: by its name, or with a value where only that one matters, as in `--fill flow`. Two
/// that matter together are one: `--fps --largest`.
struct OptionRule: Sendable {
  enum Relation {
    /// One of both is enough.
    case rival
    /// The options have no meaning beside any of the others.
    case excluded
    /// The options have no meaning without one of the others.
    case needing
  }

  let relation: Relation
  /// The relation that is refused.
  let options: [String]
  /// Beside what, or without what.
  let others: [String]
  /// The message: `{}` is the option, `{other}` the one beside it.
  let message: String
  /// The commands that it is about; empty for all.
  var commands: Set<String> = []

  /// Returns the message for the options that were given; `nil` where they go together.
  func refusal(of given: [String]) -> String? {
    let other = others.first(where: given.contains)
    guard let option = options.first(where: given.contains), (other == nil) == (relation == .needing) else {
      return nil
    }
    return message.replacing("{}", with: option).replacing("{other}", with: other ?? "")
  }
}

/// Options of which not all go together.
protocol RuledOptions: ParsableArguments {
  /// Those that were given, as ``OptionRule`` has them.
  var given: [String] { get }
}

extension RuledOptions {
  func validate() throws { try refuseConflicts() }

  /// Refuses options that do not go together.
  func refuseConflicts() throws {
    let command = (Self.self as? any ParsableCommand.Type)?.configuration.commandName
    let given = given
    for rule in OptionRule.all where rule.isAbout(command) {
      if let refusal = rule.refusal(of: given) { throw ValidationError(refusal) }
    }
  }
}

extension OptionRule {
  /// Whether it holds for a command; `nil` is one that is not known.
  func isAbout(_ command: String?) -> Bool {
    commands.isEmpty || command.map(commands.contains) ?? false
  }

  /// The options of a command that give way to `options`, by their names.
  static func rivals(of options: Set<String>, in command: String) -> Set<String> {
    all.filter { $0.relation == .rival && $0.isAbout(command) }.reduce(into: []) { rivals, rule in
      if !options.isDisjoint(with: rule.options) { rivals.formUnion(rule.others) }
      if !options.isDisjoint(with: rule.others) { rivals.formUnion(rule.options) }
    }
  }
}

extension [String] {
  /// The options that were given.
  init(given options: KeyValuePairs<String, Bool>) { self = options.filter(\.value).map(\.key) }
}
