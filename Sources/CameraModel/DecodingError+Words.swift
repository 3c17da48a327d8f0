import Timebase

extension DecodingError {
  /// What is wrong and where, in words that follow a colon.
  package var words: String {
    switch self {
    case .keyNotFound(let key, let context): "it lacks \(Self.place(context.codingPath + [key]))"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "\(Self.place(context.codingPath)) holds another kind of value than it should"
    // What is wrong with a value is known to whoever reads it; with the text as a whole, to nobody.
    case .dataCorrupted(let context) where context.codingPath.isEmpty: "it is no whole JSON"
    case .dataCorrupted(let context): "\(context.debugDescription) at \(Self.place(context.codingPath))"
    @unknown default: "it cannot be read"
    }
  }

  private static func place(_ path: [any CodingKey]) -> String {
    path.isEmpty ? "it" : "\"\(path.place)\""
  }
}

extension Error {
  /// What is wrong in a text that was to be decoded, in words that follow a colon.
  package var decodingWords: String { (self as? DecodingError)?.words ?? "\(self)" }
}
