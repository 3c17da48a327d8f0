import NIOCore
import Synchronization

/// The open connections, and the rule for which one to close if there are too many.
///
/// A connection that sent a request with the token or a ticket keeps its place. The oldest of the others is
/// closed, so that ten thousand strangers cannot keep a page from its studio.
final class ConnectionTable: Sendable {
  private struct Entry {
    var channel: any Channel
    var isKnown = false
  }

  private struct State {
    var entries: [Int: Entry] = [:]
    var next = 0
    var streams = 0
  }

  private let state = Mutex(State())
  private let limits: ServerLimits

  init(_ limits: ServerLimits) { self.limits = limits }

  /// Adds a connection and returns its number, or `nil` if there is no room for it.
  func admit(_ channel: any Channel) -> Int? {
    let (number, leaving) = state.withLock { state -> (Int?, (any Channel)?) in
      var leaving: (any Channel)?
      if state.entries.count >= limits.connections {
        guard let oldest = state.entries.filter({ !$0.value.isKnown }).keys.min() else { return (nil, nil) }
        leaving = state.entries.removeValue(forKey: oldest)?.channel
      }
      let number = state.next
      state.next += 1
      state.entries[number] = Entry(channel: channel)
      return (number, leaving)
    }
    leaving?.close(promise: nil)
    return number
  }

  /// Notes that a request on the connection had the token or a ticket.
  func know(_ number: Int) { state.withLock { $0.entries[number]?.isKnown = true } }

  func remove(_ number: Int) { state.withLock { _ = $0.entries.removeValue(forKey: number) } }

  /// The number of open connections.
  var count: Int { state.withLock { $0.entries.count } }

  /// Reserves a place for a stream.
  ///
  /// - Throws: `APIError.busy` if all places are taken.
  func openStream() throws(APIError) {
    let isFree = state.withLock { state in
      guard state.streams < limits.streams else { return false }
      state.streams += 1
      return true
    }
    guard isFree else { throw .busy }
  }

  func closeStream() { state.withLock { $0.streams -= 1 } }
}
