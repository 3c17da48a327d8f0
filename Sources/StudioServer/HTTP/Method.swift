/// What a request asks for, of the methods that the studio knows.
enum Method: String, Sendable, Comparable {
  case get = "GET"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"

  /// Whether the request changes something.
  var changes: Bool { self != .get }

  static func < (a: Method, b: Method) -> Bool { a.rawValue < b.rawValue }
}
