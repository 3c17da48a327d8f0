public import CameraModel
public import Cameras
public import Takes

/// The facts about a take that are known before its first frame.
public struct TakeContext: Hashable, Sendable {
  /// The take's number, from 1.
  public var number: Int
  /// The camera's name, which may change when the camera is reconnected.
  public var camera: String
  /// The mode that was requested of the camera.
  public var mode: Mode
  /// The configuration that the camera accepted.
  public var configuration: StreamConfiguration
  /// The source of the audio; `nil` if no microphone is recorded.
  public var audio: AudioInput?
}

/// A function that creates the output of a take.
public typealias MakeTakeOutput = @Sendable (TakeContext) throws(CaptureError) -> any TakeOutput

/// Everything that a session needs to begin.
public struct SessionSetup: Sendable {
  /// The source of the frames.
  public var source: CaptureSource
  /// The camera's configuration.
  public var configuration: SessionConfiguration
  /// The microphone; `nil` for pictures only.
  public var microphone: OpenMicrophone?
  /// The settings of the capture.
  public var settings: CaptureSettings
  /// The plan of the takes.
  public var plan: SessionPlan
  /// The controls that move during each take, from its trigger on.
  public var ramps: [ControlRamp] = []
  /// Finds the configuration for a mode requested while the session runs, or throws; `nil` if changes of the
  /// mode are not allowed. Called on threads that may block.
  public var findConfiguration: (@Sendable (ModeRequest) throws(CaptureError) -> SessionConfiguration)?
  /// Finds the configuration for a still in the camera's largest mode, or throws; `nil` if such stills are
  /// not allowed. Called on threads that may block.
  public var findLargest: (@Sendable () throws(CaptureError) -> SessionConfiguration)?
  /// Creates the output of a take.
  public var makeOutput: MakeTakeOutput

  /// Creates a setup; the ring holds the plan's pre-roll.
  public init(
    _ source: CaptureSource, _ configuration: SessionConfiguration, _ plan: SessionPlan,
    microphone: OpenMicrophone? = nil, settings: CaptureSettings = CaptureSettings(),
    makeOutput: @escaping MakeTakeOutput
  ) {
    self.source = source
    self.configuration = configuration
    self.plan = plan
    self.microphone = microphone
    self.settings = settings
    self.settings.preRoll = plan.heldTime
    self.makeOutput = makeOutput
  }
}
