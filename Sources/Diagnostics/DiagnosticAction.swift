/// What a person can do about a finding, for a program to say how in its own words.
///
/// The finding's own words tell of it too.
public enum DiagnosticAction: Hashable, Sendable {
  /// See which cameras there are.
  case listCameras
  /// See which modes this camera has.
  case listModes(camera: String)
  /// Measure all modes, and choose the one that comes closest.
  case measureModes
  /// Choose a smaller mode.
  case chooseSmallerMode
  /// Choose a compressed mode, or a smaller one.
  case chooseLighterMode
  /// Set this control; without a camera, that of the one that was measured.
  case setControl(String, value: Int64, camera: String?)
  /// Put takes into another folder.
  case chooseFolder
}
