import Timebase

/// The takes of several cameras that recorded one moment, and where their frames lie on one clock. The content
/// of `NAME.group.json`.
public struct TakeGroup: Hashable, Sendable {
  /// The version of Overcrank that wrote it.
  public var overcrank: String
  /// The cameras with a take. The first one's first frame is the zero of the group's clock.
  public var cameras: [Camera]
  /// The trigger that began the takes; `nil` if it is unknown.
  public var trigger: Take.Trigger?
  /// The cameras that failed: they left no take, or one that ends early.
  public var failed: [Failure]
  /// The clips that show all cameras together, beside the group's file.
  public var clips: [Take.Clip]

  /// Creates a group of these cameras.
  public init(
    overcrank: String, cameras: [Camera], trigger: Take.Trigger? = nil, failed: [Failure] = [],
    clips: [Take.Clip] = []
  ) {
    self.overcrank = overcrank
    self.cameras = cameras
    self.trigger = trigger
    self.failed = failed
    self.clips = clips
  }

  /// One camera's take, and its place on the clock of the group.
  ///
  /// A frame captured t after the take's first one, by the camera's own timestamps, lies
  /// `offset + t * (1 + ratePartsPerMillion / 1e6)` after the first frame of the group's first camera.
  public struct Camera: Hashable, Sendable {
    /// The camera's name in the group, such as `A`.
    public var name: String
    /// The take file: its path from the folder of the group's file.
    public var take: String
    /// The time from the first frame of the group's first camera to this camera's first frame.
    public var offset: Duration
    /// How much longer a second of this camera's timestamps is on the group's clock, in millionths.
    public var ratePartsPerMillion: Double
    /// The bound of the error of ``ratePartsPerMillion``, in millionths, in 95 of 100 cases; `nil` if the rate was not
    /// measured.
    public var rateUncertainty: Double?
    /// The bound of the error of ``offset``, in 95 of 100 cases; `nil` if unknown.
    public var uncertainty: Duration?
    /// The methods that gave the place.
    public var methods: [AlignmentMethod]
    /// For each method, how far its own offset is from ``offset``.
    public var residuals: [AlignmentMethod: Duration]
    /// The time from the start of a row's exposure to that of the next, as flashes tell it; `nil` if unknown.
    public var lineTime: Duration?

    /// Creates a camera at the start of the group's clock.
    public init(
      name: String, take: String, offset: Duration = .zero, ratePartsPerMillion: Double = 0,
      rateUncertainty: Double? = nil, uncertainty: Duration? = .zero, methods: [AlignmentMethod] = [],
      residuals: [AlignmentMethod: Duration] = [:], lineTime: Duration? = nil
    ) {
      self.name = name
      self.take = take
      self.offset = offset
      self.ratePartsPerMillion = ratePartsPerMillion
      self.rateUncertainty = rateUncertainty
      self.uncertainty = uncertainty
      self.methods = methods
      self.residuals = residuals
      self.lineTime = lineTime
    }

    /// Returns the place on the group's clock of a frame that was captured `time` after the take's first one.
    public func place(of time: Duration) -> Duration {
      let correction = Double(time.wholeNanoseconds) * ratePartsPerMillion / 1e6
      return offset + time + .nanoseconds(Int64(clamping: correction.rounded()))
    }
  }

  /// A camera that failed: it left no take, or one that ends early.
  public struct Failure: Hashable, Sendable {
    /// The camera's name in the group, such as `B`.
    public var name: String
    /// The camera as the user named it.
    public var camera: String
    /// The reason, with its remedy.
    public var error: String

    /// Creates a failure of these facts.
    public init(name: String, camera: String, error: String) {
      self.name = name
      self.camera = camera
      self.error = error
    }
  }
}
