import CameraModel
import V4L2

@testable import Cameras

/// A simulated webcam with the exposure controls that uvcvideo lists for a Logitech C920. As there, the
/// exposure time is inactive, and refused, while the exposure is automatic.
struct Webcam: ControlDriver {
  static let exposureAuto: UInt32 = 0x009a_0901
  static let exposureTime: UInt32 = 0x009a_0902
  static let dynamicRate: UInt32 = 0x009a_0903
  static let powerLine: UInt32 = 0x0098_0918
  static let gain: UInt32 = 0x0098_0913
  static let autogain: UInt32 = 0x0098_0912
  static let analogueGain: UInt32 = 0x009e_0903
  static let flashLEDMode: UInt32 = 0x009c_0901

  var values: [UInt32: Int64] = [exposureAuto: 3, exposureTime: 250, dynamicRate: 1, powerLine: 1]
  /// The modes of its light, if it has one.
  var lightModes = [ControlMenuItem(index: 0, name: "Off"), ControlMenuItem(index: 2, name: "Torch")]
  /// The controls that were set, in order.
  private(set) var log: [UInt32] = []
  var left: Set<UInt32> = []

  var isManual: Bool { values[Self.exposureAuto] == 1 }

  func control(_ id: UInt32) -> Control? {
    guard let value = values[id], !left.contains(id) else { return nil }
    switch id {
    case Self.exposureAuto:
      return Control(
        id: id, name: "Auto Exposure", kind: .menu, minimum: 0, maximum: 3, defaultValue: 3, value: value)
    case Self.exposureTime:
      return Control(
        id: id, name: "Exposure Time, Absolute", minimum: 3, maximum: 2047, defaultValue: 250,
        flags: isManual ? [] : .inactive, value: value)
    case Self.dynamicRate:
      return Control(
        id: id, name: "Exposure, Dynamic Framerate", kind: .boolean, minimum: 0, maximum: 1, value: value)
    case Self.gain, Self.analogueGain:
      return Control(
        id: id, name: id == Self.gain ? "Gain" : "Analogue Gain", minimum: 16, maximum: 255, value: value)
    case Self.flashLEDMode:
      return Control(id: id, name: "LED Mode", kind: .menu, minimum: 0, maximum: 2, value: value)
    case Self.autogain:
      return Control(id: id, name: "Gain, Automatic", kind: .boolean, minimum: 0, maximum: 1, value: value)
    default:
      return Control(id: id, name: "Power Line Frequency", kind: .menu, minimum: 0, maximum: 2, value: value)
    }
  }

  func allControls() throws(V4L2Error) -> [Control] { values.keys.sorted().compactMap { control($0) } }

  func items(of control: Control) -> [ControlMenuItem] {
    switch control.id {
    case Self.exposureAuto:
      [
        ControlMenuItem(index: 1, name: "Manual Mode"),
        ControlMenuItem(index: 3, name: "Aperture Priority Mode"),
      ]
    case Self.flashLEDMode: lightModes
    case Self.powerLine:
      [ControlMenuItem(index: 0, name: "Disabled"), ControlMenuItem(index: 1, name: "50 Hz")]
    default: []
    }
  }

  mutating func setControl(_ id: UInt32, to value: Int64) throws(V4L2Error) {
    values[id] = value
    log.append(id)
  }
}
