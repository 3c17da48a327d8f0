import NIOPosix
import Synchronization

/// Threads for calls that wait for a disk or a decoder, and must not block Swift's cooperative threads.
final class BlockingWork: Sendable {
  private let pool = NIOThreadPool(numberOfThreads: 2)
  private let waiting = Mutex(0)
  private let most: Int

  init(_ limits: ServerLimits) {
    most = limits.waitingCalls
    pool.start()
  }

  /// Runs `body` on one of the threads, and returns its result.
  ///
  /// - Throws: ``APIError/busy`` if too many calls are waiting; any error that `body` throws.
  func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    let isFree = waiting.withLock { waiting in
      guard waiting < most else { return false }
      waiting += 1
      return true
    }
    guard isFree else { throw APIError.busy }
    defer { waiting.withLock { $0 -= 1 } }
    return try await pool.runIfActive(body)
  }

  /// Runs `body` as ``run(_:)`` does, however many calls are waiting: for the rest of a response that has begun. A
  /// connection has at most one such call.
  func runNext<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await pool.runIfActive(body)
  }

  /// Shuts the threads down.
  func end() async { try? await pool.shutdownGracefully() }
}
