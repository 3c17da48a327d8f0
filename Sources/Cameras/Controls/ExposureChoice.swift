import Platform
public import Timebase

/// What is done about the exposure.
public enum ExposureChoice: Hashable, Sendable {
  /// The camera chooses, within the frame interval.
  case auto
  /// It stays as it is, whatever that does to the rate.
  case keep
  /// This long.
  case time(Duration)

  /// Reads `auto`, `keep`, or a time such as `2ms` or `1/500`, in seconds.
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

/// What `V4L2_CID_EXPOSURE_ABSOLUTE` counts in: 100 microseconds.
enum ExposureUnit {
  static let perSecond = Fraction(10_000)

  /// How long so many units are; `nil` where no clock counts that far.
  static func duration(_ units: Int64) -> Duration? {
    let (nanoseconds, overflow) = units.multipliedReportingOverflow(by: 100_000)
    return overflow ? nil : .nanoseconds(nanoseconds)
  }
}

/// The controls of a camera that have a say in its exposure time.
private struct ExposureControls {
  var mode: CameraControl?
  var time: CameraControl?
  var dynamicRate: CameraControl?

  init(_ controls: [CameraControl]) {
    mode = controls.settable(ControlID.exposureAuto)
    time = controls.settable(ControlID.exposureAbsolute)
    dynamicRate = controls.settable(ControlID.exposureAutoPriority)
  }

  /// Whether the camera chooses the time itself; a camera without such a control does not.
  var isAutomatic: Bool { mode?.control.value.map(ExposureMode.isAutomatic) ?? false }

  /// The first of `modes` that the camera has.
  func first(of modes: [Int64]) -> Int64? {
    modes.first { mode?.item(for: $0) != nil }
  }
}

extension ControlPlan {
  /// The exposure is as `choice` says, or as near as the camera lets it be; without a choice, what keeps the rate is done
  /// and no more.
  ///
  /// - Parameter asked: controls that were asked for by name.
  /// - Throws: `OvercrankError` where the camera has no such exposure.
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

  /// No frame is left out for the sake of a longer exposure.
  private mutating func forbidDynamicRate(_ exposure: ExposureControls) {
    guard exposure.dynamicRate?.control.value ?? 0 != 0 else { return }
    change(exposure.dynamicRate, to: 0, isRequired: false)
  }

  /// A fixed exposure that is longer than a frame would cost frames.
  private mutating func shorten(_ exposure: ExposureControls, to interval: FrameInterval) {
    guard !exposure.isAutomatic, let time = exposure.time, let longest = Self.units(in: interval),
      let value = time.control.value, value > longest, longest >= time.control.minimum
    else { return }
    change(time, to: longest, isRequired: false)
    shortensExposure = true
    remarks.append(
      "The camera's exposure is fixed at \(Self.words(value)), longer than a frame: it is held to "
        + "\(Self.words(longest)) for this take.")
  }

  /// An exposure that moves becomes no longer than a frame either.
  mutating func hold(_ ramp: inout ControlRamp, of time: CameraControl, to interval: FrameInterval) {
    guard let longest = Self.units(in: interval).map({ max($0, time.control.minimum) }),
      let most = ramp.points.map(\.value).max(), most > longest
    else { return }
    ramp.limit = longest
    remarks.append(
      "The exposure moves up to \(Self.words(longest)) where \(Self.words(most)) was asked for: a frame is no longer "
        + "than that.")
  }

  /// The camera chooses the time.
  private mutating func exposeAutomatically(
    _ exposure: ExposureControls, of camera: String
  ) throws(OvercrankError) {
    guard !exposure.isAutomatic else { return }
    // The iris of nearly every webcam is fixed, and aperture priority is all the automation it has.
    guard let mode = exposure.first(of: [ExposureMode.aperturePriority, ExposureMode.auto]) else {
      throw OvercrankError(
        .noControl, "\(camera) has no automatic exposure. Give a time.", remedy: .giveExposure)
    }
    change(exposure.mode, to: mode, isRequired: true)
  }

  /// The exposure is `duration`, or as near as camera and interval let it be.
  private mutating func expose(
    _ exposure: ExposureControls, for duration: Duration, within interval: FrameInterval, of camera: String
  ) throws(OvercrankError) {
    guard let time = exposure.time else {
      throw OvercrankError(
        .noControl,
        "\(camera) has no exposure time in known units (exposure_time_absolute). See which controls it has, and set that.",
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
      (value, reason) = (time.control.minimum, "the camera exposes no shorter")
    } else if value > time.control.maximum {
      (value, reason) = (time.control.maximum, "the camera exposes no longer")
    }
    if value != asked {
      remarks.append(
        "The exposure is \(Self.words(value)) where \(Self.words(asked)) was asked for: \(reason).")
    }
    change(time, to: value, isRequired: true)
  }

  /// The whole units that fit into a frame; `nil` where the interval is none.
  static func units(in interval: FrameInterval) -> Int64? {
    guard let rate = interval.rate else { return nil }
    return max(1, (ExposureUnit.perSecond / rate.framesPerSecond).floor)
  }

  /// Exposure units as milliseconds: `4.1 ms`.
  static func words(_ units: Int64) -> String { "\(Fraction(units, 10).decimal(places: 1)) ms" }
}
