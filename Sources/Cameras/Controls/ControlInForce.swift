/// How a control stood while a take was filmed.
public struct ControlInForce: Codable, Hashable, Sendable {
  /// Its value when filming began; `nil` where it cannot be read.
  public var value: Int64?
  /// Its value before, where filming changed it.
  public var from: Int64?
  /// The value that filming gave it, where it changed it.
  public var to: Int64?

  /// A control that stood at `value`, changed or not.
  public init(value: Int64?, from: Int64? = nil, to: Int64? = nil) {
    self.value = value
    self.from = from
    self.to = to
  }
}

extension ControlDriver where Self: ~Copyable {
  /// How every control that holds a number stands, by name, after `outcomes`.
  borrowing func controlsInForce(after outcomes: [ControlOutcome]) -> [String: ControlInForce] {
    var found: [String: ControlInForce] = [:]
    for control in ((try? controls()) ?? []).map({ CameraControl($0) }) where control.control.value != nil {
      let outcome = outcomes.first { $0.change.id == control.control.id && $0.failure == nil }
      found[control.name] = ControlInForce(
        value: control.control.value, from: outcome?.before, to: outcome?.change.value)
    }
    return found
  }
}
