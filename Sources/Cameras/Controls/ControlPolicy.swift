public import Platform
public import Timebase

/// The settings of a camera's controls while it captures at a high rate.
///
/// By default, many cameras lengthen the exposure in the dark and drop frames for it. This policy forbids
/// that, and the previous values are restored afterwards. Power-line frequency and controls that only affect
/// colour are left alone.
public struct ControlPolicy: Hashable, Sendable {
  /// The exposure; `nil` for the smallest change that keeps the rate.
  public var exposure: ExposureChoice?
  /// The gain; `nil` to leave it alone.
  public var gain: GainChoice?
  /// Controls that the user set by name; they override the policy's own changes.
  public var settings: [ControlSetting]
  /// Controls that move while a take is recorded.
  public var ramps: [ControlRampSetting] = []
  /// Whether the camera's light is on.
  public var isLit = false
  /// Whether all controls are left as they are.
  public var keepsControls: Bool
  /// The controls that high rates are known to need; see ``needing(_:)``.
  var needed: [Profile.Control] = []

  /// Creates a policy: the default one, or one of these parts.
  public init(
    exposure: ExposureChoice? = nil, gain: GainChoice? = nil, settings: [ControlSetting] = [],
    keepsControls: Bool = false
  ) {
    self.exposure = exposure
    self.gain = gain
    self.settings = settings
    self.keepsControls = keepsControls
  }

  /// The same policy without what high rates are known to need.
  package var withoutNeeds: ControlPolicy {
    var policy = self
    policy.needed = []
    return policy
  }
}

/// The changes that a policy means for one camera, and remarks for the user.
public struct ControlPlan: Hashable, Sendable {
  /// The changes to make.
  public var changes: [ControlChange] = []
  /// The ramps to run during each take, from its trigger on.
  public var ramps: [ControlRamp] = []
  /// The differences from the request, as sentences.
  public var remarks: [String] = []
  /// Whether a fixed exposure that is longer than a frame is shortened, without a request by the user.
  public var shortensExposure = false

  /// Creates an empty plan.
  package init() {}

  /// Adds a change of `control`, if it exists.
  mutating func change(_ control: CameraControl?, to value: Int64, isRequired: Bool) {
    guard let control else { return }
    changes.append(
      ControlChange(id: control.control.id, name: control.name, value: value, isRequired: isRequired))
  }
}

extension ControlPolicy {
  /// Plans the changes for a camera with `controls` that is to capture at `interval`.
  ///
  /// - Throws: `OvercrankError` if the camera cannot do something that was requested by name.
  public func plan(
    for controls: [CameraControl], interval: FrameInterval, of camera: String
  ) throws(OvercrankError) -> ControlPlan {
    guard !keepsControls else { return ControlPlan() }
    var asked: [ControlChange] = []
    for setting in settings { asked.append(try setting.change(among: controls, of: camera)) }
    var ids = Set(asked.map(\.id))
    for ramp in ramps { ids.insert(try ramp.ramp(among: controls, of: camera).id) }
    var plan = ControlPlan()
    try plan.expose(controls, as: exposure, within: interval, leaving: ids, of: camera)
    if let gain { try plan.amplify(controls, by: gain, of: camera) }
    if isLit { try plan.light(controls, of: camera) }
    plan.meet(needed, with: controls, keepsExposure: exposure == .keep, of: camera)
    plan.changes = plan.changes.filter { !ids.contains($0.id) } + asked
    try plan.move(ramps, of: controls, within: exposure == .keep ? nil : interval, of: camera)
    return plan
  }
}

extension [CameraControl] {
  /// Returns the control `id`, if the camera has it and it can be set.
  func settable(_ id: UInt32) -> CameraControl? {
    first { $0.control.id == id && !$0.control.flags.contains(.readOnly) }
  }
}
