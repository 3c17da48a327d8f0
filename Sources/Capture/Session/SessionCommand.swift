public import CameraModel
public import Cameras
public import Timebase

/// A request to a running session, from any thread.
public enum SessionCommand: Hashable, Sendable {
  /// Begins a take, extends one, or ends one that has no limit.
  case trigger(TriggerEvent)
  /// Completes the take in progress, or the frames gathered for a review, with the newest frame; the session
  /// continues.
  case endTake
  /// Completes the take in progress, or the frames gathered for a review, with all frames captured up to `at` on the
  /// session's clock, also those still on their way. If `stops` is `true`, the session ends after the take, and at
  /// most half a second after `at`.
  case finish(at: Instant, stops: Bool)
  /// Takes over the times of the triggers of another session that records the same moment and has ended, as in
  /// ``SessionEnd/pendingTimes``.
  case takeOver([TriggerTime])
  /// Ends the session; a take in progress is completed with the newest frame.
  case stop
  /// Continues after an interruption or a review.
  case resume
  /// Sets a control.
  case set(ControlChange)
  /// Moves a control to a target; replaces any movement in progress.
  case move(ControlTarget)
  /// Stops the control with this `V4L2_CID_*` at its current value.
  case cancelMove(UInt32)
  /// Keeps the next frame as a still, or one in another mode.
  case takeStill(StillRequest)
  /// Changes to another mode, all or nothing: if the camera refuses it, the former mode continues.
  case configure(ConfigurationChange)
  /// Changes the default span of triggers; the stream continues.
  case span(SpanChange)
  /// Stops the stream and keeps the ring's frames for ``save(_:)``.
  case review
  /// Writes some of the reviewed frames as a take.
  case save(TakePart)
  /// Requests to see the reviewed frames.
  case look(ReviewRequest)
}

/// A camera's configuration: the mode, and the control changes for it.
public struct SessionConfiguration: Hashable, Sendable {
  /// The mode to capture.
  public var mode: Mode
  /// The control changes for the capture; restored afterwards.
  public var controlChanges: [ControlChange]

  /// Creates a configuration.
  public init(mode: Mode, controlChanges: [ControlChange] = []) {
    self.mode = mode
    self.controlChanges = controlChanges
  }
}

/// A section of the ring's frames, by their own timestamps.
public struct TakePart: Hashable, Sendable {
  /// The first moment in the section.
  public var start: Instant
  /// The first moment after the section.
  public var end: Instant

  /// Creates the section from `start` up to `end`.
  public init(start: Instant, end: Instant) {
    self.start = start
    self.end = end
  }
}
