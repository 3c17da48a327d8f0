import Overcrank

/// What the API asks of a studio. Refusals are ``StudioError``, and errors of the library.
protocol StudioCalls: Sendable {
  func state() async -> StudioState
  func trigger() async throws
  func record() async throws
  func stop() async throws
  func resume() async throws
  func arm() async throws
  func photo() async throws
  func motionPhoto() async throws
  func change(_ change: SettingsChange) async throws
  /// The cameras that can be chosen.
  func cameras() async throws -> [StudioCamera]
  /// The microphones that can be chosen.
  func microphones() async throws -> [StudioMicrophone]
  /// Takes another camera, another mode, or both.
  func useCamera(_ id: String?, _ wish: StudioModeWish?) async throws
  func modes() async throws -> [StudioMode]
  func controls() async throws -> [StudioControl]
  /// - Parameter rate: how many of its units a second it moves; `nil` sets it at once.
  func setControl(_ name: String, to value: Int64, rate: Double?) async throws -> StudioControl
  /// The newest picture whose frame is newer than `after`; `nil` where none came within a second.
  func preview(after: UInt32?, width: Int) async throws -> StudioPicture?
  func reviewFrames() async throws -> StudioReviewFrames
  /// A frame of the review as a JPEG.
  func reviewFrame(_ index: Int, width: Int) async throws -> [UInt8]
  func save(first: Int, last: Int, speed: String?, label: String?) async throws
}

/// Which mode of a camera is wanted.
enum StudioModeWish: Hashable, Sendable {
  /// The widest that is fast enough.
  case rate(Double)
  /// This one.
  case mode(fourcc: String, width: UInt32, height: UInt32, interval: FrameInterval)
}

/// What of the settings is to become another: `nil` stays as it is.
struct SettingsChange: Hashable, Sendable {
  var preRoll: Duration?
  var postRoll: Duration?
  var afterTrigger: StudioSettings.AfterTrigger?
  var microphone: String??
  var speed: String??
  var rotate: Int?
  var mirror: Bool?
  var motion: StudioSettings.Motion??
  var label: String??
}

/// A picture of the live view.
struct StudioPicture: Hashable, Sendable {
  var jpeg: [UInt8]
  /// The camera's number of its frame.
  var sequence: UInt32
  /// The number of the newest frame that the session has seen.
  var newest: UInt32
  /// When its frame was captured, on the camera's clock.
  var timestamp: Instant
}
