public import Timebase

/// The state of a control while a take was recorded.
public struct ControlInForce: Codable, Hashable, Sendable {
  /// The value when recording began; `nil` if it cannot be read.
  @Nullable public var value: Int64?
  /// The value before, if recording changed it.
  @Nullable public var from: Int64?
  /// The value that recording set, if it changed it.
  @Nullable public var to: Int64?

  /// Creates a control that stood at `value`, changed or not.
  public init(value: Int64?, from: Int64? = nil, to: Int64? = nil) {
    self.value = value
    self.from = from
    self.to = to
  }
}
