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

  /// Columns of the terminal that facts go to; `nil` where they go into a pipe or a file.
  ///
  /// `COLUMNS` goes before what the terminal says; one that says nothing counts as 80 columns wide.
  static var width: Int? {
    guard isatty(STDOUT_FILENO) == 1 else { return nil }
    if let text = ProcessInfo.processInfo.environment["COLUMNS"], let columns = Int(text), columns > 0 {
      return columns
    }
    var size = winsize()
    let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return isKnown ? Int(size.ws_col) : 80
  }

  /// Whether facts may be coloured: only on a terminal, and not where `NO_COLOR` or a dumb terminal forbids it.
  static var hasColour: Bool {
    let environment = ProcessInfo.processInfo.environment
    return isatty(STDOUT_FILENO) == 1 && (environment["NO_COLOR"] ?? "").isEmpty
      && environment["TERM"] != "dumb"
  }

  /// Whether standard error is a terminal on which a line may be drawn over and over.
  static var isInteractive: Bool { isatty(STDERR_FILENO) == 1 }
}
