/// An admitted request, with the named parts of its path.
struct Request: Sendable {
  let head: RequestHead
  /// The parts of the path that the route names.
  let parameters: [String: String]
  let body: [UInt8]

  /// Returns the part of the path called `name`, which the route must define.
  func part(_ name: String) -> String { parameters[name] ?? "" }

  /// Returns a part of the path as an index.
  ///
  /// - Throws: ``APIError`` with 404 if it is not a whole number, 0 or more.
  func index(_ name: String) throws(APIError) -> Int {
    guard let index = Int(part(name)), index >= 0 else { throw .notFound("\(name) \"\(part(name))\"") }
    return index
  }

  /// Returns a query parameter as a whole number, or `nil` if it is missing.
  ///
  /// - Throws: ``APIError`` if it is not a whole number in `range`.
  func number(_ name: String, in range: ClosedRange<Int>) throws(APIError) -> Int? {
    guard let text = head.query[name] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw .badRequest("\"\(name)\" must be a whole number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }
}

/// The request methods that the studio supports.
enum Method: String, Sendable, Comparable {
  case get = "GET"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"

  static func < (a: Method, b: Method) -> Bool { a.rawValue < b.rawValue }
}
