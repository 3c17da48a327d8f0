import Media
import SystemPackage
import Timebase

/// What becomes of a film's sound in a clip.
public enum ClipSound: String, Hashable, Sendable, CaseIterable {
  /// It is left out.
  case drop
  /// It is slowed down, and its pitch stays.
  case stretch
  /// It is slowed down, and its pitch falls with it, as tape's does.
  case pitch

  /// What is done without being asked: below half the speed, sound is a drone that nobody wants.
  static func usual(at speed: Fraction) -> ClipSound { speed < Fraction(1, 2) ? .drop : .stretch }

  /// The sound of the film at `path` in a clip of this part, speed and length; `nil` where it has none or it is left
  /// out.
  func slowed(
    _ path: FilePath, _ span: ClipSpan, speed: Fraction, duration: Fraction
  ) throws(MediaError) -> SlowedSound? {
    let start = Fraction(span.start, 1_000_000_000)
    return switch self {
    case .drop: nil
    case .stretch:
      try SlowedSound(of: path, from: start, speed: speed, pitch: .kept, duration: duration)
    case .pitch:
      try SlowedSound(of: path, from: start, speed: speed, pitch: .shifted, duration: duration)
    }
  }
}
