import Synchronization

/// Where sources leave triggers and the writer finds them. The capture thread knows nothing of it.
public final class TriggerQueue: Sendable {
  private struct State {
    var events: [TriggerEvent] = []
    var isClosed = false
  }

  private let state = Mutex(State())
  /// How many events wait, so that a look at an empty queue costs no lock.
  private let count = Atomic<Int>(0)
  private let openSources = Atomic<Int>(0)

  /// An empty queue.
  public init() {}

  /// Leaves a trigger; from any thread, but not from a signal's handler.
  public func add(_ event: TriggerEvent) {
    let isTaken = state.withLock { state in
      guard !state.isClosed else { return false }
      state.events.append(event)
      // Relaxed: the lock orders the events; a count seen late is a trigger seen a nap later.
      count.add(1, ordering: .relaxed)
      return true
    }
    if !isTaken { event.answer?(.refused) }
  }

  /// Counts a source that may add triggers until ``sourceEnded()``.
  public func sourceBegan() { openSources.add(1, ordering: .relaxed) }

  /// Says that a source, such as the end of a pipe, will add no more.
  public func sourceEnded() { openSources.subtract(1, ordering: .releasing) }

  /// Whether a trigger waits or may still come.
  var isLive: Bool {
    // Acquire: pairs with the release in `sourceEnded`; what that source added before is then seen in the count.
    openSources.load(ordering: .acquiring) > 0 || count.load(ordering: .relaxed) > 0
  }

  /// Takes out what waits, the oldest first.
  func take() -> [TriggerEvent] {
    guard count.load(ordering: .relaxed) > 0 else { return [] }
    return state.withLock { state in
      defer { state.events = [] }
      count.subtract(state.events.count, ordering: .relaxed)
      return state.events
    }
  }

  /// Refuses what waits and whatever will come.
  func close() {
    state.withLock { $0.isClosed = true }
    for event in take() { event.answer?(.refused) }
  }
}
