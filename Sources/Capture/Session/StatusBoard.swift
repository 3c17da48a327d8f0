import Synchronization

/// The published status of a session, for all threads but the writer's.
final class StatusBoard: Sendable {
  private let newest: Mutex<SessionStatus>

  init(_ status: SessionStatus) { newest = Mutex(status) }

  /// The newest status.
  var status: SessionStatus { newest.withLock { $0 } }

  /// Replaces the status. Returns it with its revision.
  @discardableResult func publish(_ status: SessionStatus) -> SessionStatus {
    newest.withLock { newest in
      var status = status
      status.revision = newest.revision
      guard status != newest else { return newest }
      status.revision += 1
      newest = status
      return newest
    }
  }
}
