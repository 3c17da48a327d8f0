public import CameraModel

extension StreamConfiguration {
  /// The exposure time; `nil` if the camera chooses it, or it is unknown.
  public var fixedExposure: Duration? { controls.fixedExposure }

  /// Whether the camera may drop frames for a longer exposure; `nil` if it has no such control.
  public var mayLowerRate: Bool? {
    controls.value(of: "exposure_dynamic_framerate", "exposure_auto_priority").map { $0 != 0 }
  }
}

extension [String: ControlInForce] {
  /// The exposure time; `nil` if the camera chose it, or it is unknown.
  public var fixedExposure: Duration? {
    let mode = value(of: "auto_exposure", "exposure_auto")
    guard mode.map(ExposureMode.isAutomatic) != true else { return nil }
    return value(of: "exposure_time_absolute", "exposure_absolute").flatMap(ExposureUnit.duration)
  }

  /// The gain in the camera's own units; `nil` if the camera chose it, or it is unknown.
  public var fixedGain: Int64? {
    guard self["gain_automatic"]?.value != 1 else { return nil }
    return value(of: "gain", "analogue_gain")
  }

  /// Returns the value of a control by its name, or by another that some kernels or cameras use.
  fileprivate func value(of name: String, _ otherName: String) -> Int64? {
    (self[name] ?? self[otherName])?.value
  }
}
