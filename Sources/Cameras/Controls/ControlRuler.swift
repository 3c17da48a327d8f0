/// An automatic control that makes another inactive, and the value at which it does not.
///
/// From the manual's "User Controls" and "Camera Control Reference"; drivers may have further rules.
struct ControlRuler {
  /// `V4L2_CID_*`.
  let id: UInt32
  /// The value for off, or manual.
  let value: Int64

  /// Returns the ruler of the control `id`; `nil` if none is known.
  static func ruling(_ id: UInt32) -> ControlRuler? {
    switch id {
    case ControlID.exposureAbsolute, ControlID.exposure:
      ControlRuler(id: ControlID.exposureAuto, value: ExposureMode.manual)
    case ControlID.gain: ControlRuler(id: ControlID.autogain, value: 0)
    case ControlID.whiteBalanceTemperature, ControlID.redBalance, ControlID.blueBalance:
      ControlRuler(id: ControlID.autoWhiteBalance, value: 0)
    case ControlID.focusAbsolute, ControlID.focusStart: ControlRuler(id: ControlID.focusAuto, value: 0)
    case ControlID.hue: ControlRuler(id: ControlID.hueAuto, value: 0)
    case ControlID.brightness: ControlRuler(id: ControlID.autobrightness, value: 0)
    case ControlID.isoSensitivity: ControlRuler(id: ControlID.isoSensitivityAuto, value: 0)
    default: nil
    }
  }
}

/// The `V4L2_CID_*` that Overcrank uses; linux/v4l2-controls.h.
enum ControlID {
  private static let user: UInt32 = 0x0098_0900
  private static let camera: UInt32 = 0x009a_0900
  private static let flash: UInt32 = 0x009c_0900
  private static let imageSource: UInt32 = 0x009e_0900

  static let brightness = user
  static let hue = user + 3
  static let autoWhiteBalance = user + 12
  static let redBalance = user + 14
  static let blueBalance = user + 15
  static let exposure = user + 17
  static let autogain = user + 18
  static let gain = user + 19
  static let powerLineFrequency = user + 24
  static let hueAuto = user + 25
  static let whiteBalanceTemperature = user + 26
  static let autobrightness = user + 32
  /// Switches of the lamps of a microscope or an endoscope, above and below.
  static let illuminators = [user + 37, user + 38]
  static let exposureAuto = camera + 1
  static let exposureAbsolute = camera + 2
  /// `exposure_dynamic_framerate`; older kernels call it `exposure_auto_priority`.
  static let exposureAutoPriority = camera + 3
  static let focusAbsolute = camera + 10
  static let focusAuto = camera + 12
  static let zoomAbsolute = camera + 13
  static let isoSensitivity = camera + 23
  static let isoSensitivityAuto = camera + 24
  /// A button: the camera focuses once.
  static let focusStart = camera + 28
  static let flashLEDMode = flash + 1
  static let analogueGain = imageSource + 3
}

/// `enum v4l2_exposure_auto_type`: whether the camera chooses the exposure time, the iris, or both.
enum ExposureMode {
  static let auto: Int64 = 0
  static let manual: Int64 = 1
  static let shutterPriority: Int64 = 2
  static let aperturePriority: Int64 = 3

  /// Returns whether the camera chooses the exposure time.
  static func isAutomatic(_ mode: Int64) -> Bool { mode == auto || mode == aperturePriority }
}
