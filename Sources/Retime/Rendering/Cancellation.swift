import Platform
import SystemPackage

extension FilePath {
  /// Checks that the task that makes a clip of the source at this path has not been cancelled.
  ///
  /// - Throws: `cancelled` if it has.
  func checkCancellation() throws(OvercrankError) {
    guard !Task.isCancelled else { throw cancellation }
  }

  /// The error of a task that was cancelled while it made a clip of the source at this path.
  var cancellation: OvercrankError {
    OvercrankError(.cancelled, "\(self): stopped before the end; no clip was written.")
  }
}
