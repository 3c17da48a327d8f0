public import Platform
public import Cameras
public import SystemPackage
public import Timebase

/// An event of a running session.
public struct SessionEvent: Sendable {
  /// The kind of an event.
  public enum Kind: Sendable {
    /// The first frame has come, into a ring of this size.
    case started(StreamConfiguration, RingReport)
    /// Frames are coming, and the session is armed for this take, counted from 1.
    case armed(take: Int)
    /// A trigger began, extended or ended a take, or was refused.
    case triggered(TriggerEvent, TriggerOutcome)
    /// A take has begun; `trigger` is `nil` if its first frame began it.
    case takeStarted(take: Int, trigger: TriggerEvent?)
    /// The session's status, about ten times a second.
    case progress(SessionStatus)
    /// Frames of a take were lost; `frames` counts those not reported before.
    case lost(take: Int, frames: Int64)
    /// A take has ended: its recording, or the error.
    case takeEnded(take: Int, Result<Recording, CaptureError>)
    /// The clip of a take is complete at this path.
    case clipReady(take: Int, FilePath)
    /// A still has reached a stage; `inProgress` counts the unfinished stills, including this one.
    case photo(StillRequest, PhotoStage, inProgress: Int)
    /// A control was set: its outcome.
    case controlChanged(ControlOutcome)
    /// The light as a whole has changed by this factor of brightness; this is not motion.
    case lightChanged(factor: Double)
    /// The scene has changed for good while no take was recorded; this is neither motion nor light.
    case sceneChanged(SceneChange)
    /// The stream has stopped, and this many frames can be reviewed; none is on the disk.
    case reviewing(frames: Int)
    /// The session changed to another mode; `gap` is the time without frames.
    case modeChanged(StreamConfiguration, gap: Duration)
    /// Frames have stopped for this reason; repeated only if the reason changes before a frame comes.
    case interrupted(InterruptionReason, CaptureError?)
    /// The camera is sending frames again.
    case interruptionEnded(InterruptionReason)
    /// An error that does not end the session.
    case error(CaptureError)
    /// The session is over; the last event.
    case ended(SessionEnd)
  }

  /// The time of the event, on the session's clock.
  public var time: Instant
  /// The kind of the event, with its details.
  public var kind: Kind

  package init(_ kind: Kind, at time: Instant) {
    self.kind = kind
    self.time = time
  }
}

/// The reason for an interruption.
public enum InterruptionReason: String, Hashable, Sendable, CaseIterable {
  /// The camera was unplugged.
  case unplugged
  /// Another program has taken the camera.
  case takenByAnotherProgram = "taken"
  /// The driver failed.
  case driverError = "driver_error"
  /// The machine was suspended.
  case suspended
  /// The camera sends no frames, or none that can be used.
  case silent
}

/// The end of a session.
public struct SessionEnd: Hashable, Sendable {
  /// The number of takes, including those that failed.
  public var takeCount: Int
  /// The reason why it ended early; all takes until then are complete. At the end of a recording, which makes clips
  /// too, also the error of a take or clip that could not be made.
  public var failure: CaptureError?
  /// The error that kept a setting of the camera from being restored.
  public var restoreFailure: OvercrankError?
  /// The times of its plan that could still have begun a take.
  public var pendingTimes: [TriggerTime] = []

  package init(takeCount: Int, failure: CaptureError? = nil, restoreFailure: OvercrankError? = nil) {
    self.takeCount = takeCount
    self.failure = failure
    self.restoreFailure = restoreFailure
  }
}

/// The stages of a still, in order.
///
/// If no client writes the still, the last stage is ``captured(sequence:_:)``.
public enum PhotoStage: Hashable, Sendable {
  /// The still was requested, and its settings are decided.
  case willBegin
  /// The next frame becomes the still.
  case willCapture
  /// The frame with this sequence number has come; `nil` if it is part of a take.
  case captured(sequence: UInt32, CapturedFrame?)
  /// The frame has been processed into a picture.
  case processed
  /// The picture is complete at this path.
  case written(FilePath)
  /// The still failed for this reason; no stage follows.
  case failed(String)
}

/// A copy of a frame as the camera sent it.
public struct CapturedFrame: Hashable, Sendable {
  /// The frame's bytes: a JPEG, or rows of pixels without padding.
  public let bytes: [UInt8]
  /// The camera's sequence number of the frame.
  public let sequence: UInt32
  /// The capture time, on the camera's clock.
  public let timestamp: Instant
  /// The configuration that the camera accepted.
  public let configuration: StreamConfiguration
}
