import Synchronization

/// Values collected by callbacks on any thread.
public final class Collected<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])

  /// Creates an empty collection.
  public init() {}

  /// Adds a value.
  public func append(_ value: Value) { values.withLock { $0.append(value) } }

  /// All values, in the order of their arrival.
  public var all: [Value] { values.withLock { $0 } }
}
