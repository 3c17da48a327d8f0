import ArgumentParser

/// A rule about options that exclude or need each other.
///
/// An option is written as it is typed: by its name, or with a value if only that value matters, as in
/// `--fill flow`. Two options that matter only together are written as one: `--fps --largest`.
struct OptionRule: Sendable {
  enum Relation {
    /// Only one of the options may be given.
    case rival
    /// The options have no meaning with any of the others.
    case excluded
    /// The options have no meaning without one of the others.
    case needing
  }

  let relation: Relation
  /// The options that the rule restricts.
  let options: [String]
  /// The options that rule them out, or that they need.
  let others: [String]
  /// The message: `{}` stands for the option, `{other}` for the one that excludes it.
  let message: String
  /// The commands to which the rule applies; empty for all.
  var commands: Set<String> = []

  /// Returns the message for the options that were given, or `nil` if they are compatible.
  func refusal(of given: [String]) -> String? {
    let other = others.first(where: given.contains)
    guard let option = options.first(where: given.contains), (other == nil) == (relation == .needing) else {
      return nil
    }
    return message.replacing("{}", with: option).replacing("{other}", with: other ?? "")
  }
}

/// Options with rules about which go together.
protocol RuledOptions: ParsableArguments {
  /// The options that were given, in the notation of ``OptionRule``.
  var given: [String] { get }
}

extension RuledOptions {
  func validate() throws { try refuseConflicts() }

  /// Throws if options conflict.
  func refuseConflicts() throws {
    let command = (Self.self as? any ParsableCommand.Type)?.configuration.commandName
    let given = given
    for rule in OptionRule.all where rule.isAbout(command) {
      if let refusal = rule.refusal(of: given) { throw ValidationError(refusal) }
    }
  }
}

extension RuledOptions {
  /// Does the same while the command runs, once it knows what its arguments mean.
  func refuseConflictsLate() throws {
    do { try refuseConflicts() } catch let error as ValidationError {
      throw Failure(error.message, exitCode: ExitStatus.usage)
    }
  }
}

extension OptionRule {
  /// Returns whether the rule applies to a command; `nil` is an unknown one.
  func isAbout(_ command: String?) -> Bool {
    commands.isEmpty || command.map(commands.contains) ?? false
  }

  /// Returns the names of a command's options that are rivals of `options`.
  static func rivals(of options: Set<String>, in command: String) -> Set<String> {
    all.filter { $0.relation == .rival && $0.isAbout(command) }.reduce(into: []) { rivals, rule in
      if !options.isDisjoint(with: rule.options) { rivals.formUnion(rule.others) }
      if !options.isDisjoint(with: rule.others) { rivals.formUnion(rule.options) }
    }
  }
}

extension [String] {
  /// Creates a list of the options that were given.
  init(given options: KeyValuePairs<String, Bool>) { self = options.filter(\.value).map(\.key) }
}
