/// A control of the camera, by its place and its selector there ("Video Devices" 1.1, A.9).
public enum CameraControlName: Sendable, CaseIterable {
  /// 1 manual, 8 aperture priority.
  case exposureMode
  /// Whether the camera may skip frames for a longer exposure: V4L2's `exposure_dynamic_framerate`.
  case exposurePriority
  /// In units of 100 microseconds.
  case exposureTime
  /// Without unit.
  case brightness
  /// Without unit.
  case gain
  /// 1 for 50 Hz, 2 for 60 Hz.
  case powerLineFrequency

  /// The terminal or unit, and the selector.
  var place: (entity: UInt8, selector: UInt8) {
    switch self {
    case .exposureMode: (Layout.cameraTerminal, 2)
    case .exposurePriority: (Layout.cameraTerminal, 3)
    case .exposureTime: (Layout.cameraTerminal, 4)
    case .brightness: (Layout.processingUnit, 2)
    case .gain: (Layout.processingUnit, 4)
    case .powerLineFrequency: (Layout.processingUnit, 5)
    }
  }

  /// Its range, in as many bytes as the class prescribes. The step of the exposure mode is the set of
  /// available modes.
  var range: (minimum: Int, maximum: Int, step: Int, initial: Int, size: Int) {
    switch self {
    case .exposureMode: (1, 8, 1 | 8, 8, 1)
    case .exposurePriority: (0, 1, 1, 0, 1)
    case .exposureTime: (1, 5000, 1, 157, 4)
    case .brightness: (-64, 64, 1, 0, 2)
    case .gain: (0, 100, 1, 10, 2)
    case .powerLineFrequency: (0, 2, 1, 1, 1)
    }
  }
}

/// The values of the camera's controls.
struct CameraControls: Sendable {
  private(set) var values: [CameraControlName: Int] = [:]

  init() {
    for name in CameraControlName.allCases { values[name] = name.range.initial }
  }

  /// Answers a request for the control at a place, and sets it if requested; `nil` if there is no such
  /// control.
  mutating func answer(_ request: UInt8, entity: UInt8, selector: UInt8, data: [UInt8]) -> [UInt8]? {
    guard let name = CameraControlName.allCases.first(where: { $0.place == (entity, selector) }) else {
      return nil
    }
    let range = name.range
    switch request {
    case ClassRequest.setCurrent:
      guard data.count == range.size else { return nil }
      let value = Self.value(of: data, isSigned: range.minimum < 0)
      guard name == .exposureMode ? range.step & value == value : (range.minimum...range.maximum) ~= value
      else {
        return nil
      }
      values[name] = value
      return []
    case ClassRequest.getCurrent: return Self.bytes(values[name] ?? 0, range.size)
    case ClassRequest.getMinimum: return Self.bytes(range.minimum, range.size)
    case ClassRequest.getMaximum: return Self.bytes(range.maximum, range.size)
    case ClassRequest.getResolution: return Self.bytes(range.step, range.size)
    case ClassRequest.getDefault: return Self.bytes(range.initial, range.size)
    case ClassRequest.getLength: return [UInt8(range.size), 0]
    case ClassRequest.getInformation: return [0b11]  // It can be read and set.
    default: return nil
    }
  }

  private static func bytes(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func value(of bytes: [UInt8], isSigned: Bool) -> Int {
    let value = bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    let sign = 1 << (8 * bytes.count - 1)
    return isSigned && value & sign != 0 ? value - 2 * sign : value
  }
}

/// The requests of the video class ("Video Devices" 1.1, A.8).
enum ClassRequest {
  static let (setCurrent, getCurrent, getMinimum, getMaximum): (UInt8, UInt8, UInt8, UInt8) = (
    1, 0x81, 0x82, 0x83
  )
  static let (getResolution, getLength, getInformation, getDefault): (UInt8, UInt8, UInt8, UInt8) = (
    0x84, 0x85, 0x86, 0x87
  )
}
