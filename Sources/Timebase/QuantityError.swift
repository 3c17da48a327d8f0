/// A text that is not the quantity it should be.
public struct QuantityError: Error, Hashable, CustomStringConvertible {
  /// What was written.
  public let text: String
  /// What would have been understood, as the end of a sentence.
  public let expectation: String

  /// Says that `text` is not what `expectation` describes.
  public init(_ text: String, expected expectation: String) {
    self.text = text
    self.expectation = expectation
  }

  /// One sentence with the text and what was expected in its place.
  public var description: String { "\"\(text)\" is not \(expectation)" }
}
