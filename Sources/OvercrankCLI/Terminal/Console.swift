import Foundation
import Overcrank
import Synchronization

/// Where words go: facts to standard output, everything else to standard error.
///
/// Words never hold up who says them. Facts may: a pipe that is read slowly gets all of them.
enum Console {
  private static let output = StandardStream(STDOUT_FILENO)
  /// The same as ``output`` where both are one terminal or file, so that what is said in turn is
  /// shown in turn.
  private static let errors = isOneFile ? output : StandardStream(STDERR_FILENO)
  private static let isInHurry = Atomic<Bool>(false)

  /// How long a person's terminal may take nothing before the program ends all the same.
  private static let patience = Duration.seconds(1)

  private static var isOneFile: Bool {
    var (out, err) = (stat(), stat())
    return fstat(STDOUT_FILENO, &out) == 0 && fstat(STDERR_FILENO, &err) == 0
      && (out.st_dev, out.st_ino) == (err.st_dev, err.st_ino)
  }

  /// Prints a fact for people.
  static func say(_ text: String) { output.put(.facts(text + "\n"), patience: factsPatience) }

  /// Prints a fact whose lines are never wrapped, such as comma-separated values.
  static func sayData(_ text: String) { output.put(.data(text + "\n"), patience: factsPatience) }

  /// Prints a value as JSON, keys in order.
  static func sayJSON(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    sayData(String(decoding: try encoder.encode(value), as: UTF8.self))
  }

  /// Prints a word that is no fact: a warning, a remark.
  static func remark(_ text: String) { errors.put(.words(text + "\n")) }

  /// Prints an error, with the program's name.
  static func complain(_ text: String) { errors.put(.words("overcrank: \(text)\n")) }

  /// Draws the line at the foot of the terminal anew; `nil` clears it.
  static func draw(_ line: String?) { if isInteractive { errors.draw(line) } }

  /// Clears the line that a key such as Ctrl-C was echoed into.
  static func noteEcho() { errors.noteEcho() }

  /// From now on facts wait for a terminal no longer than words do: the work is done, and the program
  /// is to end.
  static func hurry() { isInHurry.store(true, ordering: .relaxed) }

  /// Waits until all that was said has been written, or nobody takes it.
  ///
  /// - Parameter isForced: whether the program ends at once, whatever waits.
  static func finish(isForced: Bool = false) {
    draw(nil)
    output.drain { isForced ? .milliseconds(100) : factsPatience() }
    errors.drain { isForced ? .milliseconds(100) : patience }
  }

  /// - Throws: ``Failure`` where a fact could not be printed: to be called when all is done.
  static func checkOutput() throws(Failure) {
    output.drain(patience: factsPatience)
    let error = output.factsErrno
    guard error != 0 else { return }
    let answer = Errno(rawValue: error)
    let remedy = answer == .badFileDescriptor ? "It is closed." : answer.remedy
    throw Failure(
      ["Standard output could not be written: \(answer.inWords).", remedy, "All else was done."]
        .compactMap(\.self).joined(separator: " "),
      exitCode: ExitStatus.inputOutput)
  }

  private static func factsPatience() -> Duration? {
    output.isTerminal && isInHurry.load(ordering: .relaxed) ? patience : nil
  }

  /// Columns of the terminal that facts go to; `nil` where they go into a pipe or a file.
  ///
  /// `COLUMNS` goes before what the terminal says; one that says nothing counts as 80 columns wide.
  static var width: Int? {
    guard isatty(STDOUT_FILENO) == 1 else { return nil }
    if let text = ProcessInfo.processInfo.environment["COLUMNS"], let columns = Int(text), columns > 0 {
      return columns
    }
    return columns(of: STDOUT_FILENO)
  }

  /// Columns of the terminal at `descriptor` just now; 80 where it does not say.
  static func columns(of descriptor: Int32) -> Int {
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return isKnown ? Int(size.ws_col) : 80
  }

  /// Whether facts may be coloured: only on a terminal, and not where `NO_COLOR` or a dumb terminal forbids it.
  static var hasColour: Bool {
    let environment = ProcessInfo.processInfo.environment
    return isatty(STDOUT_FILENO) == 1 && (environment["NO_COLOR"] ?? "").isEmpty
      && environment["TERM"] != "dumb"
  }

  /// Whether standard error is a terminal on which a line may be drawn over and over.
  static let isInteractive = isatty(STDERR_FILENO) == 1
}
