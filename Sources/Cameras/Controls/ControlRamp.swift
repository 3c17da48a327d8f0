public import Platform
import CameraModel
package import Timebase
import V4L2

/// A control that moves while a camera captures: values at times after a trigger.
///
/// Between two points it moves linearly, or slowly at both ends if it is eased. Before the first point it
/// holds that point's value, and after the last point that of the last.
public struct ControlRamp: Hashable, Sendable {
  /// A point of a ramp: a time and the value at it.
  public struct Point: Hashable, Sendable {
    /// The time from the trigger; at least zero.
    public var time: Duration
    /// The value, in the control's own units.
    public var value: Int64
    /// Whether the control eases from the previous point to this one.
    public var isEased: Bool

    /// Creates a point of a ramp.
    public init(time: Duration, value: Int64, isEased: Bool = false) {
      self.time = time
      self.value = value
      self.isEased = isEased
    }
  }

  /// `V4L2_CID_*`.
  public let id: UInt32
  /// The control's name as v4l2-ctl spells it.
  public let name: String
  /// The points in order of time, at least one; two at the same time are a jump.
  public let points: [Point]
  /// The maximum of all values, whatever the points say; `nil` for no limit.
  public internal(set) var limit: Int64? = nil

  /// The value until the trigger.
  public var startValue: Int64 { min(points[0].value, limit ?? .max) }

  /// Returns the value at `time` after the trigger.
  public func value(at time: Duration) -> Int64 { min(course(at: time), limit ?? .max) }

  private func course(at time: Duration) -> Int64 {
    guard let next = points.firstIndex(where: { $0.time > time }) else {
      return points[points.count - 1].value
    }
    guard next > 0 else { return points[0].value }
    let (from, to) = (points[next - 1], points[next])
    let part = (time - from.time) / (to.time - from.time)
    let eased = to.isEased ? part * part * (3 - 2 * part) : part
    return from.value.adding(
      clamping: Int64(clamping: ((Double(to.value) - Double(from.value)) * eased).rounded()))
  }

  /// The time at which the ramp ends.
  public var duration: Duration { points[points.count - 1].time }
}

/// A ramp as it was typed: `zoom_absolute=0s:100, ease 2s:400`.
public struct ControlRampSetting: Hashable, Sendable {
  /// The control: as for ``ControlSetting``, or `zoom`, `focus`, `exposure` or `gain`.
  public let name: String
  /// The points.
  public let points: [ControlRamp.Point]

  private static let example = "TIME:VALUE, such as 2s:400"

  /// Reads `NAME=TIME:VALUE, TIME:VALUE`; `ease` before a time eases the move to that point.
  ///
  /// - Throws: `CurveError` that names the point, `QuantityError` if there is no name.
  public init(text: String) throws {
    guard let sign = text.firstIndex(of: "="), sign > text.startIndex else {
      throw QuantityError(text, expected: "a control and its curve, such as zoom='0s:100, ease 2s:400'")
    }
    name = String(text[..<sign])
    let curve = try CurveText(text[text.index(after: sign)...])
    guard !curve.items.isEmpty else {
      throw QuantityError(text, expected: "a control and its curve, such as zoom='0s:100, ease 2s:400'")
    }
    var points: [ControlRamp.Point] = []
    for item in curve.items {
      let point = try item.point(like: Self.example)
      guard let value = Int64(point.value) else {
        throw CurveError(
          String(item.text), "needs a whole number after its colon: write \(Self.example).", line: item.line)
      }
      let before = points.suffix(2).map(\.time)
      guard point.time >= before.last ?? .zero else {
        throw CurveError(
          String(item.text), "is earlier than the previous point. Write the points in order of time.",
          line: item.line)
      }
      guard before != [point.time, point.time] else {
        throw CurveError(
          String(item.text), "is the third point at the same time. Write at most two, which make a jump.",
          line: item.line)
      }
      guard !point.isEased || before.last.map({ $0 < point.time }) == true else {
        throw CurveError(
          String(item.text), "cannot be eased: no point comes before it in time.",
          line: item.line)
      }
      points.append(ControlRamp.Point(time: point.time, value: value, isEased: point.isEased))
    }
    self.points = points
  }

  /// Short names of the controls that are moved most, each with the controls that it stands for: the first
  /// that the camera has is used.
  private static let shortNames: [String: [UInt32]] = [
    "zoom": [ControlID.zoomAbsolute], "focus": [ControlID.focusAbsolute],
    "exposure": [ControlID.exposureAbsolute, ControlID.exposure],
    "gain": [ControlID.gain, ControlID.analogueGain],
  ]

  /// Returns the ramp that this means for a camera with `controls`.
  ///
  /// - Throws: `OvercrankError` with `noControl` if there is no such control or it cannot move, with
  ///   `badValue` if it does not take a value.
  public func ramp(among controls: [CameraControl], of camera: String) throws(OvercrankError) -> ControlRamp {
    let meant = (Self.shortNames[name] ?? []).lazy.compactMap { id in controls.first { $0.control.id == id } }
    let control =
      if let control = meant.first { control } else {
        try ControlSetting.control(named: name, among: controls, of: camera)
      }
    guard [.integer, .integer64].contains(control.control.kind), control.control.dimensions.isEmpty else {
      throw OvercrankError(
        .noControl,
        "\(camera.asSubject) \(control.name) does not hold a whole number, so it cannot move. Choose another control.",
        remedy: .listControls(camera: camera))
    }
    guard !control.control.flags.contains(.readOnly) else {
      throw OvercrankError(
        .noControl, "\(camera.asSubject) \(control.name) is read-only: its driver does not let it be set.")
    }
    for point in points {
      guard (control.control.minimum...control.control.maximum).contains(point.value) else {
        throw OvercrankError(
          .badValue,
          "\(camera.asSubject) \(control.name) cannot be \(point.value): it takes \(control.control.minimum) to \(control.control.maximum)."
        )
      }
    }
    return ControlRamp(id: control.control.id, name: control.name, points: points)
  }
}

extension ControlPlan {
  /// Adds the ramps of `settings`: turns off the automatic controls that rule them, and sets each to its
  /// first value.
  ///
  /// - Parameter interval: the frame interval, the longest exposure allowed; `nil` for no limit.
  /// - Throws: `OvercrankError` if the camera has no such control, or it does not take the values.
  package mutating func move(
    _ settings: [ControlRampSetting], of controls: [CameraControl], within interval: FrameInterval? = nil,
    of camera: String
  ) throws(OvercrankError) {
    for setting in settings {
      var ramp = try setting.ramp(among: controls, of: camera)
      if let interval, ramp.id == ControlID.exposureAbsolute, let control = controls.settable(ramp.id) {
        hold(&ramp, of: control, to: interval)
      }
      guard !ramps.contains(where: { $0.id == ramp.id }) else {
        throw OvercrankError(.badValue, "\(camera.asSubject) \(ramp.name) has two curves. Give it only one.")
      }
      ramps.append(ramp)
      if let ruler = ControlRuler.ruling(ramp.id), let master = controls.settable(ruler.id),
        master.control.value != ruler.value
      {
        changes.removeAll { $0.id == ruler.id }
        change(master, to: ruler.value, isRequired: true)
      }
      changes.removeAll { $0.id == ramp.id }
      changes.append(
        ControlChange(id: ramp.id, name: ramp.name, value: ramp.startValue, isRequired: true))
    }
  }
}
