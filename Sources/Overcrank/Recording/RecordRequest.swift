import Platform
public import CameraModel
public import Cameras
public import Capture
public import Microphones
public import Retime
public import SystemPackage
import Takes
import Timebase

/// A request to record takes, and to process them.
public struct RecordRequest: Sendable {
  /// The rate to capture at; `nil` for 240 frames per second, or else 120, or else the highest available.
  public var rate: RequestedRate?
  /// Other requirements on the mode.
  public var criteria: ModeChoice.Criteria
  /// The preferred sizes, most wanted first; empty for the widest.
  public var quality: [Quality]
  /// The policy for the camera's controls while it captures.
  public var controls: ControlPolicy
  /// The conditions that begin and end a take.
  public var plan: SessionPlan
  /// The turn of clips relative to the frames in the master; `nil` for the one that the camera's mounting needs.
  public var turn: PictureTurn?
  /// The largest size of a finished master in bytes: the take ends before the frame that would exceed it;
  /// `nil` for no limit.
  public var sizeLimit: Int64?
  /// The microphones to record, in order of preference; empty for no audio. The first that is available is
  /// used.
  public var microphones: [MicrophoneName]
  /// The settings of the capture.
  public var capture: CaptureSettings
  /// The clip's file, with the master and the take beside it; `nil` for a new name in ``folder``.
  public var output: FilePath?
  /// The folder for new names, created if needed; `nil` for the library folder.
  public var folder: FilePath?
  /// Whether the names of all takes are numbered; for recordings that may have several.
  public var numbersTakes: Bool
  /// Whether files of the same name may be replaced.
  public var replacesFiles: Bool
  /// The description of the clips; `nil` for masters only.
  public var clip: ClipSpec?
  /// Whether idle cores render as much of a clip as they can while its take is recorded; see
  /// `RenderSpec.wholeSourceNeed(of:sensor:)` for the exceptions. No frame is lost for it.
  public var makesClipsWhileRecording: Bool
  /// Whether a master is deleted once its clip is made.
  public var discardsMasters: Bool
  /// The label of the takes; `nil` for none.
  public var label: String?
  /// Whether each take's videos get thumbnails for file managers.
  public var makesThumbnails: Bool
  /// The export of each take once its clip is made; `nil` for none.
  public var export: TakeExport?
  /// The triggers of takes besides the program itself, such as a key or a socket.
  public var triggers: [any TriggerSource]
  /// The pulse at the beginning of each take; `nil` for none.
  public var pulse: TakePulse?
  /// Whether the session reports a changed scene by the event `sceneChanged` while no take is being recorded.
  public var watchesScene = false
  /// Whether the camera focuses once when the scene has changed, if it can.
  public var refocuses = false

  /// Creates a request for one take in the best mode, for as long as `plan` specifies, with a slow-motion
  /// clip.
  public init(
    rate: RequestedRate? = nil, criteria: ModeChoice.Criteria = .init(), quality: [Quality] = [],
    controls: ControlPolicy = .init(),
    plan: SessionPlan = SessionPlan(limit: RecordingLimit()), turn: PictureTurn? = nil,
    sizeLimit: Int64? = nil, microphones: [MicrophoneName] = [],
    capture: CaptureSettings = .init(),
    output: FilePath? = nil, folder: FilePath? = nil, numbersTakes: Bool = false, replacesFiles: Bool = false,
    clip: ClipSpec? = ClipSpec(), makesClipsWhileRecording: Bool = false, discardsMasters: Bool = false,
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
    self.makesClipsWhileRecording = makesClipsWhileRecording
    self.discardsMasters = discardsMasters
    self.label = label
    self.makesThumbnails = makesThumbnails
    self.export = export
    self.triggers = triggers
  }
}

extension RecordRequest {
  /// Refuses a request that no camera can fulfil, before the camera is accessed.
  ///
  /// - Throws: `OvercrankError` if it is refused.
  func check() throws(OvercrankError) {
    do {
      for source in triggers { try source.check() }
      try pulse?.check()
      if let label { try LibraryEntry.checkLabel(label) }
      if let export { try export.checkDestination() }
      if let output { try OwnFolder.checkTakesFiles(beside: output) }
    } catch {
      throw OvercrankError(recording: error)
    }
  }

  /// Refuses a clip that is impossible for takes in `mode`.
  ///
  /// - Throws: `OvercrankError` if it is refused.
  func checkClip(of mode: Mode) throws(OvercrankError) {
    guard let clip else { return }
    // A trigger during a take extends it.
    let longest = plan.start == .firstFrame ? plan.limit.longest(at: mode.interval) : nil
    try clip.render?.check(width: Int(mode.width), height: Int(mode.height), turned: turn)
    try clip.part.check(lasting: longest)
  }
}

extension RecordingLimit {
  /// Returns the capture time of the longest take, in seconds; `nil` if it has no end.
  fileprivate func longest(at interval: FrameInterval) -> Fraction? {
    if let duration { return duration.inSeconds }
    return frames.map {
      Fraction(reducing: Int128($0) * Int128(interval.numerator), Int128(interval.denominator))
    }
  }
}
