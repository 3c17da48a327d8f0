/// What the system, or a limit of this program, does not give: files, threads or memory.
public struct ResourceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What there is, what is needed, and the remedy.
  public let description: String

  /// An error with a whole message.
  package init(_ description: String) { self.description = description }

  /// pthread_create(3) failed.
  package static let noThread = ResourceError(
    "The system gives this program no more threads. \(threadRemedy)")

  static let threadRemedy =
    "End other programs, or raise the limit: \"ulimit -u\", or pids.max of the control group."
}
