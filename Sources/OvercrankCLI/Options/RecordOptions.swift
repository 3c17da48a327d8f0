import ArgumentParser
import Foundation

/// The options of `record`, or of another command with setups, read from the parser, so that a new option works in a
/// setup without being listed here.
struct RecordOptions {
  /// An option, a flag, or the camera argument.
  struct Option {
    /// The key in a setup: the option's long name without hyphens, or the argument's name.
    var key: String
    /// The names with hyphens; empty for the cameras.
    var names: [String]
    var takesValue: Bool
    var isRepeating: Bool
  }

  let options: [Option]
  private let places: [String: Int]

  /// The options of `record`.
  static let all = RecordOptions(of: RecordCommand.self)
  /// The options of `studio`.
  static let ofStudio = RecordOptions(of: StudioCommand.self)

  /// The options that a setup may not contain.
  private static let excluded: Set<String> = ["help", "help-all", "version", "setup"]

  private init<Command: ParsableCommand>(of command: Command.Type) {
    let dump = (try? JSONDecoder().decode(Dump.self, from: Data(command._dumpHelp().utf8)))
    var options: [Option] = []
    for argument in dump?.command.arguments ?? [] {
      let names = (argument.names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name }
      let long = (argument.names ?? []).first { $0.kind == "long" }?.name
      guard let key = long ?? (argument.kind == "positional" ? argument.valueName : nil),
        !Self.excluded.contains(key)
      else { continue }
      options.append(
        Option(
          key: key, names: names, takesValue: argument.kind != "flag",
          isRepeating: argument.isRepeating))
    }
    self.options = options
    places = Dictionary(
      options.enumerated().flatMap { place, option in option.names.map { ($0, place) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// The part of the parser's self-description that is needed here.
  private struct Dump: Decodable {
    struct Name: Decodable {
      var kind: String
      var name: String
    }
    struct Argument: Decodable {
      var kind: String
      var isRepeating: Bool
      var names: [Name]?
      var valueName: String?
    }
    struct Command: Decodable { var arguments: [Argument]? }
    var command: Command
  }

  /// The option with the setup key `key`, which may be a former name; `nil` if there is none.
  subscript(key: String) -> Option? { options.first { $0.key == key || $0.names.contains("--\(key)") } }

  /// Returns the key and the value of each option in `arguments`, in order; unknown ones are skipped.
  func given(in arguments: [String]) -> [(key: String, value: String?)] {
    parts(of: arguments).flatMap(\.given)
  }

  /// Returns `arguments` without the cameras, and without the options of `keys` and their values.
  func words(of arguments: [String], without keys: Set<String>) -> [String] {
    parts(of: arguments).filter { !$0.given.contains { keys.contains($0.key) } }.flatMap(\.words)
  }

  /// The words of a command line that belong together: an option with its value, combined flags, or a camera.
  private struct Part {
    var given: [(key: String, value: String?)] = []
    /// The words, unless they name a camera.
    var words: [String] = []
  }

  private func parts(of arguments: [String]) -> [Part] {
    var found: [Part] = []
    let camera = options.first { $0.names.isEmpty }?.key
    func part(ofCamera word: String) -> Part { Part(given: camera.map { [($0, word)] } ?? []) }
    var rest = arguments[...]
    while let word = rest.popFirst() {
      if word == "--" {
        found += rest.map(part(ofCamera:))
        break
      }
      guard word.hasPrefix("-"), word.count > 1 else {
        found.append(part(ofCamera: word))
        continue
      }
      let halves = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      var part = Part(words: [word])
      if let place = places[halves[0]] {
        let option = options[place]
        let next = halves.count == 1 && option.takesValue ? rest.popFirst() : nil
        part.given = [(option.key, halves.count == 2 ? halves[1] : next)]
        part.words += [next].compactMap(\.self)
      } else if halves.count == 1, !word.hasPrefix("--") {
        // Flags combined in one word, such as -qv.
        for letter in word.dropFirst() {
          if let place = places["-\(letter)"] { part.given.append((options[place].key, nil)) }
        }
      } else if halves == ["--setup"], let name = rest.popFirst() {
        part.words.append(name)
      }
      found.append(part)
    }
    return found
  }
}
