import Foundation

/// The control sequences that redraw a terminal's status line.
enum TerminalLine {
  /// Whether the terminal can clear to the end of a line.
  private static let clearsToEnd: Bool = {
    let kind = ProcessInfo.processInfo.environment["TERM"] ?? ""
    return !kind.isEmpty && kind != "dumb"
  }()

  /// Returns the sequence that clears a line of `width` columns, and returns to its start.
  static func erasing(_ width: Int) -> String {
    clearsToEnd ? "\r\u{1B}[K" : "\r" + String(repeating: " ", count: width) + "\r"
  }

  /// Returns the sequence that clears the rest of a line of `width` columns after a new one of `length`.
  static func blank(after length: Int, over width: Int) -> String {
    clearsToEnd ? "\u{1B}[K" : String(repeating: " ", count: max(0, width - length))
  }
}

extension String {
  /// Returns the text with each line that is wider than `columns` broken between words. Continuations have
  /// the indentation of their line. Commands to copy are not broken.
  func wrapped(to columns: Int) -> String {
    split(separator: "\n", omittingEmptySubsequences: false)
      .flatMap { Self.wrapped($0, to: columns) }.joined(separator: "\n")
  }

  private static func wrapped(_ line: Substring, to columns: Int) -> [String] {
    let indent = line.prefix { $0 == " " }
    let isCommand = line.dropFirst(indent.count).hasPrefix("overcrank ")
    guard columns > indent.count, line.visibleCount > columns, !isCommand else { return [String(line)] }
    var lines: [String] = []
    var current = String(indent)
    var isEmpty = true
    for word in line.dropFirst(indent.count).split(separator: " ", omittingEmptySubsequences: false) {
      if !isEmpty, current.visibleCount + 1 + word.visibleCount > columns {
        lines.append(current.trimmingTrailingSpaces)
        current = String(indent)
        isEmpty = true
      }
      // Spaces between columns have no meaning at the start of a line.
      if isEmpty, word.isEmpty { continue }
      current += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return lines + [current]
  }

  private var trimmingTrailingSpaces: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }

  /// Returns the line without as many of its last fields as necessary to fit `columns`. Fields are separated
  /// by two spaces.
  func fittedLine(to columns: Int) -> String {
    var fields = components(separatedBy: "  ")
    while fields.count > 1, fields.joined(separator: "  ").count > columns { fields.removeLast() }
    let line = fields.joined(separator: "  ")
    return line.count > columns ? String(line.prefix(max(0, columns))) : line
  }
}

extension StringProtocol {
  /// The number of columns on a terminal; SGR sequences, which set colours, take none.
  fileprivate var visibleCount: Int {
    guard contains("\u{1B}") else { return count }
    var (count, isSequence) = (0, false)
    for character in self {
      if character == "\u{1B}" { isSequence = true }
      if !isSequence { count += 1 }
      if isSequence, character == "m" { isSequence = false }
    }
    return count
  }
}
