import Timebase

extension DecodingError {
  /// The fault and its place, in words that follow a colon.
  package var words: String {
    switch self {
    case .keyNotFound(let key, let context): "it lacks \(Self.place(context.codingPath + [key]))"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "\(Self.place(context.codingPath)) has a value of the wrong type"
    // A value's own decoder describes its fault; the decoder of the whole text does not, and has one error for
    // these two.
    case .dataCorrupted(let context) where context.codingPath.isEmpty:
      "it is not valid JSON, or one of its numbers is too large, or has a fraction where none is allowed"
    case .dataCorrupted(let context): "\(context.debugDescription) at \(Self.place(context.codingPath))"
    @unknown default: "it cannot be read"
    }
  }

  private static func place(_ path: [any CodingKey]) -> String {
    path.isEmpty ? "it" : "\"\(path.place)\""
  }
}

extension Error {
  /// The fault in a text that was to be decoded, in words that follow a colon.
  package var decodingWords: String { (self as? DecodingError)?.words ?? "\(self)" }
}
