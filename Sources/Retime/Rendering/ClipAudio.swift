import Platform
import Media
import Timebase

/// The treatment of a source's audio in a clip.
public enum ClipAudio: String, Codable, Hashable, Sendable, CaseIterable {
  /// No audio.
  case drop
  /// Slowed audio at its original pitch.
  case stretch
  /// Slowed audio whose pitch falls with the speed, as with tape.
  case pitch

  /// Returns the default treatment: audio is dropped if the clip is anywhere below half speed, because it
  /// would only drone.
  static func usual(by course: AudioTimeMap, duration: Fraction) -> ClipAudio {
    let isSlow = course.speeds(in: duration.doubleValue).lowerBound < 0.5
    return isSlow || !SlowedAudio.canKeepPitch(by: course, duration: duration) ? .drop : .stretch
  }

  /// Returns the audio of `video` in a clip of this course and length; `nil` if it has none or it is dropped.
  ///
  /// - Parameters:
  ///   - start: the time of the first shown frame, in seconds of the file; `nil` if unknown.
  ///   - duration: the length of the clip in seconds, if it runs forwards.
  ///   - turn: the way in which it runs backwards; `nil` for a clip that runs forwards.
  func slowed(
    _ video: ClipSource, from start: Fraction?, by course: AudioTimeMap, duration: Fraction,
    turned turn: AudioTurn?
  ) throws(OvercrankError) -> SlowedAudio? {
    let pitch: SlowedAudio.Pitch
    switch self {
    case .drop: return nil
    case .stretch: pitch = .kept
    case .pitch: pitch = .shifted
    }
    return try SlowedAudio(
      of: video.path, heard: video.audioTiming, from: start, by: course, pitch: pitch, duration: duration,
      turned: turn)
  }
}
