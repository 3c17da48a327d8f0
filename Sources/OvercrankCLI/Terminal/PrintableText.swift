import Overcrank

extension String {
  /// The text with control characters replaced: a file may contain some that move a terminal's cursor.
  var printable: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{fffd}" : $0 }))
  }
}

extension DefaultStringInterpolation {
  /// Appends a path as people read it: its name may have line breaks, and these must not look like lines of ours.
  mutating func appendInterpolation(_ path: FilePath) { appendLiteral(path.string.printable) }
}
