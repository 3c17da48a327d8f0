import Cameras

/// How a session stands, as other threads may ask.
struct SessionStanding {
  /// What the camera is set to.
  var configuration: SessionConfiguration
  /// Whether frames come, or are on their way.
  var isCapturing = false
  /// Whether a take is recorded.
  var isRecording = false
  /// Why no frames come; `nil` where nothing keeps them.
  var interruption: InterruptionReason?
}
