package import Timebase

/// Where a control is to go, from now on.
package enum ControlCourse: Hashable, Sendable {
  /// Along this ramp, whose zero is at `start` on the session's clock.
  case ramp(ControlRamp, start: Instant)
  /// From `value`, where it stood at `start`, to `target`, by `rate` of its units a second.
  case target(Int64, rate: Double, value: Int64, start: Instant)

  /// Its value at `time`.
  package func value(at time: Instant) -> Int64 {
    switch self {
    case .ramp(let ramp, let start): return ramp.value(at: time - start)
    case .target(let target, let rate, let value, let start):
      let way = Int64(clamping: (max(0, (time - start) / .seconds(1)) * rate.magnitude).rounded())
      return target >= value
        ? min(target, value.adding(clamping: way)) : max(target, value.subtracting(clamping: way))
    }
  }

  /// Whether it stays where it is from `time` on.
  package func isOver(at time: Instant) -> Bool {
    switch self {
    case .ramp(let ramp, let start): time - start >= ramp.duration
    case .target(let target, _, _, _): value(at: time) == target
    }
  }

  /// How many steps a second a control moves by, at most.
  package static let stepsPerSecond: Int64 = 60
}

/// Where a control is to go by itself, such as a zoom that follows a slider.
public struct ControlTarget: Hashable, Sendable {
  /// `V4L2_CID_*`.
  public let id: UInt32
  /// The control's name as v4l2-ctl spells it.
  public let name: String
  /// The value that it goes to.
  public let value: Int64
  /// How many of its units it goes in a second.
  public let rate: Double

  /// Moves `control` to `value`, held to its limits, by `rate` of its units a second.
  public init(_ control: CameraControl, to value: Int64, rate: Double) {
    id = control.control.id
    name = control.name
    self.value = min(
      max(value, control.control.minimum), max(control.control.minimum, control.control.maximum))
    self.rate = rate.isFinite ? rate.magnitude : .greatestFiniteMagnitude
  }
}
