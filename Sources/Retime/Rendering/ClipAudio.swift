import Platform
import Media
import Timebase

/// What becomes of a film's audio in a clip.
public enum ClipAudio: String, Codable, Hashable, Sendable, CaseIterable {
  /// It is left out.
  case drop
  /// It is slowed down, and its pitch stays.
  case stretch
  /// It is slowed down, and its pitch falls with it, as tape's does.
  case pitch

  /// What is done without being asked: where the clip is anywhere below half the speed, audio is a drone that nobody wants.
  static func usual(by course: AudioCourse, duration: Fraction) -> ClipAudio {
    let isSlow = course.speeds(in: duration.doubleValue).lowerBound < 0.5
    return isSlow || !SlowedAudio.canKeepPitch(by: course, duration: duration) ? .drop : .stretch
  }

  /// The audio of `film` in a clip of this course and length; `nil` where it has none or it is left out.
  ///
  /// - Parameter start: when the first frame is shown, in seconds of the file; `nil` where that is not known.
  func slowed(
    _ film: ClipSource, from start: Fraction?, by course: AudioCourse, duration: Fraction
  ) throws(OvercrankError) -> SlowedAudio? {
    let pitch: SlowedAudio.Pitch
    switch self {
    case .drop: return nil
    case .stretch: pitch = .kept
    case .pitch: pitch = .shifted
    }
    return try SlowedAudio(
      of: film.path, heard: film.audioTiming, from: start, by: course, pitch: pitch, duration: duration)
  }
}
