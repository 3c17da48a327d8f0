public import CameraModel
public import Cameras
public import Capture
public import Retime
public import SystemPackage

/// What is to be recorded, and what becomes of it.
public struct RecordRequest: Sendable {
  /// The rate to capture at; `nil` for 240 frames per second, else 120, else the highest there is.
  public var rate: AskedRate?
  /// What else is asked of the mode.
  public var criteria: ModeChoice.Criteria
  /// How the camera's controls are set while it captures.
  public var controls: ControlPolicy
  /// What begins and ends a take.
  public var plan: SessionPlan
  /// How the stream is captured.
  public var capture: CaptureSettings
  /// The clip's file, beside which master and take go; `nil` for a new name in the library folder.
  public var output: FilePath?
  /// Whether the names of all takes are numbered; only where there may be several.
  public var numbersTakes: Bool
  /// Whether files of the same name may be replaced.
  public var replacesFiles: Bool
  /// How clips are made; `nil` to leave it at the masters.
  public var clip: ClipRequest?

  /// A recording of one take in the best mode, for as long as `plan` says, with a slow-motion clip.
  public init(
    rate: AskedRate? = nil, criteria: ModeChoice.Criteria = .init(), controls: ControlPolicy = .init(),
    plan: SessionPlan = SessionPlan(limit: RecordingLimit()), capture: CaptureSettings = .init(),
    output: FilePath? = nil, numbersTakes: Bool = false, replacesFiles: Bool = false,
    clip: ClipRequest? = ClipRequest()
  ) {
    self.rate = rate
    self.criteria = criteria
    self.controls = controls
    self.plan = plan
    self.capture = capture
    self.output = output
    self.numbersTakes = numbersTakes
    self.replacesFiles = replacesFiles
    self.clip = clip
  }
}

/// How clips are made of masters.
public struct ClipRequest: Sendable {
  /// Speed, rate, part of the picture and codec.
  public var options: ClipOptions
  /// Whether only time is rewritten, and nothing decoded.
  public var isCopy: Bool
  /// Whether the master is deleted once its clip is made.
  public var discardsMaster: Bool

  /// A clip that shows every captured frame once, or this one.
  public init(
    options: ClipOptions = ClipOptions(), isCopy: Bool = false, discardsMaster: Bool = false
  ) {
    self.options = options
    self.isCopy = isCopy
    self.discardsMaster = discardsMaster
  }
}
