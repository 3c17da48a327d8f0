import Foundation
import Synchronization

/// Where words go: facts to standard output, everything else to standard error.
enum Console {
  /// Why facts did not get to where they should, as an errno; 0 where they did.
  private static let outputErrno = Atomic<Int32>(0)

  /// Prints a fact.
  static func say(_ text: String) {
    let error = write(text + "\n", to: STDOUT_FILENO)
    // A reader that leaves early, as head does, has what it wants.
    if error != 0, error != EPIPE { outputErrno.store(error, ordering: .relaxed) }
  }

  /// - Throws: ``Failure`` where a fact could not be printed: to be called when all is done.
  static func checkOutput() throws(Failure) {
    let error = outputErrno.load(ordering: .relaxed)
    guard error != 0 else { return }
    throw Failure(
      "Standard output could not be written: \(String(cString: strerror(error))) (errno \(error)). All else was done.",
      exitCode: ExitStatus.inputOutput)
  }

  /// Prints a word that is no fact: a warning, a remark.
  static func remark(_ text: String) {
    write(text + "\n", to: STDERR_FILENO)
  }

  /// Prints an error, with the program's name.
  static func complain(_ text: String) {
    write("overcrank: \(text)\n", to: STDERR_FILENO)
  }

  /// Writes to a standard stream; returns the errno where that failed, as it is no reason to lose a recording.
  @discardableResult
  static func write(_ text: String, to descriptor: Int32) -> Int32 {
    Array(text.utf8).withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Foundation.write(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno != EINTR { return errno }
        rest = rest.dropFirst(max(0, count))
      }
      return 0
    }
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
