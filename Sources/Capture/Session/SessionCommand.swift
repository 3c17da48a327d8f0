public import CameraModel
public import Cameras
public import Timebase

/// A request to a running session, from any thread.
public enum SessionCommand: Hashable, Sendable {
  /// Begins a take, extends one, or ends one that has no limit.
  case trigger(TriggerEvent)
  /// Completes the take that is recorded, or what is gathered for a review, with the frames that came until now; the
  /// session goes on.
  case endTake
  /// Ends the session; a take in progress is completed with the frames that came until then.
  case stop
  /// Goes on after an interruption or a review.
  case resume
  /// Sets a control.
  case set(ControlChange)
  /// Moves a control to a target, in place of what it is about to do.
  case move(ControlTarget)
  /// Leaves the control with this `V4L2_CID_*` where it is.
  case cancelMove(UInt32)
  /// Keeps the next frame as a still, or one of another mode.
  case takeStill(StillRequest)
  /// Changes to another mode, all or nothing: if the camera refuses it, the former mode goes on.
  case configure(ConfigurationChange)
  /// Has triggers that say nothing else take another span; the stream goes on.
  case span(SpanChange)
  /// Stops the stream and keeps what the ring holds for ``save(_:)``.
  case review
  /// Writes a part of the reviewed frames as a take.
  case save(TakePart)
  /// Hands out a look at the reviewed frames.
  case look(ReviewLook)
}

/// The settings of a camera: the mode, and the controls that are set for it.
public struct SessionConfiguration: Hashable, Sendable {
  /// The mode that is captured.
  public var mode: Mode
  /// Controls that are set during the capture and restored afterwards.
  public var controlChanges: [ControlChange]

  /// A configuration of these parts.
  public init(mode: Mode, controlChanges: [ControlChange] = []) {
    self.mode = mode
    self.controlChanges = controlChanges
  }
}

/// A part of what the ring holds, by the frames' own timestamps.
public struct TakePart: Hashable, Sendable {
  /// The first moment that belongs to it.
  public var start: Instant
  /// The first moment after it.
  public var end: Instant

  /// The part from `start` up to `end`.
  public init(start: Instant, end: Instant) {
    self.start = start
    self.end = end
  }
}
