public import Platform
public import Timebase

/// How a camera's controls are to be while it films at a high rate.
///
/// Left to themselves, cameras expose longer in the dark and drop frames for it. Filming forbids that, and puts everything
/// back afterwards. Power-line frequency and all that only colours the picture are left alone.
public struct ControlPolicy: Hashable, Sendable {
  /// What is done about the exposure; `nil` for the least that keeps the rate.
  public var exposure: ExposureChoice?
  /// What is done about the gain; `nil` for nothing.
  public var gain: GainChoice?
  /// Controls that were asked for by name; they win over what is done of itself.
  public var settings: [ControlSetting]
  /// Controls that move while a take is recorded.
  public var ramps: [ControlRampSetting] = []
  /// Whether the camera's light shines.
  public var isLit = false
  /// Whether nothing is touched at all.
  public var keepsControls: Bool
  /// What high rates are known to need; see ``needing(_:)``.
  var needed: [Profile.Control] = []

  /// The usual policy, or these.
  public init(
    exposure: ExposureChoice? = nil, gain: GainChoice? = nil, settings: [ControlSetting] = [],
    keepsControls: Bool = false
  ) {
    self.exposure = exposure
    self.gain = gain
    self.settings = settings
    self.keepsControls = keepsControls
  }

  /// The same without what high rates are known to need.
  package var withoutNeeds: ControlPolicy {
    var policy = self
    policy.needed = []
    return policy
  }
}

/// The changes that policy mean for one camera, and what is to be said of them.
public struct ControlPlan: Hashable, Sendable {
  /// What to set.
  public var changes: [ControlChange] = []
  /// What moves during each take, from its trigger on.
  public var ramps: [ControlRamp] = []
  /// What differs from what was asked, in sentences.
  public var remarks: [String] = []
  /// Whether a fixed exposure that is longer than a frame is shortened, which nobody asked for.
  public var shortensExposure = false

  /// Nothing to set, and nothing to say.
  package init() {}

  /// Sets `control`, where there is one.
  mutating func change(_ control: CameraControl?, to value: Int64, isRequired: Bool) {
    guard let control else { return }
    changes.append(
      ControlChange(id: control.control.id, name: control.name, value: value, isRequired: isRequired))
  }
}

extension ControlPolicy {
  /// What to set on a camera with `controls` that is to film with `interval`.
  ///
  /// - Throws: `OvercrankError` where something that was asked for by name cannot be had.
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
  /// The control `id`, where the camera has it and lets it be set.
  func settable(_ id: UInt32) -> CameraControl? {
    first { $0.control.id == id && !$0.control.flags.contains(.readOnly) }
  }
}
