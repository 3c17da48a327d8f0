public import CameraModel
public import FoundationEssentials
public import Timebase

/// What is known about a take before its first frame.
public struct TakeMetadata: Codable, Hashable, Sendable {
  /// The version of Overcrank that films it.
  public var overcrank: String
  /// What films it.
  public var camera: CameraIdentity
  /// The mode that is asked of the camera.
  public var mode: Mode
  /// The rate that the user asked for, in frames per second; `nil` where none was named.
  public var askedFramesPerSecond: Double?
  /// The mode that the rule asked for first.
  public var askedMode: Mode?
  /// Those that the driver gave less than.
  public var refusedModes: [ModeRefusal]?
  /// How the frames are turned to be shown; `nil` where nobody said.
  public var turn: PictureTurn?
  /// Which of a list of qualities was taken, and why; `nil` where none was asked for.
  public var quality: QualityChoice?
  /// The bytes that the master may have at most; `nil` for any number.
  public var sizeLimit: Int64?
  /// When filming began, by the calendar, in UTC as ISO 8601.
  public var startedAt: String
  /// What a person called it; `nil` where nobody did.
  public var label: String?
  /// The clip that is wanted; `nil` where none is.
  public var wantedClip: ClipDescription?
  /// The words that ask for it, in journals of version 0.2.0 and earlier.
  private(set) var clipWords: [String]?

  /// Metadata with these facts.
  ///
  /// - Parameters:
  ///   - camera: the camera.
  ///   - mode: the mode that is recorded.
  ///   - asked: the rate that the user named.
  ///   - started: when filming began, by the calendar.
  ///   - version: the version of Overcrank.
  ///   - askedMode: the mode that the rule asked for first.
  ///   - refused: the modes that the driver gave less than.
  ///   - turn: how the frames are turned to be shown.
  ///   - quality: which of a list of qualities was taken, and why.
  ///   - sizeLimit: the bytes that the master may have at most; `nil` for any number.
  ///   - label: what a person called it.
  ///   - wantedClip: the clip that is wanted.
  public init(
    camera: CameraIdentity, mode: Mode, asked: FrameRate?, started: Date, version: String,
    askedMode: Mode? = nil, refused: [ModeRefusal]? = nil, turn: PictureTurn? = nil,
    quality: QualityChoice? = nil,
    sizeLimit: Int64? = nil, label: String? = nil, wantedClip: ClipDescription? = nil
  ) {
    overcrank = version
    self.camera = camera
    self.mode = mode
    askedFramesPerSecond = asked?.framesPerSecond.doubleValue
    startedAt = started.formatted(.iso8601)
    self.askedMode = askedMode
    refusedModes = refused
    self.turn = turn
    self.quality = quality
    self.sizeLimit = sizeLimit
    self.label = label
    self.wantedClip = wantedClip
  }
}
