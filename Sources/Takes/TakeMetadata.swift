public import CameraModel
public import FoundationEssentials
public import Timebase

/// The facts about a take that are known before its first frame.
public struct TakeMetadata: Codable, Hashable, Sendable {
  /// The version of Overcrank that records it.
  public var overcrank: String
  /// The camera that records it.
  public var camera: CameraIdentity
  /// The mode that is requested from the camera.
  public var mode: Mode
  /// The rate that the user requested, in frames per second; `nil` if none was named.
  public var requestedFramesPerSecond: Double?
  /// The mode that was requested first, by the rule of `ModeChoice`.
  public var requestedMode: Mode?
  /// The modes that the driver refused.
  public var refusedModes: [ModeRefusal]?
  /// The turn of the frames for display; `nil` if unspecified.
  public var turn: PictureTurn?
  /// The quality that was taken from a list, and why; `nil` if there was no list.
  public var quality: QualityChoice?
  /// The maximum bytes of the master; `nil` for no limit.
  public var sizeLimit: Int64?
  /// The time at which recording began, in UTC as ISO 8601.
  public var startedAt: String
  /// The label from the user; `nil` if there is none.
  public var label: String?
  /// The requested clip; `nil` if there is none.
  public var wantedClip: ClipDescription?
  /// The words that request it, in journals of version 0.2.0 and earlier.
  private(set) var clipWords: [String]?

  /// Creates metadata of these facts.
  ///
  /// - Parameters:
  ///   - camera: the camera.
  ///   - mode: the mode that is recorded.
  ///   - asked: the rate that the user named.
  ///   - started: the date at which recording began.
  ///   - version: the version of Overcrank.
  ///   - requestedMode: the mode that was requested first.
  ///   - refused: the modes that the driver refused.
  ///   - turn: the turn of the frames for display.
  ///   - quality: the quality that was taken from a list, and why.
  ///   - sizeLimit: the maximum bytes of the master; `nil` for no limit.
  ///   - label: the label from the user.
  ///   - wantedClip: the requested clip.
  public init(
    camera: CameraIdentity, mode: Mode, asked: FrameRate?, started: Date, version: String,
    requestedMode: Mode? = nil, refused: [ModeRefusal]? = nil, turn: PictureTurn? = nil,
    quality: QualityChoice? = nil,
    sizeLimit: Int64? = nil, label: String? = nil, wantedClip: ClipDescription? = nil
  ) {
    overcrank = version
    self.camera = camera
    self.mode = mode
    requestedFramesPerSecond = asked?.framesPerSecond.doubleValue
    startedAt = started.formatted(.iso8601)
    self.requestedMode = requestedMode
    refusedModes = refused
    self.turn = turn
    self.quality = quality
    self.sizeLimit = sizeLimit
    self.label = label
    self.wantedClip = wantedClip
  }
}
