import Platform
import Media
import SystemPackage

extension FilePath {
  /// Finds out whether the task that makes a clip of the film at this path goes on.
  ///
  /// - Throws: `cancelled` where it was cancelled.
  func checkCancellation() throws(OvercrankError) {
    guard !Task.isCancelled else { throw cancellation }
  }

  /// The error of a task that was cancelled while it made a clip of the film at this path.
  var cancellation: OvercrankError {
    OvercrankError(.cancelled, "\(self): stopped before the end; no clip was written.")
  }
}
