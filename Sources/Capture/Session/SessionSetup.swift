public import CameraModel
public import Cameras
public import Takes

/// What is known about a take before its first frame.
public struct TakeContext: Hashable, Sendable {
  /// Which take it is, counted from 1.
  public var number: Int
  /// The camera's name; it may have changed since the camera was unplugged and came back.
  public var camera: String
  /// The mode that was requested of the camera.
  public var mode: Mode
  /// What the camera agreed to.
  public var configuration: StreamConfiguration
  /// What audio is recorded from; `nil` where no microphone is.
  public var audio: AudioInput?
}

/// Makes the output of a take.
public typealias MakeTakeOutput = @Sendable (TakeContext) throws(CaptureError) -> any TakeOutput

/// Everything that a session needs to begin.
public struct SessionSetup: Sendable {
  /// What is captured.
  public var source: CaptureSource
  /// What the camera is set to.
  public var configuration: SessionConfiguration
  /// What is heard; `nil` for pictures alone.
  public var microphone: OpenMicrophone?
  /// How the stream is captured.
  public var settings: CaptureSettings
  /// When takes begin and end.
  public var plan: SessionPlan
  /// The controls that move during each take, from its trigger on.
  public var ramps: [ControlRamp] = []
  /// Says what the camera is to be set to for a mode that is wished for while the session runs, or why that cannot be
  /// had; `nil` where nobody may wish. Called on threads that may wait.
  public var findConfiguration: (@Sendable (ModeWish) throws(CaptureError) -> SessionConfiguration)?
  /// Says what the camera is to be set to for a still in its largest mode, or why that cannot be had; `nil` where nobody
  /// may ask. Called on threads that may wait.
  public var findLargest: (@Sendable () throws(CaptureError) -> SessionConfiguration)?
  /// Makes what the frames of a take become.
  public var makeOutput: MakeTakeOutput

  /// A setup of these parts; the ring holds the plan's pre-roll.
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
