import Platform
public import CameraModel
public import Cameras
public import Capture
import Media
public import Microphones
public import Retime
public import SystemPackage
import Takes
import Timebase

/// What is to be recorded, and what becomes of it.
public struct RecordRequest: Sendable {
  /// The rate to capture at; `nil` for 240 frames per second, else 120, else the highest there is.
  public var rate: AskedRate?
  /// What else is asked of the mode.
  public var criteria: ModeChoice.Criteria
  /// The sizes that are wished for, the most wanted first; empty for the widest.
  public var quality: [Quality]
  /// How the camera's controls are set while it captures.
  public var controls: ControlPolicy
  /// What begins and ends a take.
  public var plan: SessionPlan
  /// How clips are turned, of the frames as they lie in the master; `nil` for as they lie.
  public var turn: PictureTurn?
  /// The bytes that each finished master may have at most: the take ends before the frame that would be too many;
  /// `nil` for any number.
  public var sizeLimit: Int64?
  /// The microphones to record, the best first; empty for pictures alone. The first that can be had is taken.
  public var microphones: [MicrophoneName]
  /// How the stream is captured.
  public var capture: CaptureSettings
  /// The clip's file, beside which master and take go; `nil` for a new name in ``folder``.
  public var output: FilePath?
  /// Where new names go, made if it is not there; `nil` for the library folder.
  public var folder: FilePath?
  /// Whether the names of all takes are numbered; only where there may be several.
  public var numbersTakes: Bool
  /// Whether files of the same name may be replaced.
  public var replacesFiles: Bool
  /// How clips are made; `nil` to leave it at the masters.
  public var clip: ClipSpec?
  /// Whether as much of a clip as the idle cores can make is made while its take is recorded; see
  /// `RenderSpec.wholeFilmNeed(of:sensor:)` for what cannot. No frame is lost for it.
  public var makesClipsWhileFilming: Bool
  /// Whether a master is deleted once its clip is made.
  public var discardsMasters: Bool
  /// What a person calls the takes; `nil` for nothing.
  public var label: String?
  /// Whether each take's films get thumbnails for file managers.
  public var makesThumbnails: Bool
  /// Where each take is exported to once its clip is made; `nil` for nowhere.
  public var export: TakeExport?
  /// What triggers takes besides the program itself, such as a key or a socket.
  public var triggers: [any TriggerSource]
  /// Whether the event `sceneChanged` of a session tells that the scene has become another
  /// while no take is recorded.
  public var watchesScene = false
  /// Whether the camera focuses once, where it can, when the scene has become another.
  public var refocuses = false

  /// A recording of one take in the best mode, for as long as `plan` says, with a slow-motion clip.
  public init(
    rate: AskedRate? = nil, criteria: ModeChoice.Criteria = .init(), quality: [Quality] = [],
    controls: ControlPolicy = .init(),
    plan: SessionPlan = SessionPlan(limit: RecordingLimit()), turn: PictureTurn? = nil,
    sizeLimit: Int64? = nil, microphones: [MicrophoneName] = [],
    capture: CaptureSettings = .init(),
    output: FilePath? = nil, folder: FilePath? = nil, numbersTakes: Bool = false, replacesFiles: Bool = false,
    clip: ClipSpec? = ClipSpec(), makesClipsWhileFilming: Bool = false, discardsMasters: Bool = false,
    label: String? = nil, makesThumbnails: Bool = false,
    export: TakeExport? = nil, triggers: [any TriggerSource] = []
  ) {
    self.rate = rate
    self.criteria = criteria
    self.quality = quality
    self.controls = controls
    self.plan = plan
    self.turn = turn
    self.sizeLimit = sizeLimit
    self.microphones = microphones
    self.capture = capture
    self.output = output
    self.folder = folder
    self.numbersTakes = numbersTakes
    self.replacesFiles = replacesFiles
    self.clip = clip
    self.makesClipsWhileFilming = makesClipsWhileFilming
    self.discardsMasters = discardsMasters
    self.label = label
    self.makesThumbnails = makesThumbnails
    self.export = export
    self.triggers = triggers
  }
}

extension RecordRequest {
  /// Refuses what cannot be had whatever the camera gives, before it is asked for anything.
  ///
  /// - Throws: `OvercrankError`.
  func check() throws(OvercrankError) {
    do {
      for source in triggers { try source.check() }
      if let label { try LibraryEntry.checkLabel(label) }
      if let export { try export.checkDestination() }
      if let output { try OwnFolder.checkTakesFiles(beside: output) }
    } catch {
      throw OvercrankError(recording: error)
    }
  }

  /// Refuses a clip that takes in `mode` cannot have.
  ///
  /// - Throws: `OvercrankError`.
  func checkClip(of mode: Mode) throws(OvercrankError) {
    guard let clip else { return }
    // A trigger during a take extends it.
    let longest = plan.start == .firstFrame ? plan.limit.longest(at: mode.interval) : nil
    try clip.render?.check(width: Int(mode.width), height: Int(mode.height), turned: turn)
    try clip.part.check(lasting: longest)
  }
}

extension RecordingLimit {
  /// The capture time of the longest take, in seconds; `nil` where it has no end.
  fileprivate func longest(at interval: FrameInterval) -> Fraction? {
    if let duration { return duration.inSeconds }
    return frames.map {
      Fraction(reducing: Int128($0) * Int128(interval.numerator), Int128(interval.denominator))
    }
  }
}
