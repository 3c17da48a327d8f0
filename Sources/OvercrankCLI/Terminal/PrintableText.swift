import Overcrank

extension String {
  /// The text with characters replaced that a terminal obeys: a name may contain some that move its cursor.
  var printable: String { printable(keeping: []) }

  /// Returns the same with some of these characters as they are.
  func printable(keeping kept: Set<Unicode.Scalar>) -> String {
    func isReplaced(_ scalar: Unicode.Scalar) -> Bool { scalar.controlsTerminal && !kept.contains(scalar) }
    guard unicodeScalars.contains(where: isReplaced) else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.map { isReplaced($0) ? "\u{fffd}" : $0 }))
  }

  /// Returns the text, a message, with only the beginnings of what is far longer than a name or a value: of these
  /// arguments of the command line, and of words without spaces, which come from them.
  func shortened(echoing arguments: [String]) -> String {
    let text = arguments.filter(\.isFarTooLong).reduce(self) { $0.replacing($1, with: $1.beginning) }
    guard text.isFarTooLong else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.split(separator: " ", omittingEmptySubsequences: false)
        .map { $0.isFarTooLong ? $0.beginning : String($0) }.joined(separator: " ")
    }.joined(separator: "\n")
  }
}

extension StringProtocol {
  /// Whether it is longer than the path of a file in many folders.
  fileprivate var isFarTooLong: Bool { utf8.count > 1000 }
  fileprivate var beginning: String { prefix(100) + "..." }
}

extension Unicode.Scalar {
  /// Whether a terminal obeys the character rather than shows it: it is a control character, ends a line, or turns the
  /// order of those around it, so that `gpj.exe` reads `exe.jpg`.
  fileprivate var controlsTerminal: Bool {
    switch value {
    case 0x202a...0x202e, 0x2066...0x2069, 0x2028, 0x2029: true
    default: properties.generalCategory == .control
    }
  }
}

extension DefaultStringInterpolation {
  /// Appends a path as people read it: its name may have line breaks, and these must not look like lines of ours.
  mutating func appendInterpolation(_ path: FilePath) { appendLiteral(path.string.printable) }
}
