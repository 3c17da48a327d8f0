package import Timebase

/// A control whose present value can keep a camera from its rate.
package enum RateLimitingControl: Hashable, Sendable {
  /// The camera may drop frames for a longer exposure.
  case dynamicRate(CameraControl)
  /// The exposure is fixed, and longer than a frame.
  case longExposure(CameraControl, Duration)
  /// Automatic exposure lasts whole flicker periods of the light, each longer than a frame.
  case powerLine(CameraControl)

  /// Returns what limits the rate of a camera with `controls` at `interval`.
  package static func all(in controls: [CameraControl], at interval: FrameInterval) -> [RateLimitingControl] {
    func find(_ id: UInt32) -> CameraControl? { controls.first { $0.control.id == id } }
    var found: [RateLimitingControl] = []
    if let control = find(ControlID.exposureAutoPriority), control.control.value ?? 0 != 0 {
      found.append(.dynamicRate(control))
    }
    guard let frame = (interval.rate?.interval).map({ Duration(seconds: $0) }) else { return found }
    let isAutomatic = find(ControlID.exposureAuto)?.control.value.map(ExposureMode.isAutomatic) ?? false
    if !isAutomatic, let control = find(ControlID.exposureAbsolute),
      let time = control.control.value.flatMap(ExposureUnit.duration), time > frame
    {
      found.append(.longExposure(control, time))
    }
    // 50 Hz is 1 and 60 Hz is 2; the light flickers twice per period.
    let flickers: [Int64: Duration] = [1: .milliseconds(10), 2: .nanoseconds(8_333_333)]
    if isAutomatic, let control = find(ControlID.powerLineFrequency),
      let flicker = control.control.value.flatMap({ flickers[$0] }), flicker > frame
    {
      found.append(.powerLine(control))
    }
    return found
  }
}
