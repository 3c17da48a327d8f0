/// A queue that runs work piece by piece, in the order of the requests.
struct SerialQueue {
  private var last: Task<Void, Never>?

  /// Schedules `work` after all earlier work.
  @discardableResult mutating func begin<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) -> Task<Value, any Error> {
    let task = Task { [last] in
      await last?.value
      return try await work()
    }
    last = Task { _ = await task.result }
    return task
  }
}
