import Yams

/// A YAML file of keys, each with a value or a list of values, all kept as the text that was written.
package enum FlatYAML {
  /// A key and its values.
  package struct Entry: Hashable, Sendable {
    /// The key.
    package var key: String
    /// Its line, counted from 1.
    package var line: Int?
    /// Its values, in order.
    package var values: [String]
  }

  /// Returns the entries of `yaml`, in order; none for an empty file.
  ///
  /// - Parameter file: the file's name, for the message.
  /// - Throws: ``ProfileError``, which names the line and the key.
  package static func entries(of yaml: String, named file: String) throws(ProfileError) -> [Entry] {
    let lines = yaml.split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace) }
    guard lines.contains(where: { !$0.isEmpty && !$0.hasPrefix("#") }) else { return [] }
    let root = try Profile.compose(yaml, named: file)
    guard case .mapping(let pairs) = root else {
      throw ProfileError(
        file: file, line: root.mark?.line, key: nil, problem: "expected keys with values")
    }
    var entries: [Entry] = []
    for (key, value) in pairs {
      guard let name = key.string else {
        throw ProfileError(
          file: file, line: key.mark?.line, key: nil, problem: "expected the name of an option")
      }
      let values: [String?] =
        switch value {
        case .scalar(let scalar): [scalar.string]
        case .sequence(let items): items.map { $0.scalar?.string }
        default: [nil]
        }
      let texts = values.compactMap(\.self)
      guard texts.count == values.count else {
        throw ProfileError(
          file: file, line: key.mark?.line, key: name, problem: "expected a value or a list of values")
      }
      entries.append(Entry(key: name, line: key.mark?.line, values: texts))
    }
    return entries
  }

  /// Returns the text of a file with these keys and values.
  package static func text(_ entries: [(key: String, values: [String])]) -> String {
    entries.map { key, values in
      let texts = values.map(quoted)
      return "\(key): " + (texts.count == 1 ? texts[0] : "[\(texts.joined(separator: ", "))]") + "\n"
    }.joined()
  }

  private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+")

  /// Returns the text as a YAML value, in quotes if needed.
  private static func quoted(_ text: String) -> String {
    if !text.isEmpty, text.allSatisfy(plain.contains) { return text }
    // YAML folds line breaks within single quotes to blanks, and refuses what cannot be printed.
    guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && !isEscaped($0) }) else {
      return "\"" + text.unicodeScalars.map(escaped).joined() + "\""
    }
    return "'" + text.replacing("'", with: "''") + "'"
  }

  /// Whether YAML needs an escape for `scalar` beyond ASCII's controls.
  private static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x7f...0x9f, 0x2028, 0x2029, 0xfeff, 0xfffe...0xffff: true
    default: false
    }
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    if scalar == "\"" || scalar == "\\" { return "\\\(scalar)" }
    guard scalar.value < 0x20 || isEscaped(scalar) else { return String(scalar) }
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
