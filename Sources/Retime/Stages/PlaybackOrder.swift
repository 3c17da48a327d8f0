public import Media
import Timebase

/// An order of a clip's frames other than that in which they were captured.
///
/// The frames are those of the clip that plays forwards: a reversed clip is its mirror image, also along a curve
/// and where frames are held. So is its audio, if it has any.
public enum PlaybackOrder: String, Hashable, Sendable, CaseIterable {
  /// From the last frame to the first.
  case reverse
  /// There and back. The frames at which it turns are shown once, so that a player can loop the clip.
  case bounce

  /// The order for people, as it follows "plays".
  package var words: String {
    switch self {
    case .reverse: "backwards"
    case .bounce: "there and back"
    }
  }

  /// For each pass through the frames of the clip that plays forwards, whether it runs backwards.
  var passes: [Bool] {
    switch self {
    case .reverse: [true]
    case .bounce: [false, true]
    }
  }

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

  /// Returns the place from which on the audio runs backwards, and the sum of a later place and that which is heard
  /// there, in frames of the clip that plays forwards, which has `count`.
  ///
  /// The audio of a frame on the way back is that on the way there, backwards. A bounce turns in the middle of the
  /// last frame, so the audio has no jump.
  func audioTurn(of count: Int) -> (start: Fraction, mirror: Int) {
    switch self {
    case .reverse: (Fraction(0), count)
    case .bounce: (Fraction(Int64(2 * count - 1), 2), 2 * count - 1)
    }
  }
}

extension PlaybackOrder: PictureStage {
  /// The stage's key in the description of a clip.
  public static var name: String { "order" }
  /// `true`: the composed frames have this order.
  public static var isShared: Bool { true }

  /// Returns ``WholeSourceNeed/order``: the last frame comes first, or in the middle.
  public func wholeSourceNeed(of video: VideoTrack?, sensor: SensorFacts?) -> WholeSourceNeed? { .order }
}
