import Synchronization

/// A queue that runs work piece by piece, in the order of the requests.
final class SerialQueue: Sendable {
  private let last = Mutex<Task<Void, Never>?>(nil)

  /// Runs `work` after all earlier work, and returns its result.
  func take<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await begin(work).value
  }

  /// Schedules `work` after all earlier work.
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
