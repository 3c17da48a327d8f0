extension String {
  /// The text with `?` for characters that a terminal would interpret, or that would break the line.
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
    // A fast path for nearly all codes; the rest looks up each character.
    if !isEmpty, utf8.allSatisfy({ (0x21...0x7e).contains($0) }) { return self }
    let word = printable.withoutTrailingSpaces.map { $0.isWhitespace ? "_" : $0 }
    return word.isEmpty ? "?" : String(word)
  }

  /// The text without the spaces that pad a four-character code.
  var withoutTrailingSpaces: String { String(reversed().drop { $0 == " " }.reversed()) }
}
