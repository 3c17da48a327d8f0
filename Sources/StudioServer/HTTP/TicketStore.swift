import Overcrank
import Synchronization

/// The issuer of a page's tickets.
final class TicketStore: Sendable {
  private let tickets: Mutex<Tickets>

  init(most: Int) { tickets = Mutex(Tickets(most: most)) }

  /// Returns whether `ticket` opens `path` now, and marks it as used.
  func admits(_ ticket: String, to path: String) -> Bool {
    tickets.withLock { $0.admits(ticket, to: path, now: MonotonicClock.now) }
  }

  /// Returns the route that issues tickets for the routes of `router` that accept them.
  func route(opening router: Router) -> Route {
    Route(.post, "/api/tickets") { [self] request in
      let path = try request.body(as: TicketBody.self).path
      guard let use = try? router.route(.get, path).route.ticket else {
        throw APIError.badRequest("Tickets cannot open this path. Name a picture or a video.")
      }
      return try .json(["ticket": tickets.withLock { $0.issue(path, use, now: MonotonicClock.now) }])
    }
  }
}

/// The body of a request for a ticket.
private struct TicketBody: Decodable {
  let path: String

  private enum CodingKeys: CodingKey, CaseIterable { case path }

  init(from decoder: any Decoder) throws {
    let keys = try decoder.known(CodingKeys.self)
    path = try keys.required(.path, keys.text(.path) ?? nil)
  }
}
