/// A user's possible response to a finding, so that a program can describe it in its own terms.
///
/// The finding's remedy describes it too.
public enum DiagnosticAction: Hashable, Sendable {
  /// List the cameras.
  case listCameras
  /// List this camera's modes.
  case listModes(camera: String)
  /// Measure all modes, and choose the one that comes closest to the requested rate.
  case measureModes
  /// Choose a smaller mode.
  case chooseSmallerMode
  /// Choose a compressed or smaller mode.
  case chooseLighterMode
  /// Set this control of `camera`; `nil` means the camera that was measured.
  case setControl(String, value: Int64, camera: String?)
  /// Save takes to another folder.
  case chooseFolder
}
