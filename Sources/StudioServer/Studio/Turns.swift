import Synchronization

/// Work that is done piece by piece, in the order in which it was asked for.
final class Turns: Sendable {
  private let last = Mutex<Task<Void, Never>?>(nil)

  /// What `work` returns, once all that was asked for before has been done.
  func take<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await begin(work).value
  }

  /// Has `work` done once all that was asked for before has been done.
  @discardableResult func begin<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) -> Task<Value, any Error> {
    last.withLock { last in
      let former = last
      let task = Task {
        await former?.value
        return try await work()
      }
      last = Task { _ = await task.result }
      return task
    }
  }
}
