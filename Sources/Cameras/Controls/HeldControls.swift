public import CameraModel
import Synchronization
public import V4L2

/// Controls that are held in memory, such as a simulated camera's.
///
/// They can be set and read like a driver's. Except for a light, they have no effect: pictures stay the same, and other
/// programs do not see them. Copies share their values; ``separate()`` makes an independent copy.
public struct HeldControls: Sendable {
  private final class Values: Sendable {
    let controls: Mutex<[Control]>

    init(_ controls: [Control]) { self.controls = Mutex(controls) }
  }

  /// The state of the camera's light, which every frame asks for: there must be no lock.
  private final class LightState: Sendable {
    let isOn = Atomic(false)
  }

  private let values: Values
  private let light: LightState
  private let menus: [UInt32: [ControlMenuItem]]

  /// Creates a set of controls.
  ///
  /// - Parameters:
  ///   - controls: the controls in the order of their ids.
  ///   - menus: the items of those that are menus, by id.
  public init(_ controls: [Control], menus: [UInt32: [ControlMenuItem]] = [:]) {
    self.init(controls, menus: menus, light: LightState())
  }

  private init(_ controls: [Control], menus: [UInt32: [ControlMenuItem]], light: LightState) {
    values = Values(controls)
    self.menus = menus
    self.light = light
  }

  /// Returns the controls of a typical webcam, at its defaults: exposure and focus are automatic.
  public static func webcam() -> HeldControls {
    let on: Int64 = 1
    return HeldControls(
      [
        Control(ControlID.brightness, "Brightness", 0...255, 128),
        Control(ControlID.gain, "Gain", 0...100, 16),
        Control(
          ControlID.exposureAuto, "Auto Exposure", kind: .menu, 0...3, ExposureMode.aperturePriority),
        Control(ControlID.exposureAbsolute, "Exposure Time, Absolute", 1...5000, 157),
        Control(ControlID.exposureAutoPriority, "Exposure, Dynamic Framerate", kind: .boolean, 0...1, 0),
        Control(ControlID.focusAbsolute, "Focus, Absolute", 0...250, 0),
        Control(ControlID.focusAuto, "Focus, Automatic Continuous", kind: .boolean, 0...1, on),
        Control(ControlID.zoomAbsolute, "Zoom, Absolute", 100...500, 100),
        Control(
          id: ControlID.focusStart, name: "Auto Focus, Start", kind: .button, minimum: 0, maximum: 0,
          value: nil),
      ],
      menus: [
        ControlID.exposureAuto: [
          ControlMenuItem(index: UInt32(ExposureMode.manual), name: "Manual Mode"),
          ControlMenuItem(index: UInt32(ExposureMode.aperturePriority), name: "Aperture Priority Mode"),
        ]
      ])
  }

  /// Returns an independent copy with the present values. A light is the same one: it is as the last of them set it.
  public func separate() -> HeldControls {
    let controls = values.controls.withLock { $0 }
    light.isOn.store(CameraLight.isOn(controls), ordering: .relaxed)
    return HeldControls(controls, menus: menus, light: light)
  }

  /// Returns an independent set of these controls and that of a light.
  package func having(_ light: CameraLight) -> HeldControls {
    let (control, items) = light.control
    var menus = menus
    menus[control.id] = items
    return HeldControls(values.controls.withLock { $0 } + [control], menus: menus)
  }

  /// Whether the camera's light is on.
  package var isLit: Bool { light.isOn.load(ordering: .relaxed) }

  /// Returns all of them with their menus.
  public func controls() -> [CameraControl] {
    allControls().map { CameraControl($0, items: items(of: $0)) }
  }

  /// Makes `changes` and returns the outcome of each.
  ///
  /// - Parameters:
  ///   - changes: the values to set.
  ///   - camera: the camera's name for messages.
  public func set(_ changes: [ControlChange], on camera: String) -> [ControlOutcome] {
    var driver = self
    return driver.make(changes, on: camera)
  }

  /// Returns the state of each, by name, after `outcomes`.
  public func inForce(after outcomes: [ControlOutcome]) -> [String: ControlInForce] {
    controlsInForce(after: outcomes)
  }
}

extension HeldControls: ControlDriver {
  func allControls() -> [Control] {
    let all = values.controls.withLock { $0 }
    return all.map { control in
      // As with a webcam, a value that the camera chooses itself cannot be set.
      guard let ruler = ControlRuler.ruling(control.id),
        let master = all.first(where: { $0.id == ruler.id }), master.value != ruler.value
      else { return control }
      return control.flagged(.inactive)
    }
  }

  func control(_ id: UInt32) -> Control? { allControls().first { $0.id == id } }

  func items(of control: Control) -> [ControlMenuItem] { menus[control.id] ?? [] }

  func setControl(_ id: UInt32, to value: Int64) {
    values.controls.withLock { controls in
      guard let place = controls.firstIndex(where: { $0.id == id }) else { return }
      let control = controls[place]
      // A button has no value.
      guard control.kind != .button else { return }
      controls[place].value = min(max(value, control.minimum), control.maximum)
      light.isOn.store(CameraLight.isOn(controls), ordering: .relaxed)
    }
  }
}

extension Control {
  fileprivate init(
    _ id: UInt32, _ name: String, kind: Kind = .integer, _ range: ClosedRange<Int64>, _ value: Int64
  ) {
    self.init(
      id: id, name: name, kind: kind, minimum: range.lowerBound, maximum: range.upperBound,
      defaultValue: value, value: value)
  }

  fileprivate func flagged(_ flags: ControlFlags) -> Control {
    Control(
      id: id, name: name, kind: kind, minimum: minimum, maximum: maximum, step: step,
      defaultValue: defaultValue, flags: self.flags.union(flags), dimensions: dimensions, value: value,
      text: text)
  }
}
