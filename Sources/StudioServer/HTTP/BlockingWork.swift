import NIOPosix
import Synchronization

/// Threads for calls that wait for a disk or a decoder, which Swift's own threads must not.
final class BlockingWork: Sendable {
  private let pool = NIOThreadPool(numberOfThreads: 2)
  private let waiting = Mutex(0)
  private let most: Int

  init(_ limits: ServerLimits) {
    most = limits.waitingCalls
    pool.start()
  }

  /// What `body` returns, on one of the threads.
  ///
  /// - Throws: ``APIError/busy`` where too many wait already; what `body` throws.
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

  /// Ends the threads.
  func end() async { try? await pool.shutdownGracefully() }
}
