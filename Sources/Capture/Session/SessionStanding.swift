import Cameras

/// How a session stands, as other threads may ask.
struct SessionStanding {
  /// What the camera is set to.
  var configuration: SessionConfiguration
  /// Whether frames come, or are on their way.
  var isCapturing = false
  /// Whether a take is recorded.
  var isRecording = false
  /// The newest frame that was seen; `nil` before the first of a stream.
  var newest: FrameSight?
  /// Why no frames come; `nil` where nothing keeps them.
  var interruption: InterruptionReason?
  /// Whether only `resume` has frames come again.
  var waitsForResume = false
}
