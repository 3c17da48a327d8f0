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
    var found: [(String, String?)] = []
    let camera = options.first { $0.names.isEmpty }?.key
    var rest = arguments[...]
    while let word = rest.popFirst() {
      if word == "--" {
        if let camera { found += rest.map { (camera, $0) } }
        break
      }
      guard word.hasPrefix("-"), word.count > 1 else {
        if let camera { found.append((camera, word)) }
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      if let place = places[parts[0]] {
        let option = options[place]
        let value = parts.count == 2 ? parts[1] : option.takesValue ? rest.popFirst() : nil
        found.append((option.key, value))
      } else if parts.count == 1, !word.hasPrefix("--") {
        // Flags combined in one word, such as -qv.
        for letter in word.dropFirst() {
          if let place = places["-\(letter)"] { found.append((options[place].key, nil)) }
        }
      } else if parts[0] == "--setup", parts.count == 1 {
        _ = rest.popFirst()
      }
    }
    return found
  }
}
