import Foundation
public import Testing

/// A time limit for code that may hang: the test fails instead of waiting forever.
public enum Bound {
  /// Runs `body` on its own thread, and records an issue if it does not end within half a minute.
  ///
  /// - Returns: whether it ended.
  @discardableResult
  public static func ends(
    _ what: String,
    sourceLocation: SourceLocation = SourceLocation(
      fileID: #fileID, filePath: #filePath, line: #line, column: #column),
    _ body: @escaping @Sendable () -> Void
  ) -> Bool {
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      body()
      ended.signal()
    }
    guard ended.wait(timeout: .now() + 30) == .timedOut else { return true }
    Issue.record("\(what) does not end", sourceLocation: sourceLocation)
    return false
  }
}
