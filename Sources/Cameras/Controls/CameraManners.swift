public import Timebase
import V4L2

/// How a camera's controls are to be while it films at a high rate.
///
/// Left to themselves, cameras expose longer in the dark and drop frames for it. Filming forbids that, and puts everything
/// back afterwards. Power-line frequency and all that only colours the picture are left alone.
public struct CameraManners: Hashable, Sendable {
  /// What is done about the exposure; `nil` for the least that keeps the rate.
  public var exposure: ExposureChoice?
  /// What is done about the gain; `nil` for nothing.
  public var gain: GainChoice?
  /// Controls that were asked for by name; they win over what is done of itself.
  public var settings: [ControlSetting]
  /// Whether nothing is touched at all.
  public var keepsControls: Bool

  /// The usual manners, or these.
  public init(
    exposure: ExposureChoice? = nil, gain: GainChoice? = nil, settings: [ControlSetting] = [],
    keepsControls: Bool = false
  ) {
    self.exposure = exposure
    self.gain = gain
    self.settings = settings
    self.keepsControls = keepsControls
  }

  /// Whether someone asked for anything that needs a control.
  var asksForControls: Bool { !settings.isEmpty || gain != nil || exposure != nil && exposure != .keep }
}

/// What is done about the exposure.
public enum ExposureChoice: Hashable, Sendable {
  /// The camera chooses, within the frame interval.
  case auto
  /// It stays as it is, whatever that does to the rate.
  case keep
  /// This long.
  case time(Fraction)

  /// Reads `auto`, `keep`, or a time such as `2ms` or `1/500`, in seconds.
  public init(text: String) throws(QuantityError) {
    switch text {
    case "auto": self = .auto
    case "keep": self = .keep
    default:
      let seconds =
        if text.contains("/") {
          Fraction(text: text)
        } else {
          (try? Duration(text: text)).map { Fraction($0.wholeNanoseconds, 1_000_000_000) }
        }
      guard let seconds, seconds > Fraction(0), seconds <= Fraction(3600) else {
        throw QuantityError(text, expected: "auto, keep, or an exposure time such as 2ms or 1/500")
      }
      self = .time(seconds)
    }
  }
}

/// The changes that manners mean for one camera, and what is to be said of them.
public struct ControlPlan: Hashable, Sendable {
  /// What to set.
  public var changes: [ControlChange] = []
  /// What differs from what was asked, in sentences.
  public var remarks: [String] = []
}

extension CameraManners {
  /// What to set on a camera with `controls` that is to film with `interval`.
  ///
  /// - Throws: ``CameraError`` where something that was asked for by name cannot be had.
  public func plan(
    for controls: [CameraControl], interval: FrameInterval, of camera: String
  ) throws(CameraError) -> ControlPlan {
    guard !keepsControls else { return ControlPlan() }
    var asked: [ControlChange] = []
    for setting in settings { asked.append(try setting.change(among: controls, of: camera)) }
    var plan = ControlPlan()
    if exposure != .keep {
      let exposure = ExposureControls(controls)
      plan.forbidDynamicRate(exposure)
      switch self.exposure {
      case .time(let seconds): try plan.expose(exposure, for: seconds, within: interval, of: camera)
      case .auto: try plan.exposeAutomatically(exposure, of: camera)
      default: plan.shorten(exposure, to: interval)
      }
    }
    if let gain { try plan.amplify(controls, by: gain, of: camera) }
    let ids = Set(asked.map(\.id))
    plan.changes = plan.changes.filter { !ids.contains($0.id) } + asked
    return plan
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
  /// `V4L2_CID_EXPOSURE_ABSOLUTE` counts in units of 100 microseconds.
  private static let unitsPerSecond = Fraction(10_000)

  /// Sets `control`, where there is one.
  mutating func change(_ control: CameraControl?, to value: Int64, isRequired: Bool) {
    guard let control else { return }
    changes.append(
      ControlChange(id: control.control.id, name: control.name, value: value, isRequired: isRequired))
  }

  /// No frame is left out for the sake of a longer exposure.
  fileprivate mutating func forbidDynamicRate(_ exposure: ExposureControls) {
    guard exposure.dynamicRate?.control.value ?? 0 != 0 else { return }
    change(exposure.dynamicRate, to: 0, isRequired: false)
  }

  /// A fixed exposure that is longer than a frame would cost frames.
  fileprivate mutating func shorten(_ exposure: ExposureControls, to interval: FrameInterval) {
    guard !exposure.isAutomatic, let time = exposure.time, let longest = Self.units(in: interval),
      let value = time.control.value, value > longest, longest >= time.control.minimum
    else { return }
    change(time, to: longest, isRequired: false)
    remarks.append(
      "The camera's exposure is fixed at \(Self.words(value)), longer than a frame: it is held to \(Self.words(longest)) for this take. --exposure keep leaves it."
    )
  }

  /// The camera chooses the time.
  fileprivate mutating func exposeAutomatically(
    _ exposure: ExposureControls, of camera: String
  ) throws(CameraError) {
    guard !exposure.isAutomatic else { return }
    // The iris of nearly every webcam is fixed, and aperture priority is all the automation it has.
    guard let mode = exposure.first(of: [ExposureMode.aperturePriority, ExposureMode.auto]) else {
      throw CameraError(
        .noControl, "\(camera) has no automatic exposure. Give a time, such as --exposure 2ms.")
    }
    change(exposure.mode, to: mode, isRequired: true)
  }

  /// The exposure is `seconds`, or as near as camera and interval let it be.
  fileprivate mutating func expose(
    _ exposure: ExposureControls, for seconds: Fraction, within interval: FrameInterval, of camera: String
  ) throws(CameraError) {
    guard let time = exposure.time else {
      throw CameraError(
        .noControl,
        "\(camera) has no exposure time in known units (exposure_time_absolute). See \"overcrank controls\" for what it has, and set that with --set."
      )
    }
    if exposure.mode != nil,
      let mode = exposure.first(of: [ExposureMode.manual, ExposureMode.shutterPriority])
    {
      change(exposure.mode, to: mode, isRequired: true)
    }
    let asked = max(1, (seconds * Self.unitsPerSecond).rounded)
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
    return max(1, (unitsPerSecond / rate.framesPerSecond).floor)
  }

  /// Exposure units as milliseconds: `4.1 ms`.
  static func words(_ units: Int64) -> String { "\(Fraction(units, 10).decimal(places: 1)) ms" }
}

extension [CameraControl] {
  /// The control `id`, where the camera has it and lets it be set.
  func settable(_ id: UInt32) -> CameraControl? {
    first { $0.control.id == id && !$0.control.flags.contains(.readOnly) }
  }
}

extension Camera {
  /// What `manners` mean for this camera in `mode`.
  ///
  /// - Throws: ``CameraError``; a simulated camera has no controls, and says so where any were asked for.
  public func plan(_ manners: CameraManners, for mode: Mode) throws(CameraError) -> ControlPlan {
    switch self {
    case .device(let camera):
      guard !manners.keepsControls else { return ControlPlan() }
      return try manners.plan(for: try camera.controls(), interval: mode.interval, of: camera.path)
    case .simulated(let camera, _):
      guard !manners.asksForControls else {
        throw CameraError(.noControl, "\(camera.name) is simulated and has no controls: none can be set.")
      }
      return ControlPlan()
    }
  }
}
