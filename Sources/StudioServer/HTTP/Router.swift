/// All routes of a server.
struct Router: Sendable {
  let routes: [Route]

  init(_ routes: [Route]) { self.routes = routes }

  /// Returns the route for a method and path, and the named parts of the path.
  ///
  /// - Throws: ``APIError`` with 404 if there is no such path, or 405 if the path has only other methods.
  func route(_ method: Method?, _ path: String) throws(APIError) -> (route: Route, parts: [String: String]) {
    guard path.hasPrefix("/") else { throw .notFound("such path") }
    let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    var others: Set<String> = []
    for route in routes {
      guard let parts = route.match(segments) else { continue }
      if route.method == method { return (route, parts) }
      others.insert(route.method.rawValue)
      if route.method == .get { others.insert("HEAD") }
    }
    guard others.isEmpty else { throw .badMethod(allowed: others.sorted()) }
    throw .notFound("such path")
  }
}
