import CameraModel
import Cameras
import Takes
import Timebase

/// An action that a session's state asks of its owner. Actions are performed in order.
enum SessionAction {
  /// Begin a take.
  case beginTake(TakeStart)
  /// Close the take.
  case endTake(TakeEnd)
  /// Tell the source of a trigger its outcome.
  case answer(TriggerEvent, TriggerOutcome)
  /// Tell whoever asked for another configuration its outcome.
  case answerChange(ConfigurationChange, ConfigurationOutcome)
  /// Have triggers that say nothing else mean another span, where the ring has room for it.
  case changeSpan(SpanChange)
  /// Tell whoever asked for another span its outcome.
  case answerSpan(SpanChange, SpanOutcome)
  /// Stop the stream; frames in the ring still count.
  case stopStream
  /// Open the stream with this configuration.
  case open(SessionConfiguration)
  /// Look for the camera, and open the stream if it is there.
  case look
  /// Set a control.
  case set(ControlChange)
  /// Move a control to a target.
  case move(ControlTarget)
  /// Leave a control where it is.
  case cancelMove(UInt32)
  /// Keep the next frame as a still.
  case takeStill(StillRequest)
  /// Write a part of the ring as a take.
  case save(TakePart, take: Int)
  /// Prepare the next take.
  case prepareTake(Int)
  /// Hand out a look at the ring.
  case show(ReviewLook)
  /// Report what can be reviewed.
  case tellReviewing
  /// Report that the camera sends frames.
  case tellStarted
  /// Report that frames come in another mode.
  case tellModeChanged(ModeSwitch)
  /// Tell what happened.
  case tell(SessionEvent.Kind)
  /// The session is over.
  case end(CaptureError?)
}

/// A change of mode that the camera has confirmed with a frame.
struct ModeSwitch: Hashable {
  /// The mode before it.
  var former: Mode
  /// How long no frame came.
  var gap: Duration
  /// The request for it; `nil` where whoever asked was answered already.
  var request: ConfigurationChange?
}

/// How a take begins.
struct TakeStart: Hashable {
  /// Which take it is, counted from 1.
  var number: Int
  /// What triggered it; `nil` if its first frame did.
  var trigger: TriggerEvent?
  /// When that was, on the frames' clock.
  var frameTime: Instant
  /// Why its pre-roll is not whole; `nil` where it is.
  var preRollCut: Take.PreRollCut?
}

/// How a take ends.
struct TakeEnd: Hashable {
  /// Which take it is, counted from 1.
  var number: Int
  /// When further triggers extended it, on the session's clock.
  var extensions: [Instant]
  /// Why it ended early.
  var failure: CaptureError?
}
