public import CameraModel
public import Media
public import SystemPackage
public import Timebase

/// A source for clips.
public struct ClipSource: Hashable, Sendable {
  /// The file: a master, or any video.
  public var path: FilePath
  /// The capture times of its frames, in file order; `nil` for the file's own times.
  public var timing: [FrameTiming]?
  /// Capture seconds in one second of the file as it plays.
  public var pace = Fraction(1)
  /// Frames captured per second; `nil` if unknown.
  public var captureRate: Fraction?
  /// Seconds per frame that the camera agreed to; `nil` if unknown.
  public var nominalInterval: Fraction?
  /// The timing of its audio; `nil` for the file's own.
  public var audioTiming: AudioTiming?
  /// The capture time in UTC, as ISO 8601; `nil` for the file's own.
  public var capturedAt: String?
  /// The known facts about the sensor of a raw source; `nil` if there are none.
  public var sensor: SensorFacts?
  /// The turn of its pictures, from its take; `nil` if unknown.
  public var turn: PictureTurn?

  /// Creates a source, with what its take states about it.
  public init(
    _ path: FilePath, timing: [FrameTiming]? = nil, nominalInterval: Fraction? = nil,
    audioTiming: AudioTiming? = nil, capturedAt: String? = nil, turn: PictureTurn? = nil
  ) {
    self.path = path
    self.timing = timing
    self.nominalInterval = nominalInterval
    self.audioTiming = audioTiming
    self.capturedAt = capturedAt
    self.turn = turn
  }

  /// Capture seconds in one second of ``timing``, or of the file's own times.
  var timingPace: Fraction { timing == nil ? pace : Fraction(1) }
}
