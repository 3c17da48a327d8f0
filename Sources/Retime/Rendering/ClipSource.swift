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
  /// The other cameras of its group, for clips that show them all; empty for a lone source.
  public var companions: [Companion] = []
  /// The file of its group, which messages about the clip name; `nil` for a lone source.
  public var group: FilePath?

  /// Another camera that recorded the same moment.
  public struct Companion: Hashable, Sendable {
    /// Its source. Companions of its own are ignored.
    public var source: ClipSource
    /// The time from the first frame of the group's first camera to its own first frame.
    public var offset: Duration
    /// How much longer a second of its timestamps is on the clock of the first camera, in millionths.
    public var ratePartsPerMillion: Double

    /// Creates a camera at this place on the clock of the group.
    public init(_ source: ClipSource, offset: Duration, ratePartsPerMillion: Double = 0) {
      self.source = source
      self.offset = offset
      self.ratePartsPerMillion = ratePartsPerMillion
    }
  }

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

  /// All cameras of its group, each with its place on the clock of the group: this one is first.
  var cameras: [(source: ClipSource, place: ClockPlace)] {
    [(self, ClockPlace())]
      + companions.map { companion in
        var source = companion.source
        source.group = group
        return (
          source, ClockPlace(offset: companion.offset, ratePartsPerMillion: companion.ratePartsPerMillion)
        )
      }
  }

  /// The file that messages about its clip name; those about one camera name ``path``.
  var name: FilePath { group ?? path }

  /// The files that it is read from.
  public var files: [FilePath] { [path] + companions.map(\.source.path) }

  /// Capture seconds in one second of ``timing``, or of the file's own times.
  var timingPace: Fraction { timing == nil ? pace : Fraction(1) }
}
