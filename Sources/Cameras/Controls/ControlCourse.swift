package import Timebase

/// The future values of a control, from a moment on.
package enum ControlCourse: Hashable, Sendable {
  /// A ramp whose zero is at `start` on the session's clock.
  case ramp(ControlRamp, start: Instant)
  /// A move from `value`, held at `start`, to the target, by `rate` of the control's units per second.
  case target(Int64, rate: Double, value: Int64, start: Instant)

  /// Returns the control's value at `time`.
  package func value(at time: Instant) -> Int64 {
    switch self {
    case .ramp(let ramp, let start): return ramp.value(at: time - start)
    case .target(let target, let rate, let value, let start):
      let way = Int64(clamping: (max(0, (time - start) / .seconds(1)) * rate.magnitude).rounded())
      return target >= value
        ? min(target, value.adding(clamping: way)) : max(target, value.subtracting(clamping: way))
    }
  }

  /// Returns whether the value stays constant from `time` on.
  package func isOver(at time: Instant) -> Bool {
    switch self {
    case .ramp(let ramp, let start): time - start >= ramp.duration
    case .target(let target, _, _, _): value(at: time) == target
    }
  }

  /// The most steps per second that a moving control takes.
  package static let stepsPerSecond: Int64 = 60
}

/// A value for a control to approach by itself, such as a zoom that follows a slider.
public struct ControlTarget: Hashable, Sendable {
  /// `V4L2_CID_*`.
  public let id: UInt32
  /// The control's name as v4l2-ctl spells it.
  public let name: String
  /// The value to reach.
  public let value: Int64
  /// The speed, in the control's units per second.
  public let rate: Double

  /// Creates a move of `control` to `value`, clamped to its limits, by `rate` of its units per second.
  public init(_ control: CameraControl, to value: Int64, rate: Double) {
    id = control.control.id
    name = control.name
    self.value = min(
      max(value, control.control.minimum), max(control.control.minimum, control.control.maximum))
    self.rate = rate.isFinite ? rate.magnitude : .greatestFiniteMagnitude
  }
}
