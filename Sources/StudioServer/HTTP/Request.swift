/// A request that was let in, with what its route made of its path.
struct Request: Sendable {
  let head: RequestHead
  /// The parts of the path that its route names.
  let parameters: [String: String]
  let body: [UInt8]

  /// The part of the path called `name`, which the route has.
  func part(_ name: String) -> String { parameters[name] ?? "" }

  /// A part of the path that is a number.
  ///
  /// - Throws: ``APIError`` with 404 where it is none.
  func index(_ name: String) throws(APIError) -> Int {
    guard let index = Int(part(name)), index >= 0 else { throw .notFound("\(name) \"\(part(name))\"") }
    return index
  }

  /// A parameter that is a whole number.
  ///
  /// - Throws: ``APIError`` where it is none, or does not lie in `range`.
  func number(_ name: String, in range: ClosedRange<Int>) throws(APIError) -> Int? {
    guard let text = head.query[name] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw .badRequest("\"\(name)\" must be a whole number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }
}

/// What a request asks for, of the methods that the studio knows.
enum Method: String, Sendable, Comparable {
  case get = "GET"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"

  static func < (a: Method, b: Method) -> Bool { a.rawValue < b.rawValue }
}
