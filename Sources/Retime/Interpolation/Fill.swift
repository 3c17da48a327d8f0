/// The picture that a clip shows where the source has no frame: because one was lost, or because the frame
/// rate was too low for the speed.
public enum Fill: String, Codable, Hashable, Sendable, CaseIterable {
  /// The previous frame, held.
  case hold
  /// A blend of the previous and the next frame.
  case blend
  /// Motion-compensated interpolation by optical flow. A captured frame within an eighth of an output frame
  /// of its place is shown as it is.
  case flow
  /// As ``hold``, but lost frames take no time: the clip jumps over them.
  case skip

  /// Whether frames are interpolated from the two captured ones around them.
  public var isInterpolated: Bool { self == .blend || self == .flow }

  /// The interpolator for the frames between two captured ones.
  var interpolator: any FrameInterpolator {
    switch self {
    case .hold, .skip: HoldInterpolator()
    case .blend: BlendInterpolator()
    case .flow: FlowInterpolator()
    }
  }
}
