public import CameraModel

extension StreamConfiguration {
  /// How long the sensor is exposed; `nil` where the camera chooses that itself, or it is not known.
  public var fixedExposure: Duration? { controls.fixedExposure }

  /// Whether the camera may leave out frames for the sake of a longer exposure; `nil` where it has no such control.
  public var mayLowerRate: Bool? {
    controls.value(of: "exposure_dynamic_framerate", "exposure_auto_priority").map { $0 != 0 }
  }
}

extension [String: ControlInForce] {
  /// How long the sensor was exposed; `nil` where the camera chose that itself, or it is not known.
  public var fixedExposure: Duration? {
    let mode = value(of: "auto_exposure", "exposure_auto")
    guard mode.map(ExposureMode.isAutomatic) != true else { return nil }
    return value(of: "exposure_time_absolute", "exposure_absolute").flatMap(ExposureUnit.duration)
  }

  /// The gain in units of the camera's own; `nil` where the camera chose it itself, or it is not known.
  public var fixedGain: Int64? {
    guard self["gain_automatic"]?.value != 1 else { return nil }
    return value(of: "gain", "analogue_gain")
  }

  /// The value of a control by its name, or by another that some kernels or cameras give it.
  fileprivate func value(of name: String, _ otherName: String) -> Int64? {
    (self[name] ?? self[otherName])?.value
  }
}
