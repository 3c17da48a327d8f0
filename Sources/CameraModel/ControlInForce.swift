public import Timebase

/// How a control stood while a take was filmed.
public struct ControlInForce: Codable, Hashable, Sendable {
  /// Its value when filming began; `nil` where it cannot be read.
  @Nullable public var value: Int64?
  /// Its value before, where filming changed it.
  @Nullable public var from: Int64?
  /// The value that filming gave it, where it changed it.
  @Nullable public var to: Int64?

  /// A control that stood at `value`, changed or not.
  public init(value: Int64?, from: Int64? = nil, to: Int64? = nil) {
    self.value = value
    self.from = from
    self.to = to
  }
}
