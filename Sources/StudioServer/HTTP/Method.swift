/// What a request asks for, of the methods that the studio knows.
enum Method: String, Sendable, Comparable {
  case get = "GET"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"

  static func < (a: Method, b: Method) -> Bool { a.rawValue < b.rawValue }
}
