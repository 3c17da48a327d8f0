import Synchronization

/// Says from any thread that a recording is to end.
public final class StopFlag: Sendable {
  private let flag = Atomic<Bool>(false)

  /// A flag that is not set.
  public init() {}

  /// Ends the recording; may be called often and from a signal's handler.
  public func set() {
    // Relaxed: nothing else is read by it, and a frame more or less is no matter.
    flag.store(true, ordering: .relaxed)
  }

  /// Whether the recording is to end.
  public var isSet: Bool { flag.load(ordering: .relaxed) }
}
