import CameraModel
import Cameras
import Takes
import Timebase

/// An action that a session's state requests of its owner, which performs actions in order.
enum SessionAction {
  /// Begin a take.
  case beginTake(TakeStart)
  /// Close the take.
  case endTake(TakeEnd)
  /// Report the outcome of a trigger to its source.
  case answer(TriggerEvent, TriggerOutcome)
  /// Report the outcome of a configuration change to its requester.
  case answerChange(ConfigurationChange, ConfigurationOutcome)
  /// Change the default span of triggers, if the ring has room for it.
  case changeSpan(SpanChange)
  /// Report the outcome of a span change to its requester.
  case answerSpan(SpanChange, SpanOutcome)
  /// Stop the stream; frames in the ring still count.
  case stopStream
  /// Open the stream with this configuration.
  case open(SessionConfiguration)
  /// Look for the camera, and open the stream if it is connected.
  case look
  /// Set a control.
  case set(ControlChange)
  /// Move a control to a target.
  case move(ControlTarget)
  /// Stop a control at its current value.
  case cancelMove(UInt32)
  /// Keep the next frame as a still.
  case takeStill(StillRequest)
  /// Write a part of the ring as a take.
  case save(TakePart, take: Int)
  /// Prepare the next take.
  case prepareTake(Int)
  /// Answer a request to see the ring's frames.
  case show(ReviewRequest)
  /// Report the frames that can be reviewed.
  case reportReviewing
  /// Report that the camera sends frames.
  case reportStarted
  /// Report that frames come in another mode.
  case reportModeChanged(ModeSwitch)
  /// Report an event.
  case tell(SessionEvent.Kind)
  /// End the session.
  case end(CaptureError?)
}

/// A change of mode that the camera has confirmed with a frame.
struct ModeSwitch: Hashable {
  /// The mode before it.
  var former: Mode
  /// The time without frames.
  var gap: Duration
  /// The request for it; `nil` if it has been answered.
  var request: ConfigurationChange?
}

/// The start of a take.
struct TakeStart: Hashable {
  /// The take's number, from 1.
  var number: Int
  /// The trigger; `nil` if the first frame began the take.
  var trigger: TriggerEvent?
  /// The time of the trigger, on the frames' clock.
  var frameTime: Instant
  /// The reason why its pre-roll is incomplete; `nil` if it is complete.
  var preRollCut: Take.PreRollCut?
}

/// The end of a take.
struct TakeEnd: Hashable {
  /// The take's number, from 1.
  var number: Int
  /// The times of triggers that extended it, on the session's clock.
  var extensions: [Instant]
  /// The reason why it ended early; `nil` if it did not.
  var failure: CaptureError?
}
