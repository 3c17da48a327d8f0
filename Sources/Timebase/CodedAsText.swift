/// A value that files store as the text that people write for it.
public protocol CodedAsText: Codable {
  /// Reads ``text`` and every other form that people write.
  init(text: String) throws

  /// The exact value as text that ``init(text:)`` reads.
  var text: String { get }
}

extension CodedAsText {
  /// Decodes the value from its text.
  ///
  /// - Throws: `DecodingError` if the text is not such a value.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer()
    do {
      try self.init(text: text.decode(String.self))
    } catch let error where !(error is DecodingError) {
      throw DecodingError.dataCorruptedError(in: text, debugDescription: "\(error)")
    }
  }

  /// Writes ``text``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

extension Fraction {
  /// The fraction as up to six decimals if those are exact, otherwise as both terms; for values that are not
  /// negative.
  package var exactText: String {
    let decimals = decimal(places: 6)
    return Fraction(text: decimals) == self ? decimals : description
  }
}
