public import Platform
public import Cameras
public import SystemPackage
public import Timebase

/// What happens in a session while it runs.
public struct SessionEvent: Sendable {
  /// What happened.
  public enum Kind: Sendable {
    /// The first frame has come, into a ring of this size.
    case started(StreamConfiguration, RingReport)
    /// Frames come, and the session stands by for the trigger of this take, counted from 1.
    case armed(take: Int)
    /// A trigger began, extended or ended a take, or was refused.
    case triggered(TriggerEvent, TriggerOutcome)
    /// A take has begun; `nil` where its first frame triggered it.
    case takeStarted(take: Int, trigger: TriggerEvent?)
    /// How the session stands, about ten times a second.
    case progress(SessionStatus)
    /// Frames of a take were lost: how many more than reported before.
    case lost(take: Int, frames: Int64)
    /// A take has ended: its recording, or why there is none.
    case takeEnded(take: Int, Result<Recording, CaptureError>)
    /// The clip of a take has been made, and lies at this path.
    case clipReady(take: Int, FilePath)
    /// How a still stands, and how many are on their way, this one included unless it has come to its end.
    case photo(StillRequest, PhotoStage, inProgress: Int)
    /// A control was set: its outcome.
    case controlChanged(ControlOutcome)
    /// The light as a whole has changed: the scene is so many times as bright. That is no motion.
    case lightChanged(factor: Double)
    /// The scene has become another for good while no take was recorded: that is neither motion nor light.
    case sceneChanged(SceneChange)
    /// The stream has stopped, and so many frames can be reviewed; nothing is on the disk.
    case reviewing(frames: Int)
    /// The session changed to another mode; no frame came for as long as the gap.
    case modeChanged(StreamConfiguration, gap: Duration)
    /// No frames come, for this reason; told once more only where that changes before a frame comes.
    case interrupted(InterruptionReason, CaptureError?)
    /// Frames come again.
    case interruptionEnded(InterruptionReason)
    /// Something failed, and the session goes on.
    case error(CaptureError)
    /// The session is over; the last event.
    case ended(SessionEnd)
  }

  /// When it happened, on the session's clock.
  public var time: Instant
  /// What happened.
  public var kind: Kind

  package init(_ kind: Kind, at time: Instant) {
    self.kind = kind
    self.time = time
  }
}

/// Why no frames come.
public enum InterruptionReason: String, Hashable, Sendable, CaseIterable {
  /// The camera was unplugged.
  case unplugged
  /// Another program has taken the camera.
  case takenByAnotherProgram = "taken"
  /// The driver failed.
  case driverError = "driver_error"
  /// The machine was suspended.
  case suspended
  /// The camera sends nothing, or no frame that could be used.
  case silent
}

/// How a session ended.
public struct SessionEnd: Hashable, Sendable {
  /// How many takes there were, including those that failed.
  public var takeCount: Int
  /// Why it ended early; all takes until then are whole.
  public var failure: CaptureError?
  /// Why a setting of the camera could not be restored.
  public var restoreFailure: OvercrankError?

  package init(takeCount: Int, failure: CaptureError? = nil, restoreFailure: OvercrankError? = nil) {
    self.takeCount = takeCount
    self.failure = failure
    self.restoreFailure = restoreFailure
  }
}

/// How a still stands, in the order in which it goes on.
///
/// Where nothing writes it, the last stage is ``captured(sequence:_:)``.
public enum PhotoStage: Hashable, Sendable {
  /// It was asked for, and what it is taken with is settled.
  case willBegin
  /// The next frame becomes it.
  case willCapture
  /// The frame with this number of the camera's has come; `nil` where it lies in a take.
  case captured(sequence: UInt32, CapturedFrame?)
  /// It has become a picture.
  case processed
  /// It lies at this path, whole.
  case written(FilePath)
  /// There is none, for this reason; nothing follows.
  case failed(String)
}

/// A copy of a frame as the camera sent it.
public struct CapturedFrame: Hashable, Sendable {
  /// The frame's bytes: a JPEG, or rows of pixels without padding.
  public let bytes: [UInt8]
  /// The camera's number of the frame.
  public let sequence: UInt32
  /// When it was captured, on the camera's clock.
  public let timestamp: Instant
  /// What the camera had agreed to.
  public let configuration: StreamConfiguration
}
