import ArgumentParser
import Overcrank

/// A command line of `record` or `studio`, expanded by its setup.
struct SetupExpansion {
  /// The arguments to parse.
  let arguments: [String]
  /// The setup; `nil` if none is named.
  private let setup: Setup?
  /// The entries taken from the setup, with the words that they stand for.
  private let used: [(entry: Setup.Entry, words: [String])]

  /// Inserts the options of the setup that `--setup` names before those of the command line, which take
  /// precedence.
  ///
  /// - Throws: `OvercrankError`; `ProfileError` if a key is not an option.
  init(_ arguments: [String]) throws {
    // The options last: to list them takes as long as to parse the arguments.
    guard let name = Self.name(in: arguments.dropFirst()), let options = Self.options(of: arguments.first)
    else {
      (self.arguments, setup, used) = (arguments, nil, [])
      return
    }
    let setup = try Setup(named: name)
    // The studio may save its settings to the setup again.
    if arguments[0] == RecordCommand.configuration.commandName { try FileLock.keepInput(setup.file) }
    let given = Set(options.given(in: Array(arguments.dropFirst())).map(\.key))
    let rivals = OptionRule.rivals(of: Set(given.map { "--\($0)" }), in: arguments[0])
    let used = try Self.words(of: setup).filter {
      options[$0.entry.key] != nil && !given.contains($0.entry.key) && !rivals.contains("--\($0.entry.key)")
    }
    self.setup = setup
    self.used = used
    self.arguments = [arguments[0]] + used.flatMap(\.words) + arguments.dropFirst()
  }

  /// Returns the options of a command that takes a setup; `nil` for other commands.
  private static func options(of command: String?) -> RecordOptions? {
    switch command {
    case RecordCommand.configuration.commandName: .all
    case StudioCommand.configuration.commandName: .ofStudio
    default: nil
    }
  }

  /// Returns the command line's words for each option of `setup`.
  ///
  /// - Throws: `ProfileError` if a key is not an option, or has the wrong number of values.
  static func words(of setup: Setup) throws(ProfileError) -> [(entry: Setup.Entry, words: [String])] {
    var all: [(Setup.Entry, [String])] = []
    for entry in setup.entries {
      func failure(_ problem: String) -> ProfileError { error(in: setup, entry, problem) }
      guard let option = RecordOptions.all[entry.key] else {
        let near = RecordOptions.all.options.map(\.key).near(entry.key).prefix(3)
        throw failure(
          "record has no such option"
            + (near.isEmpty
              ? "; \"overcrank record --help-all\" lists all"
              : "; similar options: \(near.joined(separator: ", "))"))
      }
      guard option.takesValue else {
        switch entry.values.first?.lowercased() {
        case "true", "yes", "on": all.append((entry, ["--\(option.key)"]))
        case "false", "no", "off":
          let opposite = option.key.hasPrefix("no-") ? String(option.key.dropFirst(3)) : "no-\(option.key)"
          all.append((entry, RecordOptions.all[opposite].map { ["--\($0.key)"] } ?? []))
        default: throw failure("expected true or false")
        }
        continue
      }
      guard entry.values.count == 1 || option.isRepeating, !entry.values.isEmpty else {
        throw failure("expected a single value")
      }
      if option.names.isEmpty, let word = entry.values.first(where: { $0.hasPrefix("-") }) {
        throw failure("\"\(word)\" is an option, not a camera; put it on a line of its own")
      }
      let name = "--\(entry.key)"
      all.append((entry, option.names.isEmpty ? entry.values : entry.values.map { "\(name)=\($0)" }))
    }
    return all
  }

  /// Returns the setup's fault if a single key of it causes the parser's `error`; `nil` if the command line
  /// is at fault, or a combination of two options.
  func fault(for error: any Error) -> ProfileError? {
    guard let setup else { return nil }
    return Self.fault(for: error, in: setup, used)
  }

  /// Returns the fault of `setup` by itself, or `nil` if it has none.
  ///
  /// An option that needs another one is not a fault, because the other may be on the command line.
  static func fault(in setup: Setup) -> ProfileError? {
    do throws(ProfileError) {
      let used = try words(of: setup)
      let command: RecordCommand
      do { command = try RecordCommand.parse(used.flatMap(\.words)) } catch {
        return fault(for: error, in: setup, used)
      }
      guard let (entry, _) = used.last(where: { $0.entry.key == "speed" }) else { return nil }
      // The curve may be in a file, which the parser does not read.
      do { _ = try command.clip.speed?.curve() } catch {
        return Self.error(in: setup, entry, Failure(error)?.message ?? "\(error)")
      }
      return nil
    } catch {
      return error
    }
  }

  private static func fault(
    for error: any Error, in setup: Setup, _ used: [(entry: Setup.Entry, words: [String])]
  ) -> ProfileError? {
    let message = RecordCommand.message(for: error)
    for (entry, words) in used {
      do {
        _ = try RecordCommand.parse(words)
      } catch {
        guard RecordCommand.message(for: error) == message, !isAboutOthers(message, than: entry) else {
          continue
        }
        return Self.error(in: setup, entry, UsageAdvice.words(error, ofRecording: words))
      }
    }
    return nil
  }

  /// Returns whether `message` names an option other than that of `entry`. Such an option may be needed, and
  /// given on the command line.
  private static func isAboutOthers(_ message: String, than entry: Setup.Entry) -> Bool {
    // A value may look like an option.
    let words = entry.values.reduce(message) { $0.replacing($1, with: "") }
    return words.matches(of: /--([a-z][a-z-]*)/).contains { $0.output.1 != entry.key }
  }

  private static func error(in setup: Setup, _ entry: Setup.Entry, _ problem: String) -> ProfileError {
    ProfileError(
      file: setup.file.string, line: entry.line, key: entry.key,
      // The error adds a full stop itself.
      problem: problem.hasSuffix(".") ? String(problem.dropLast()) : problem)
  }

  /// Returns the setup that is named last, or `nil` if none is.
  private static func name(in arguments: ArraySlice<String>) -> String? {
    var name: String?
    var rest = arguments
    while let word = rest.popFirst(), word != "--" {
      if word == "--setup" {
        name = rest.popFirst() ?? name
      } else if word.hasPrefix("--setup=") {
        name = String(word.dropFirst(8))
      }
    }
    return name
  }
}
