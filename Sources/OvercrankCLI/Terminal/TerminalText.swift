import Foundation

/// How a line at the foot of a terminal is drawn over.
enum TerminalLine {
  /// Whether the terminal can clear to the end of a line.
  private static let clearsToEnd: Bool = {
    let kind = ProcessInfo.processInfo.environment["TERM"] ?? ""
    return !kind.isEmpty && kind != "dumb"
  }()

  /// Clears a line of `width` columns, and goes back to its start.
  static func erasing(_ width: Int) -> String {
    clearsToEnd ? "\r\u{1B}[K" : "\r" + String(repeating: " ", count: width) + "\r"
  }

  /// Clears what is left of a line of `width` columns behind a new one of `length`.
  static func blank(after length: Int, over width: Int) -> String {
    clearsToEnd ? "\u{1B}[K" : String(repeating: " ", count: max(0, width - length))
  }
}

extension String {
  /// The text with each line that is wider than `columns` broken between words. What follows is
  /// indented as its line is. Commands to copy stay in one piece.
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
      // Spaces that set columns apart have no meaning where a line begins.
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

  /// The line, without as many of its last fields as it takes to fit into `columns`. Fields are two
  /// spaces apart.
  func fittedLine(to columns: Int) -> String {
    var fields = components(separatedBy: "  ")
    while fields.count > 1, fields.joined(separator: "  ").count > columns { fields.removeLast() }
    let line = fields.joined(separator: "  ")
    return line.count > columns ? String(line.prefix(max(0, columns))) : line
  }
}

extension StringProtocol {
  /// How many columns it takes: SGR sequences, which colour it, take none.
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
