import Foundation
import Overcrank
import StudioServer
import Synchronization

/// The program's output: facts go to standard output, everything else to standard error.
///
/// Words never block their caller. Facts may: a pipe that is read slowly still receives all of them.
enum Console {
  private static let output = StandardStream(STDOUT_FILENO)
  /// The same stream as ``output`` if both are one terminal or file, so that output appears in the order in
  /// which it was written.
  private static let errors = isOneFile ? output : StandardStream(STDERR_FILENO)
  private static let isInHurry = Atomic<Bool>(false)

  /// The time without progress on a terminal after which the program ends anyway.
  private static let patience = Duration.seconds(1)

  private static var isOneFile: Bool {
    var (out, err) = (stat(), stat())
    return fstat(STDOUT_FILENO, &out) == 0 && fstat(STDERR_FILENO, &err) == 0
      && (out.st_dev, out.st_ino) == (err.st_dev, err.st_ino)
  }

  /// Prints a fact for people.
  static func say(_ text: String) { output.put(.facts(plain(text) + "\n"), patience: factsPatience) }

  /// Prints a fact whose lines are never wrapped, such as comma-separated values.
  static func sayData(_ text: String) { output.put(.data(text + "\n"), patience: factsPatience) }

  /// Prints a value as JSON, with sorted keys.
  static func sayJSON(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    sayData(String(decoding: try encoder.encode(value), as: UTF8.self))
  }

  /// Prints a message that is not a fact: a warning or a remark.
  static func remark(_ text: String) { errors.put(.words(plain(text) + "\n")) }

  /// Asks the user, and returns whether the answer is yes; `nil` without a terminal.
  static func isConfirmed(_ question: String) -> Bool? {
    guard isatty(STDIN_FILENO) == 1 else { return nil }
    remark("\(question) [y/N]")
    return ["y", "yes"].contains(readLine()?.lowercased() ?? "")
  }

  /// Prints an error, with the program's name, and with only the beginnings of what the user wrote far too long.
  static func complain(_ text: String) {
    errors.put(.words("overcrank: \(plain(text.shortened(echoing: Invocation.arguments)))\n"))
  }

  /// Redraws the status line at the bottom of the terminal; `nil` clears it.
  static func draw(_ line: String?) { if isInteractive { errors.draw(line.map(plain)) } }

  /// Returns `text` without what a terminal obeys, except line breaks and tabs: a file's name must not control
  /// the terminal.
  private static func plain(_ text: String) -> String { text.printable(keeping: ["\n", "\t"]) }

  /// Clears the line into which the terminal echoed a key such as Ctrl-C.
  static func noteEcho() { errors.noteEcho() }

  /// From now on, facts wait for a terminal no longer than words do, because the program is about to end.
  static func hurry() { isInHurry.store(true, ordering: .relaxed) }

  /// Waits until all output has been written, or until its reader takes no more.
  ///
  /// - Parameter isForced: whether the program ends at once, whatever is still waiting.
  static func finish(isForced: Bool = false) {
    draw(nil)
    output.drain { isForced ? .milliseconds(100) : factsPatience() }
    errors.drain { isForced ? .milliseconds(100) : patience }
  }

  /// Throws if a fact could not be printed. To be called at the very end.
  ///
  /// - Throws: ``Failure``.
  static func checkOutput() throws(Failure) {
    output.drain(patience: factsPatience)
    let error = output.factsErrno
    guard error != 0 else { return }
    let answer = Errno(rawValue: error)
    let remedy = answer == .badFileDescriptor ? "It is closed." : answer.remedy
    throw Failure(
      ["Standard output could not be written: \(answer.inWords).", remedy, "Everything else was done."]
        .compactMap(\.self).joined(separator: " "),
      exitCode: ExitStatus.inputOutput)
  }

  private static func factsPatience() -> Duration? {
    output.isTerminal && isInHurry.load(ordering: .relaxed) ? patience : nil
  }

  /// The number of columns of the terminal for facts; `nil` if they go to a pipe or a file.
  ///
  /// `COLUMNS` takes precedence over the terminal's answer; without either, the width is 80.
  static var width: Int? {
    guard isatty(STDOUT_FILENO) == 1 else { return nil }
    if let text = ProcessInfo.processInfo.environment["COLUMNS"], let columns = Int(text), columns > 0 {
      return columns
    }
    return columns(of: STDOUT_FILENO)
  }

  /// Returns the current number of columns of the terminal at `descriptor`; 80 if it is unknown.
  static func columns(of descriptor: Int32) -> Int {
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return isKnown ? Int(size.ws_col) : 80
  }

  /// Prints lines of dark and light squares as they are, if standard output is a terminal that is wide enough, and has
  /// colours and UTF-8.
  static func sayCode(_ code: QRCode) {
    let environment = ProcessInfo.processInfo.environment
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    guard hasColour, locale.uppercased().replacing("-", with: "").hasSuffix("UTF8"),
      code.side + 8 <= columns(of: STDOUT_FILENO)
    else { return }
    // Two rows a line, dark on light whatever the terminal's colours are.
    let lines = stride(from: -4, to: code.side + 4, by: 2).map { row in
      let squares = (-4..<code.side + 4).map { column in
        switch (code[column, row], code[column, row + 1]) {
        case (false, false): " "
        case (true, false): "\u{2580}"
        case (false, true): "\u{2584}"
        case (true, true): "\u{2588}"
        }
      }
      return "\u{1b}[30;107m\(squares.joined())\u{1b}[0m"
    }
    sayData(lines.joined(separator: "\n"))
  }

  /// Whether facts may be coloured: only on a terminal, and unless `NO_COLOR` or a dumb terminal forbids it.
  static var hasColour: Bool {
    let environment = ProcessInfo.processInfo.environment
    return isatty(STDOUT_FILENO) == 1 && (environment["NO_COLOR"] ?? "").isEmpty
      && environment["TERM"] != "dumb"
  }

  /// Whether standard error is a terminal, on which a line can be redrawn.
  static let isInteractive = isatty(STDERR_FILENO) == 1
}
