/// A value that files hold as the text that people write for it.
public protocol CodedAsText: Codable {
  /// Reads ``text``, and whatever else people write.
  init(text: String) throws

  /// The value in words that ``init(text:)`` reads, exactly.
  var text: String { get }
}

extension CodedAsText {
  /// Reads a text.
  ///
  /// - Throws: `DecodingError` where it is no such value.
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
  /// A few decimals where they say it exactly, else both terms; for what is not below zero.
  package var exactText: String {
    let decimals = decimal(places: 6)
    return Fraction(text: decimals) == self ? decimals : description
  }
}
