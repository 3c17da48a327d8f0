/// What a server serves, and to whom.
final class Site: Sendable {
  let gate: Gate
  let router: Router
  let limits: ServerLimits
  private let tickets: TicketOffice

  init(_ gate: Gate, _ routes: [Route], limits: ServerLimits) {
    (self.gate, self.limits) = (gate, limits)
    tickets = TicketOffice(most: limits.tickets)
    router = Router(routes + [tickets.route(opening: Router(routes))])
  }

  /// What answers a request that may pass, and whether its sender is known by the token or a ticket.
  ///
  /// - Throws: ``APIError``.
  func admit(_ head: RequestHead) throws(APIError) -> (route: Route, parts: [String: String], isKnown: Bool) {
    try gate.check(head)
    var isKnown = gate.hasToken(head)
    if !isKnown, head.method == .get, let ticket = head.query["ticket"] {
      isKnown = tickets.admits(ticket, to: head.path)
    }
    // Whoever has no token does not even learn which paths there are.
    guard isKnown || !(head.path == "/api" || head.path.hasPrefix("/api/")) else { throw .noToken }
    let (route, parts) = try router.route(head.method, head.path)
    return (route, parts, isKnown)
  }
}
