import FoundationEssentials
import Overcrank

extension Request {
  /// Decodes the body as `Body`; an empty body counts as an object without keys.
  ///
  /// - Throws: ``APIError`` with 400 that names the key.
  func body<Body: Decodable>(as type: Body.Type = Body.self) throws(APIError) -> Body {
    do { return try JSONDecoder().decode(type, from: body.isEmpty ? Data("{}".utf8) : Data(body)) } catch {
      throw (error as? DecodingError).map { .badRequest($0.words) } ?? APIError(error)
    }
  }
}

/// A body without keys.
struct EmptyBody: Decodable {
  private enum CodingKeys: CodingKey, CaseIterable {}

  init(from decoder: any Decoder) throws { _ = try decoder.known(CodingKeys.self) }
}

extension DecodingError {
  /// The error in a request's body, as a sentence.
  fileprivate var words: String {
    switch self {
    case .keyNotFound(let key, let context): return "\"\((context.codingPath + [key]).place)\" is missing."
    case .dataCorrupted(let context) where context.underlyingError is UnknownKeyError:
      return "Unknown key \"\(context.codingPath.place.prefix(80))\"."
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      guard !context.codingPath.isEmpty else { return "The body is not a JSON object." }
      let words = if case .dataCorrupted = self { context.debugDescription } else { "must be an object" }
      return "\"\(context.codingPath.place)\" \(words)."
    @unknown default: return "The body cannot be read."
    }
  }
}

/// The kinds of values in bodies.
extension KeyedDecodingContainer {
  /// Returns a text of at most `most` characters, because a refusal may quote it.
  func text(_ key: Key, most: Int = 256) throws -> String?? {
    let kind = "a string of at most \(most) characters"
    let text = try presence(key, String.self, kind)
    guard (text ?? nil)?.unicodeScalars.count ?? 0 <= most else { throw wrong(key, "must be \(kind)") }
    return text
  }

  /// Returns the text of a speed or a curve.
  func speed(_ key: Key) throws -> String?? {
    let text = try text(key, most: 4096)
    guard let curve = text ?? nil else { return text }
    do throws(CurveError) { _ = try SpeedCurve(text: curve) } catch {
      throw APIError.badRequest("\"\(key.stringValue)\": \(error)")
    }
    return text
  }

  func whole(_ key: Key) throws -> Int64? { try presence(key, Int64.self, "a whole number") ?? nil }

  func number(_ key: Key) throws -> Double? { try presence(key, Double.self, "a number") ?? nil }

  func flag(_ key: Key) throws -> Bool? { try presence(key, Bool.self, "true or false") ?? nil }

  /// Returns a duration in nanoseconds, which must not be negative.
  func time(_ key: Key) throws -> Duration? {
    let kind = "a number of nanoseconds, 0 or more"
    guard let nanoseconds = try presence(key, Int64.self, kind) ?? nil else { return nil }
    guard nanoseconds >= 0 else { throw wrong(key, "must be \(kind)") }
    return .nanoseconds(nanoseconds)
  }

  /// Returns the value of a required key.
  func required<Value>(_ key: Key, _ value: Value?) throws -> Value {
    guard let value else { throw wrong(key, "is missing") }
    return value
  }
}
