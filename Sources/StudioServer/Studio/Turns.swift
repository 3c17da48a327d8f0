import Synchronization

/// Work that is done piece by piece, in the order in which it was asked for.
final class Turns: Sendable {
  private let last = Mutex<Task<Void, Never>?>(nil)

  /// What `work` returns, once all that was asked for before has been done.
  func take<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let task = last.withLock { last in
      let former = last
      let task = Task {
        await former?.value
        return try await work()
      }
      last = Task { _ = await task.result }
      return task
    }
    return try await task.value
  }
}
