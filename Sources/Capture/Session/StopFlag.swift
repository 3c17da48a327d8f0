import Synchronization

/// A flag that ends a recording, from any thread.
public final class StopFlag: Sendable {
  private let flag = Atomic<Bool>(false)

  /// Creates a flag that is not set.
  public init() {}

  /// Ends the recording; may be called repeatedly, and from a signal handler.
  public func set() {
    // Relaxed: no other data depends on it, and one frame more or less does not matter.
    flag.store(true, ordering: .relaxed)
  }

  /// Whether the recording is to end.
  public var isSet: Bool { flag.load(ordering: .relaxed) }
}
