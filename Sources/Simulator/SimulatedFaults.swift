public import CameraModel
public import Timebase

/// What goes wrong in a simulated camera, and how it differs from an ideal one.
///
/// Frames are named by their number at the sensor, from 0, which is also what the frame strip shows.
public struct SimulatedFaults: Hashable, Sendable {
  /// A silence of the sensor.
  public struct Stall: Hashable, Sendable {
    /// The first frame after it.
    public var frame: Int64
    /// How long it lasts.
    public var duration: Duration

    /// A silence of `duration` before `frame`.
    public init(frame: Int64, duration: Duration) {
      self.frame = frame
      self.duration = duration
    }
  }

  /// A driver's refusal of what it claims.
  public struct AcceptedRate: Hashable, Sendable {
    /// The highest rate that it accepts.
    public var rate: FrameRate
    /// At this size alone; `nil` for all.
    public var size: Dimensions?

    /// At most `rate`, at one size or at all.
    public init(rate: FrameRate, size: Dimensions? = nil) {
      self.rate = rate
      self.size = size
    }
  }

  /// A failure of the driver, whose camera stays there.
  public struct DriverFailure: Hashable, Sendable {
    /// The frame that it fails before when the camera is started for the first time.
    public var frame: Int64
    /// How many of the next starts fail before a frame comes; later ones do not.
    public var restarts: Int

    /// A failure before `frame`, and at so many starts that follow.
    public init(frame: Int64, restarts: Int = 0) {
      self.frame = frame
      self.restarts = restarts
    }

    /// The frame that a start fails before, counted from 0; `nil` where it does not.
    func frame(ofStart start: Int) -> Int64? {
      if start == 0 { return frame }
      return start <= restarts ? 0 : nil
    }
  }

  /// The most buffers that a V4L2 queue holds.
  public static let mostBuffers = 32

  /// Frames that the driver never gets: each leaves a gap in the sequence.
  public var dropped = FrameSelection()
  /// Frames that come cut off in the middle of their picture, without the driver's error flag.
  public var corrupt = FrameSelection()
  /// Whole frames that come with the driver's error flag.
  public var flagged = FrameSelection()
  /// Whether JPEGs carry Huffman tables.
  public var huffmanTables = true
  /// How late a frame may come and be stamped, at random; never before the one before it.
  public var jitter = Duration.zero
  /// The highest rate that the sensor reaches, whatever rate the driver accepts.
  public var rate: FrameRate?
  /// The highest rates that the driver accepts, whatever its table claims; the sensor keeps to what was accepted.
  public var accepted: [AcceptedRate] = []
  /// A silence; the sensor stands still, so that numbers go on behind it without a gap.
  public var stall: Stall?
  /// The frame that the camera is unplugged at: none from here on is sent.
  public var disconnect: Int64?
  /// A failure of the driver, whose camera stays there.
  public var failure: DriverFailure?
  /// How long the camera looks at its scene before it looks at another, by the frames' numbers; `nil` for ever.
  public var sceneDuration: Duration?
  /// The lamp that lights the scene, all but the frame strip; `nil` for steady light. Frames are lit by their numbers,
  /// whatever delays them.
  public var lamp: Lamp?
  /// How long the scene stands still at first, strip and number aside, to the pixel, by the frames' numbers.
  public var rest = Duration.zero
  /// The standard deviation of the sensor's noise, in steps of luma, at most ``SceneConditions/mostNoise``. Strip and
  /// number have none.
  public var noise = 0.0
  /// How many buffers the driver fills; a frame that finds none empty is lost.
  public var bufferCount = 16
  /// Whether its time is virtual: frames come as fast as they are taken, with the times that they would have.
  public var isInVirtualTime = false
  /// What decides all that happens by chance.
  public var seed: UInt64 = 0

  /// What frames show of these, that come each `interval` seconds.
  func conditions(interval: Fraction) -> SceneConditions {
    let frames = rest.inSeconds / interval
    // Up: a frame that comes at the end of the rest moves.
    let resting = frames.floor + (frames.denominator == 1 ? 0 : 1)
    return SceneConditions(
      restingFrames: UInt32(clamping: resting), brightness: lamp?.brightness(interval: interval) ?? [],
      noise: noise, seed: seed)
  }

  /// The number of the first frame of another scene, where frames come each `interval` seconds.
  func otherSceneBegins(interval: Fraction) -> UInt32? {
    sceneDuration.map { duration in
      let frames = duration.inSeconds / interval
      return UInt32(clamping: frames.floor + (frames.denominator == 1 ? 0 : 1))
    }
  }

  /// Seconds from frame to frame at the sensor, which was asked for `interval`.
  func sensorInterval(_ interval: Fraction) -> Fraction { max(interval, rate?.interval ?? interval) }

  /// A camera without faults.
  public init() {}
}
