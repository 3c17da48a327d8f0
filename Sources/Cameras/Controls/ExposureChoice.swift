import Platform
public import Timebase

/// A choice of exposure.
public enum ExposureChoice: Hashable, Sendable {
  /// The camera chooses, within the frame interval.
  case auto
  /// The exposure stays as it is, whatever the effect on the rate.
  case keep
  /// A fixed exposure time.
  case time(Duration)

  /// Reads `auto`, `keep`, a time such as `2ms`, or a fraction of a second such as `1/500`.
  public init(text: String) throws(QuantityError) {
    switch text {
    case "auto": self = .auto
    case "keep": self = .keep
    default:
      let seconds = text.contains("/") ? Fraction(text: text) : (try? Duration(text: text))?.inSeconds
      guard let seconds, seconds > Fraction(0), seconds <= Fraction(3600) else {
        throw QuantityError(text, expected: "auto, keep, or an exposure time such as 2ms or 1/500")
      }
      self = .time(max(Duration(seconds: seconds), .nanoseconds(1)))
    }
  }
}

/// The unit of `V4L2_CID_EXPOSURE_ABSOLUTE`: 100 microseconds.
enum ExposureUnit {
  static let perSecond = Fraction(10_000)

  /// Returns the duration of `units`; `nil` if it overflows.
  static func duration(_ units: Int64) -> Duration? {
    let (nanoseconds, overflow) = units.multipliedReportingOverflow(by: 100_000)
    return overflow ? nil : .nanoseconds(nanoseconds)
  }
}

/// The controls of a camera that affect its exposure time.
private struct ExposureControls {
  var mode: CameraControl?
  var time: CameraControl?
  var dynamicRate: CameraControl?

  init(_ controls: [CameraControl]) {
    mode = controls.settable(ControlID.exposureAuto)
    time = controls.settable(ControlID.exposureAbsolute)
    dynamicRate = controls.settable(ControlID.exposureAutoPriority)
  }

  /// Whether the camera chooses the time itself; `false` if it has no such control.
  var isAutomatic: Bool { mode?.control.value.map(ExposureMode.isAutomatic) ?? false }

  /// Returns the first of `modes` that the camera has.
  func first(of modes: [Int64]) -> Int64? {
    modes.first { mode?.item(for: $0) != nil }
  }
}

extension ControlPlan {
  /// Sets the exposure that `choice` says, or the nearest that the camera allows; without a choice, changes
  /// only what would lower the rate.
  ///
  /// - Parameter asked: the controls that the user set by name.
  /// - Throws: `OvercrankError` if the camera has no such exposure.
  mutating func expose(
    _ controls: [CameraControl], as choice: ExposureChoice?, within interval: FrameInterval,
    leaving asked: Set<UInt32>, of camera: String
  ) throws(OvercrankError) {
    guard choice != .keep else { return }
    let exposure = ExposureControls(controls)
    forbidDynamicRate(exposure)
    switch choice {
    case .time(let time): try expose(exposure, for: time, within: interval, of: camera)
    case .auto: try exposeAutomatically(exposure, of: camera)
    default:
      if let time = exposure.time, !asked.contains(time.control.id) { shorten(exposure, to: interval) }
    }
  }

  /// Forbids the camera to drop frames for a longer exposure.
  private mutating func forbidDynamicRate(_ exposure: ExposureControls) {
    guard exposure.dynamicRate?.control.value ?? 0 != 0 else { return }
    change(exposure.dynamicRate, to: 0, isRequired: false)
  }

  /// Shortens a fixed exposure that is longer than a frame, and would cost frames.
  private mutating func shorten(_ exposure: ExposureControls, to interval: FrameInterval) {
    guard !exposure.isAutomatic, let time = exposure.time, let longest = Self.units(in: interval),
      let value = time.control.value, value > longest, longest >= time.control.minimum
    else { return }
    change(time, to: longest, isRequired: false)
    shortensExposure = true
    remarks.append(
      "The camera's exposure is fixed at \(Self.words(value)), longer than a frame: it is limited to "
        + "\(Self.words(longest)) for this take.")
  }

  /// Limits an exposure that moves to the length of a frame.
  mutating func hold(_ ramp: inout ControlRamp, of time: CameraControl, to interval: FrameInterval) {
    guard let longest = Self.units(in: interval).map({ max($0, time.control.minimum) }),
      let most = ramp.points.map(\.value).max(), most > longest
    else { return }
    ramp.limit = longest
    remarks.append(
      "The exposure moves only up to \(Self.words(longest)) instead of \(Self.words(most)): "
        + "a frame is no longer than that.")
  }

  /// Lets the camera choose the exposure time.
  private mutating func exposeAutomatically(
    _ exposure: ExposureControls, of camera: String
  ) throws(OvercrankError) {
    guard !exposure.isAutomatic else { return }
    // Nearly every webcam has a fixed iris, and aperture priority is its only automatic mode.
    guard let mode = exposure.first(of: [ExposureMode.aperturePriority, ExposureMode.auto]) else {
      throw OvercrankError(
        .noControl, "\(camera) has no automatic exposure. Give a time.", remedy: .giveExposure)
    }
    change(exposure.mode, to: mode, isRequired: true)
  }

  /// Sets the exposure to `duration`, or the nearest that the camera and the interval allow.
  private mutating func expose(
    _ exposure: ExposureControls, for duration: Duration, within interval: FrameInterval, of camera: String
  ) throws(OvercrankError) {
    guard let time = exposure.time else {
      throw OvercrankError(
        .noControl,
        "\(camera) has no exposure time in known units (exposure_time_absolute). See which controls it has, and set the right one.",
        remedy: .setControl(camera: camera))
    }
    if exposure.mode != nil,
      let mode = exposure.first(of: [ExposureMode.manual, ExposureMode.shutterPriority])
    {
      change(exposure.mode, to: mode, isRequired: true)
    }
    let asked = max(1, (duration.inSeconds * ExposureUnit.perSecond).rounded)
    var value = asked
    var reason = ""
    if let longest = Self.units(in: interval), value > longest {
      (value, reason) = (longest, "a frame is no longer than that")
    }
    if value < time.control.minimum {
      (value, reason) = (time.control.minimum, "that is the camera's shortest exposure")
    } else if value > time.control.maximum {
      (value, reason) = (time.control.maximum, "that is the camera's longest exposure")
    }
    if value != asked {
      remarks.append(
        "The exposure is \(Self.words(value)) instead of \(Self.words(asked)): \(reason).")
    }
    change(time, to: value, isRequired: true)
  }

  /// Returns the number of whole units that fit into a frame; `nil` if the interval is not valid.
  static func units(in interval: FrameInterval) -> Int64? {
    guard let rate = interval.rate else { return nil }
    return max(1, (ExposureUnit.perSecond / rate.framesPerSecond).floor)
  }

  /// Formats exposure units as milliseconds: `4.1 ms`.
  static func words(_ units: Int64) -> String { "\(Fraction(units, 10).decimal(places: 1)) ms" }
}
