/// A text that is not the expected quantity.
public struct QuantityError: Error, Hashable, CustomStringConvertible {
  /// The text as written.
  public let text: String
  /// The accepted forms, as the end of a sentence.
  public let expectation: String

  /// Creates an error that `text` is not `expectation`.
  public init(_ text: String, expected expectation: String) {
    self.text = text
    self.expectation = expectation
  }

  /// A sentence with the text and what was expected instead.
  public var description: String { "\"\(text)\" is not \(expectation)" }
}
