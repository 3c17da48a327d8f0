import Foundation

/// Where words go: facts to standard output, everything else to standard error.
enum Console {
  /// Prints a fact.
  static func say(_ text: String) {
    write(text + "\n", to: .standardOutput)
  }

  /// Prints a word that is no fact: a warning, a remark.
  static func remark(_ text: String) {
    write(text + "\n", to: .standardError)
  }

  /// Prints an error, with the program's name.
  static func complain(_ text: String) {
    write("overcrank: \(text)\n", to: .standardError)
  }

  static func write(_ text: String, to handle: FileHandle) {
    // A closed pipe or a full disk behind standard output is no reason to lose a recording.
    try? handle.write(contentsOf: Data(text.utf8))
  }

  /// Prints a value as JSON, keys in order.
  static func sayJSON(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    say(String(decoding: try encoder.encode(value), as: UTF8.self))
  }

  /// Whether standard error is a terminal on which a line may be drawn over and over.
  static var isInteractive: Bool { isatty(STDERR_FILENO) == 1 }
}
