import Platform
import Synchronization

/// Where a page gets its tickets.
final class TicketOffice: Sendable {
  private let tickets: Mutex<Tickets>

  init(most: Int) { tickets = Mutex(Tickets(most: most)) }

  /// Whether `ticket` opens `path` now, which uses it.
  func admits(_ ticket: String, to path: String) -> Bool {
    tickets.withLock { $0.admits(ticket, to: path, now: MonotonicClock.now) }
  }

  /// The route that makes tickets for those of `router` that one opens.
  func route(opening router: Router) -> Route {
    Route(.post, "/api/tickets") { [self] request in
      var body = try JSONObject(request.body)
      let path = try body.text("path").required("path")
      try body.end()
      guard let use = try? router.route(.get, path).route.ticket else {
        throw APIError.badRequest("No ticket opens this path: name a picture or a film.")
      }
      return try .json(["ticket": tickets.withLock { $0.issue(path, use, now: MonotonicClock.now) }])
    }
  }
}
