/// What a clip shows where the film has no frame: because one was lost, or because it was filmed too slowly for the
/// speed.
public enum Fill: String, Codable, Hashable, Sendable, CaseIterable {
  /// The frame before stays.
  case hold
  /// The frame before fades into the next.
  case blend
  /// What is seen in both frames is moved to where it is at the instant. A captured frame within an eighth of an output
  /// frame of its place is shown as it is.
  case flow
  /// As ``hold``, but lost frames take no time: time jumps over them.
  case skip

  /// Whether frames are made from the two captured ones around them.
  public var isInterpolated: Bool { self == .blend || self == .flow }

  /// What makes the frames between two captured ones.
  var interpolator: any FrameInterpolator {
    switch self {
    case .hold, .skip: HoldInterpolator()
    case .blend: BlendInterpolator()
    case .flow: FlowInterpolator()
    }
  }
}
