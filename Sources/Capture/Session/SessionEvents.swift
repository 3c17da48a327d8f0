import Synchronization
package import Timebase

/// A listener's events of a session, in bounded memory.
///
/// A slow listener receives only the newest `progress`, the sum of `lost`, and the newest `controlChanged` of
/// each control. If it falls behind even so, ``FellBehind`` is its last element, and the session continues.
public struct SessionEvents: AsyncSequence, Sendable {
  /// Too many events waited for a listener.
  public struct FellBehind: Error, Hashable, Sendable, CustomStringConvertible {
    /// A description of the error and its consequence.
    public var description: String {
      "\(SessionEvents.most) session events were waiting for their listener, which receives no more. The session continues."
    }
  }

  private let buffer: Buffer
  /// The maximum number of waiting events.
  static let most = 256

  init(_ buffer: Buffer) { self.buffer = buffer }

  /// Creates an iterator over the waiting and future events.
  public func makeAsyncIterator() -> Iterator { Iterator(buffer: buffer) }

  /// An iterator over events; for one task at a time.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let buffer: Buffer

    /// Returns the next event; `nil` after the last.
    ///
    /// - Throws: ``FellBehind`` in place of the events that did not fit; nothing follows.
    public mutating func next() async throws(FellBehind) -> SessionEvent? { try await buffer.next() }

    /// Returns the next event; `nil` after the last.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(FellBehind) -> SessionEvent? {
      try await buffer.next()
    }
  }
}

extension SessionEvents {
  /// A listener's buffer of waiting events.
  final class Buffer: Sendable {
    private struct State {
      var events: [SessionEvent] = []
      var waiter: CheckedContinuation<Result<SessionEvent?, FellBehind>, Never>?
      var hasFallenBehind = false
      var hasEnded = false
    }

    private let state = Mutex(State())

    /// Adds an event without waiting for the listener.
    func leave(_ event: SessionEvent) {
      let waiter = state.withLock { state -> CheckedContinuation<Result<SessionEvent?, FellBehind>, Never>? in
        guard !state.hasFallenBehind, !state.hasEnded else { return nil }
        if case .ended = event.kind { state.hasEnded = true }
        if let waiter = state.waiter {
          state.waiter = nil
          return waiter
        }
        if state.events.merge(event) { return nil }
        guard state.events.count < SessionEvents.most else {
          state.events = []
          state.hasFallenBehind = true
          return nil
        }
        state.events.append(event)
        return nil
      }
      waiter?.resume(returning: .success(event))
    }

    /// Returns the next event.
    func next() async throws(FellBehind) -> SessionEvent? {
      let result: Result<SessionEvent?, FellBehind> = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let answer = state.withLock { state -> Result<SessionEvent?, FellBehind>? in
            if !state.events.isEmpty { return .success(state.events.removeFirst()) }
            if state.hasFallenBehind {
              state.hasFallenBehind = false
              state.hasEnded = true
              return .failure(FellBehind())
            }
            if state.hasEnded || Task.isCancelled { return .success(nil) }
            state.waiter = continuation
            return nil
          }
          if let answer { continuation.resume(returning: answer) }
        }
      } onCancel: {
        let waiter = state.withLock { state in
          defer { state.waiter = nil }
          return state.waiter
        }
        waiter?.resume(returning: .success(nil))
      }
      return try result.get()
    }
  }
}

extension [SessionEvent] {
  /// Merges `event` into a waiting event of the same kind, if one replaces the other.
  fileprivate mutating func merge(_ event: SessionEvent) -> Bool {
    // Skips only over other mergeable events, so that all others keep their order.
    for index in indices.reversed() {
      switch (self[index].kind, event.kind) {
      case (.progress, .progress):
        self[index] = event
        return true
      case (.lost(let take, let before), .lost(let other, let frames)) where take == other:
        self[index] = SessionEvent(.lost(take: take, frames: before + frames), at: event.time)
        return true
      case (.controlChanged(let before), .controlChanged(let now)) where before.change.id == now.change.id:
        self[index] = event
        return true
      case (.progress, _), (.lost, _), (.controlChanged, _): continue
      default: return false
      }
    }
    return false
  }
}

/// Sends events to all listeners of a session.
package final class EventBroadcaster: Sendable {
  private struct State {
    var listeners: [@Sendable (SessionEvent) -> Void] = []
    var end: SessionEvent?
  }

  private let state = Mutex(State())

  /// Creates a sender without listeners.
  package init() {}

  /// Adds a listener for the events from now on.
  package func listen() -> SessionEvents {
    let buffer = SessionEvents.Buffer()
    listen { buffer.leave($0) }
    return SessionEvents(buffer)
  }

  /// Calls `body` with each event from now on, on the session's threads; it must not block.
  package func listen(_ body: @escaping @Sendable (SessionEvent) -> Void) {
    let end = state.withLock { state in
      state.listeners.append(body)
      return state.end
    }
    // A late listener is told of the session's end, so that it does not wait for ever.
    if let end { body(end) }
  }

  /// Sends an event; never waits for a listener.
  package func tell(_ kind: SessionEvent.Kind, at time: Instant) {
    tell(SessionEvent(kind, at: time))
  }

  /// Sends an existing event; never waits for a listener.
  package func tell(_ event: SessionEvent) {
    let listeners = state.withLock { state in
      if case .ended = event.kind { state.end = event }
      return state.listeners
    }
    for listener in listeners { listener(event) }
  }
}
