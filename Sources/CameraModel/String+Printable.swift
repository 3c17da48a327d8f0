extension String {
  /// The text without what a terminal would take for a command, or what would break the line.
  package var printable: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { scalar in
          switch scalar.properties.generalCategory {
          case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse:
            "?"
          default: scalar
          }
        }))
  }

  /// The text as one word: without trailing blanks, others as `_`.
  package var token: String {
    // What nearly all codes are; the rest of this looks each character up.
    if !isEmpty, utf8.allSatisfy({ (0x21...0x7e).contains($0) }) { return self }
    let word = printable.withoutTrailingSpaces.map { $0.isWhitespace ? "_" : $0 }
    return word.isEmpty ? "?" : String(word)
  }

  /// The text without the spaces that fill a four-character code up.
  var withoutTrailingSpaces: String { String(reversed().drop { $0 == " " }.reversed()) }
}
