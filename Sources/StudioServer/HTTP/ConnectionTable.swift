import NIOCore
import Synchronization

/// The connections that are open, and who goes when there are too many.
///
/// One that had a request with the token keeps its place. Of the others the oldest goes, so that ten thousand strangers
/// cannot keep a page from its studio.
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

  /// The number of a connection that may stay; `nil` for one too many.
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

  /// Notes that a connection has the token.
  func know(_ number: Int) { state.withLock { $0.entries[number]?.isKnown = true } }

  func remove(_ number: Int) { state.withLock { _ = $0.entries.removeValue(forKey: number) } }

  /// How many are open.
  var count: Int { state.withLock { $0.entries.count } }

  /// Takes a place for a stream.
  ///
  /// - Throws: ``APIError`` where all are taken.
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
