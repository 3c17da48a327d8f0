import CameraModel

extension ControlDriver where Self: ~Copyable {
  /// Returns the state of every control that holds a number, by name, after `outcomes`.
  borrowing func controlsInForce(after outcomes: [ControlOutcome]) -> [String: ControlInForce] {
    var found: [String: ControlInForce] = [:]
    for control in ((try? allControls()) ?? []).map({ CameraControl($0) }) where control.control.value != nil
    {
      let outcome = outcomes.first { $0.change.id == control.control.id && $0.failure == nil }
      found[control.name] = ControlInForce(
        value: control.control.value, from: outcome?.before, to: outcome?.change.value)
    }
    return found
  }
}
