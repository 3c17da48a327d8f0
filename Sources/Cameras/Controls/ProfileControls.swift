import Platform
import V4L2

extension ControlPolicy {
  /// Returns this policy with the controls that high rates need according to `profile`.
  public func needing(_ profile: Profile?) -> ControlPolicy {
    var policy = self
    policy.needed = profile?.controls ?? []
    return policy
  }
}

extension ControlPlan {
  /// Sets what high rates are known to need, unless a change of the same control is planned.
  ///
  /// The user did not ask for these: a control that the camera lacks, or a value that it does not take, is a
  /// remark and no error.
  /// - Parameter keepsExposure: whether controls that affect the exposure stay as they are.
  mutating func meet(
    _ needs: [Profile.Control], with controls: [CameraControl], keepsExposure: Bool, of camera: String
  ) {
    for need in needs {
      do throws(OvercrankError) {
        let setting = ControlSetting(need)
        let change = try setting.change(among: controls, of: camera)
        if keepsExposure, ControlID.exposureRulers.contains(change.id) { continue }
        guard !changes.contains(where: { $0.id == change.id }),
          controls.first(where: { $0.control.id == change.id })?.control.value != change.value
        else { continue }
        changes.append(
          ControlChange(id: change.id, name: change.name, value: change.value, isRequired: false))
      } catch {
        remarks.append("A high rate needs \(need.name)=\(need.value): \(need.why) \(error)")
      }
    }
  }
}

extension ControlID {
  /// The controls that determine how long a frame is exposed.
  fileprivate static let exposureRulers: Set<UInt32> = [exposureAuto, exposureAbsolute, exposureAutoPriority]
}

extension ControlSetting {
  fileprivate init(_ need: Profile.Control) {
    name = need.name
    value = "\(need.value)"
  }
}
