public import CameraModel
public import Media
public import SystemPackage
public import Timebase

/// A film to make a clip of.
public struct ClipSource: Hashable, Sendable {
  /// The file: a master, or any film.
  public var path: FilePath
  /// When each of its frames was captured, in the order they lie in the file; `nil` goes by the file's own times.
  public var timing: [FrameTiming]?
  /// Capture seconds that pass in one second of the file as it plays.
  public var pace = Fraction(1)
  /// Frames captured a second; `nil` where nobody knows.
  public var captureRate: Fraction?
  /// Seconds per frame that the camera agreed to; `nil` where nobody knows.
  public var nominalInterval: Fraction?
  /// When its audio was heard; `nil` goes by the file.
  public var audioTiming: AudioTiming?
  /// When it was filmed, in UTC as ISO 8601; `nil` goes by what the file says.
  public var capturedAt: String?
  /// What is known of the sensor of a raw film; `nil` where nothing is.
  public var sensor: SensorFacts?
  /// How its pictures are to be turned, as its take says; `nil` where nobody said.
  public var turn: PictureTurn?

  /// A film, with what its take knows of it.
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

  /// Capture seconds in one second of what ``timing`` says, or of the file's own times.
  var timingPace: Fraction { timing == nil ? pace : Fraction(1) }
}
