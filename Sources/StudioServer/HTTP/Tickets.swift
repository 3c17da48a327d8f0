import Overcrank

/// Secrets that each open one path to an element of the page, which cannot send a header.
struct Tickets: Sendable {
  /// The number and time of uses that a ticket allows.
  enum Use: Sendable {
    /// Once, within a minute.
    case once
    /// For the parts of a video: first within a minute, then until ten minutes after the last part.
    case parts
  }

  private struct Ticket {
    var path: String
    var use: Use
    var end: Instant
  }

  private var tickets: [String: Ticket] = [:]
  private let most: Int

  static let unusedTime = Duration.seconds(60)
  static let partsTime = Duration.seconds(600)

  /// - Parameter most: the number of tickets at once; the one that expires first makes room for another.
  init(most: Int) { self.most = most }

  /// Issues a new ticket for `path`.
  mutating func issue(_ path: String, _ use: Use, now: Instant) -> String {
    tickets = tickets.filter { $0.value.end > now }
    if tickets.count >= most, let first = tickets.min(by: { $0.value.end < $1.value.end }) {
      tickets[first.key] = nil
    }
    let text = Token().text
    tickets[text] = Ticket(path: path, use: use, end: now + Self.unusedTime)
    return text
  }

  /// Returns whether `text` opens `path` now, and marks it as used.
  mutating func admits(_ text: String, to path: String, now: Instant) -> Bool {
    guard let ticket = tickets[text], ticket.path == path, ticket.end > now else { return false }
    switch ticket.use {
    case .once: tickets[text] = nil
    case .parts: tickets[text]?.end = now + Self.partsTime
    }
    return true
  }

  /// The number of tickets, including any that expired since the last one was issued.
  var count: Int { tickets.count }
}
