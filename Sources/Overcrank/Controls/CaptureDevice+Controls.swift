public import Platform
public import Cameras
public import Capture
public import Takes

extension CaptureDevice {
  /// Sets controls permanently, those of `settings` last.
  ///
  /// - Parameter resetting: whether all controls that can be set are reset to the driver's defaults first.
  /// - Returns: the value that the driver chose for each; empty if there was nothing to set.
  /// - Throws: `OvercrankError` if the camera does not have a name or a value; nothing is set then.
  public func set(
    _ settings: [ControlSetting], resetting: Bool = false
  ) throws(OvercrankError) -> [ControlOutcome] {
    let controls = try controls()
    var changes = resetting ? controls.compactMap(\.resetChange) : []
    for setting in settings { changes.append(try setting.change(among: controls, of: name)) }
    return changes.isEmpty ? [] : try make(changes)
  }

  /// Moves controls permanently, starting now, until all have reached their targets.
  ///
  /// Blocks the calling thread. Takes up to sixty steps per second, or as many as the driver can process.
  ///
  /// - Parameters:
  ///   - settings: the controls to move, with their ramps; all begin at once.
  ///   - stop: a flag that stops the controls at their current values.
  /// - Returns: the steps taken, with times of `clock`.
  /// - Throws: `OvercrankError` if the camera does not have a name or a value, and nothing moves; or if the
  ///   driver refuses a step.
  public func move(
    _ settings: [ControlRampSetting], until stop: StopFlag
  ) throws(OvercrankError) -> [Take.ControlChange] {
    let controls = try controls()
    var plan = ControlPlan()
    try plan.move(settings, of: controls, of: name)
    _ = try make(plan.changes)
    let port = try controlPort(making: [])
    let start = clock.now
    var steps: [Take.ControlChange] = []
    var last: [UInt32: Int64] = [:]
    var moving = plan.ramps.map { ($0, ControlCourse.ramp($0, start: start)) }
    while !moving.isEmpty, !stop.isSet {
      let now = clock.now
      for (ramp, course) in moving where last[ramp.id] != course.value(at: now) {
        let value = course.value(at: now)
        let made = try port.set(ramp.id, to: value)
        last[ramp.id] = value
        steps.append(Take.ControlChange(time: clock.now, name: ramp.name, value: made ?? value))
      }
      moving.removeAll { $0.1.isOver(at: now) }
      if !moving.isEmpty {
        clock.wait(until: now + .seconds(1) / ControlCourse.stepsPerSecond)
      }
    }
    return steps
  }
}

extension CameraControl {
  /// The change that resets the control to its default; `nil` if it is at its default or cannot be set.
  fileprivate var resetChange: ControlChange? {
    guard let value = control.value, value != control.defaultValue,
      control.flags.isDisjoint(with: [.readOnly, .volatile, .inactive])
    else { return nil }
    return ControlChange(id: control.id, name: name, value: control.defaultValue, isRequired: false)
  }
}
