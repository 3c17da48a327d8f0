/// All that can be asked for.
struct Router: Sendable {
  let routes: [Route]

  init(_ routes: [Route]) { self.routes = routes }

  /// The route for a method and path, and the named parts of the path.
  ///
  /// - Throws: ``APIError`` with 404 where there is no such path, 405 where it has other methods.
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
