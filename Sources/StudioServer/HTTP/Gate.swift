/// The checks that a request must pass before it is handled. A value, so that it can be tested without a
/// socket.
struct Gate: Sendable {
  /// The hosts under which the studio answers, each with its port, in lower case.
  let hosts: Set<String>
  /// The secret that each request to `/api/` must carry.
  let token: Token

  /// - Parameters:
  ///   - names: the host names and addresses that the studio listens on.
  ///   - port: its port.
  init(names: [String], port: Int, token: Token) {
    self.token = token
    hosts = Set(
      names.flatMap { name in
        let host = (name.contains(":") ? "[\(name)]" : name).lowercased()
        return port == 80 ? [host, "\(host):80"] : ["\(host):\(port)"]
      })
  }

  /// The names of the loopback interface.
  static let loopback = ["127.0.0.1", "localhost", "::1"]

  /// Checks a request's host and, if it may change something, its origin.
  ///
  /// A page cannot choose the `Host` that a browser sends: it is the name from which the page was loaded. It
  /// therefore reveals a name that was redirected to this machine (DNS rebinding).
  ///
  /// - Throws: ``APIError``.
  func check(_ head: RequestHead) throws(APIError) {
    guard let host = head.host, hosts.contains(host.lowercased()),
      head.authority.map({ hosts.contains($0.lowercased()) }) ?? true
    else { throw .foreignHost }
    let origins = head.headers["origin"]
    guard head.method != .get, !origins.isEmpty else { return }
    guard origins.count == 1, let origin = origins.first?.lowercased(), origin.hasPrefix("http://"),
      hosts.contains(String(origin.dropFirst("http://".count)))
    else { throw .foreignOrigin }
  }

  /// Returns whether the request has the token.
  func hasToken(_ head: RequestHead) -> Bool {
    let fields = head.headers["authorization"]
    guard fields.count == 1, let field = fields.first, field.count < 200 else { return false }
    let words = field.split(separator: " ")
    return words.count == 2 && words[0].lowercased() == "bearer" && token.matches(String(words[1]))
  }
}
