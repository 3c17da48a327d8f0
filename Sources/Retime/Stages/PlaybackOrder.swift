public import Media

/// An order of a clip's frames other than that in which they were captured.
///
/// The frames are those of the clip that plays forwards: a reversed clip is its mirror image, also along a curve
/// and where frames are held.
public enum PlaybackOrder: String, Hashable, Sendable, CaseIterable {
  /// From the last frame to the first.
  case reverse
  /// There and back. The frames at which it turns are shown once, so that a player can loop the clip.
  case bounce

  /// Returns the number of frames of a clip that has `count` when played forwards.
  func frameCount(of count: Int) -> Int {
    switch self {
    case .reverse: count
    case .bounce: max(min(count, 1), 2 * count - 2)
    }
  }

  /// Returns the place on the way back of a frame of the clip that plays forwards; `nil` if it is not shown again.
  func returning(_ frame: Int, of count: Int) -> Int? {
    switch self {
    case .reverse: count - 1 - frame
    case .bounce: (1..<max(1, count - 1)).contains(frame) ? 2 * count - 2 - frame : nil
    }
  }
}

extension PlaybackOrder: PictureStage {
  /// The stage's key in the description of a clip.
  public static var name: String { "order" }

  /// Returns ``WholeSourceNeed/order``: the last frame comes first, or in the middle.
  public func wholeSourceNeed(of video: VideoTrack?, sensor: SensorFacts?) -> WholeSourceNeed? { .order }
}
