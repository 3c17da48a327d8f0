import Synchronization

/// Values that a callback gave, from whatever thread.
public final class Collected<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])

  /// None yet.
  public init() {}

  /// Takes one more.
  public func append(_ value: Value) { values.withLock { $0.append(value) } }

  /// All, in the order they came.
  public var all: [Value] { values.withLock { $0 } }
}
