extension StreamConfiguration {
  /// How long the sensor is exposed; `nil` where the camera chooses that itself, or it is not known.
  public var fixedExposure: Duration? {
    let mode = value(of: "auto_exposure", "exposure_auto")
    guard mode.map(ExposureMode.isAutomatic) != true else { return nil }
    return value(of: "exposure_time_absolute", "exposure_absolute").flatMap(ExposureUnit.duration)
  }

  /// Whether the camera may leave out frames for the sake of a longer exposure; `nil` where it has no such control.
  public var mayLowerRate: Bool? {
    value(of: "exposure_dynamic_framerate", "exposure_auto_priority").map { $0 != 0 }
  }

  /// The value of a control by its name, or by the one that kernels before 5.16 give it.
  private func value(of name: String, _ formerName: String) -> Int64? {
    (controls[name] ?? controls[formerName])?.value
  }
}
