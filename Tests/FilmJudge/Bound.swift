import Foundation
public import Testing

/// A bound on what may hang: a test fails instead of waiting for ever.
public enum Bound {
  /// Runs `body` on a thread of its own, and records an issue where it has not ended within half a minute; whether it has.
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
