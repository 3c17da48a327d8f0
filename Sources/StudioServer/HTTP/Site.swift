/// The routes of a server, and the rules for access to them.
final class Site: Sendable {
  let gate: Gate
  let router: Router
  let limits: ServerLimits
  private let tickets: TicketStore

  init(_ gate: Gate, _ routes: [Route], limits: ServerLimits) {
    (self.gate, self.limits) = (gate, limits)
    tickets = TicketStore(most: limits.tickets)
    router = Router(routes + [tickets.route(opening: Router(routes))])
  }

  /// Returns the route for an admitted request, and whether the client is known by the token or a ticket.
  ///
  /// - Throws: ``APIError``.
  func admit(_ head: RequestHead) throws(APIError) -> (route: Route, parts: [String: String], isKnown: Bool) {
    try gate.check(head)
    var isKnown = gate.hasToken(head)
    if !isKnown, head.method == .get, let ticket = head.query["ticket"] {
      isKnown = tickets.admits(ticket, to: head.path)
    }
    // Without the token, a client does not even learn which paths exist.
    guard isKnown || !(head.path == "/api" || head.path.hasPrefix("/api/")) else { throw .noToken }
    let (route, parts) = try router.route(head.method, head.path)
    return (route, parts, isKnown)
  }
}
