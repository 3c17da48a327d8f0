import Overcrank

/// The calls that the API makes to a studio. They throw ``StudioError`` or errors of the library.
protocol StudioCalls: Sendable {
  func state() async -> StudioState
  func trigger() async throws
  /// Begins a take that ends by itself after `duration`; `nil` for no limit.
  func record(for duration: Duration?) async throws
  func stop() async throws
  func resume() async throws
  func arm() async throws
  /// - Parameters:
  ///   - isLit: whether the camera's light is on for the photo.
  ///   - letter: the letter of the camera, here and below; `nil` for the one that hears the triggers.
  func photo(lit isLit: Bool, of letter: String?) async throws
  func motionPhoto() async throws
  func change(_ change: SettingsChange) async throws
  /// Saves the camera, its mode and the settings as a setup of `record` and `studio`.
  func saveSetup(_ name: String, replacing: Bool) async throws
  /// Returns the cameras that can be chosen.
  func cameras() async throws -> [StudioCamera]
  /// Returns the microphones that can be chosen.
  func microphones() async throws -> [StudioMicrophone]
  /// Switches to another camera, another mode, or both. Without a letter, that is camera A.
  func useCamera(_ id: String?, _ wish: StudioModeRequest?, of letter: String?) async throws
  func modes(of letter: String?) async throws -> [StudioMode]
  func controls(of letter: String?) async throws -> [StudioControl]
  /// - Parameter rate: the units per second by which the value moves; `nil` sets it at once.
  func setControl(_ name: String, to value: Int64, rate: Double?, of letter: String?) async throws
    -> StudioControl
  /// Returns the newest picture of a frame other than `after`; `nil` if none arrived within a second.
  func preview(after: UInt32?, width: Int, of letter: String?) async throws -> StudioPicture?
  func reviewFrames() async throws -> StudioReviewFrames
  /// Returns a frame of the review as a JPEG.
  func reviewFrame(_ index: Int, width: Int) async throws -> [UInt8]
  func save(first: Int, last: Int, speed: String?, label: String?, render: RenderSpec) async throws
}

/// A request for a mode of the camera.
enum StudioModeRequest: Hashable, Sendable {
  /// The widest mode that is fast enough.
  case rate(Double)
  /// Exactly this mode.
  case mode(fourcc: String, width: UInt32, height: UInt32, interval: FrameInterval)
}

/// A picture of the live view.
struct StudioPicture: Hashable, Sendable {
  var jpeg: [UInt8]
  /// The driver's sequence number of its frame.
  var sequence: UInt32
  /// The sequence number of the newest frame that the session has received.
  var newest: UInt32
  /// The time at which its frame was captured, on the camera's clock.
  var timestamp: Instant
}
