public import CameraModel
package import Cameras
public import Timebase

/// A simulated camera's faults, and other deviations from an ideal camera.
///
/// Frames are identified by the sensor's frame number, from 0, which the frame strip also shows.
public struct SimulatedFaults: Hashable, Sendable {
  /// A pause of the sensor.
  public struct Stall: Hashable, Sendable {
    /// The first frame after the pause.
    public var frame: Int64
    /// The duration of the pause.
    public var duration: Duration

    /// Creates a pause of `duration` before `frame`.
    public init(frame: Int64, duration: Duration) {
      self.frame = frame
      self.duration = duration
    }
  }

  /// A limit below the driver's claimed rates.
  public struct AcceptedRate: Hashable, Sendable {
    /// The highest rate that the driver accepts.
    public var rate: FrameRate
    /// The size that the limit applies to; `nil` for all sizes.
    public var size: Dimensions?

    /// Creates a limit of `rate`, at one size or at all.
    public init(rate: FrameRate, size: Dimensions? = nil) {
      self.rate = rate
      self.size = size
    }
  }

  /// A failure of the driver; the camera stays connected.
  public struct DriverFailure: Hashable, Sendable {
    /// The frame before which the first start fails.
    public var frame: Int64
    /// The number of subsequent starts that fail before their first frame.
    public var restarts: Int

    /// Creates a failure before `frame`, and at `restarts` subsequent starts.
    public init(frame: Int64, restarts: Int = 0) {
      self.frame = frame
      self.restarts = restarts
    }

    /// Returns the frame before which the start fails, counting starts from 0; `nil` if it does not fail.
    func frame(ofStart start: Int) -> Int64? {
      if start == 0 { return frame }
      return start <= restarts ? 0 : nil
    }
  }

  /// The maximum number of buffers in a V4L2 queue.
  public static let mostBuffers = 32

  /// Frames that never reach the driver; each leaves a gap in the sequence.
  public var dropped = FrameSelection()
  /// Frames that are truncated in the middle of their picture, without the driver's error flag.
  public var corrupt = FrameSelection()
  /// Complete frames with the driver's error flag.
  public var flagged = FrameSelection()
  /// Whether JPEGs carry Huffman tables.
  public var huffmanTables = true
  /// The maximum random delay of a frame and its timestamp; frames stay in order.
  public var jitter = Duration.zero
  /// The highest rate that the sensor reaches, whatever the driver accepts.
  public var rate: FrameRate?
  /// The highest rates that the driver accepts, whatever its table claims; the sensor keeps to the accepted
  /// rate.
  public var accepted: [AcceptedRate] = []
  /// A pause of the sensor; frame numbers continue after it without a gap.
  public var stall: Stall?
  /// The frame at which the camera is unplugged; it and later frames are not sent.
  public var disconnect: Int64?
  /// A failure of the driver; the camera stays connected.
  public var failure: DriverFailure?
  /// The time after which the camera shows another scene, by frame number; `nil` for never.
  public var sceneDuration: Duration?
  /// The lamp that lights the scene except for the frame strip; `nil` for steady light. The light depends on
  /// the frame's number, not on its delay.
  public var lamp: Lamp?
  /// The time for which the scene, except for strip and number, is still to the pixel at first, by frame
  /// number.
  public var rest = Duration.zero
  /// The camera's light, without which its scene is dark; `nil` for a bright scene and no light.
  package var light: CameraLight?
  /// The standard deviation of the sensor's noise, in steps of luma, at most ``SceneConditions/mostNoise``.
  /// Strip and number have none.
  public var noise = 0.0
  /// The number of the driver's buffers; a frame that finds none empty is lost.
  public var bufferCount = 16
  /// Whether time is virtual: frames come as fast as they are taken, with the timestamps that they would have
  /// in real time.
  public var isInVirtualTime = false
  /// The time from the epoch that all simulated cameras of a clock share to the first frame; `nil` if the
  /// first frame comes an interval after the start of the stream. A stream that starts later begins with the
  /// next frame that would have come.
  public var phase: Duration?
  /// How fast the camera's own clock runs, in millionths: it times the frames and gives their timestamps.
  public var clockDeviation = Fraction(0)
  /// The error of all timestamps. A frame arrives no earlier than its timestamp.
  public var stampError = Duration.zero
  /// The times of flashes after the epoch. A flash whitens the rows that are exposed then, except for strip
  /// and number.
  public var flashes: [Duration] = []
  /// The time from the start of a row's exposure to that of the next; zero for a global shutter.
  public var lineTime = Duration.zero
  /// The file whose frames modes of compressed streams send, from its first on, again and again; `nil` to draw them.
  public var recording: String?
  /// The seed of everything random.
  public var seed: UInt64 = 0

  /// The brightness of a scene whose light is off.
  private static let darkness = 0.4

  /// Returns the conditions of the pictures of frames that come each `interval` seconds, while the camera's light is on
  /// or off.
  func conditions(interval: Fraction, isLit: Bool = true) -> SceneConditions {
    let frames = rest.inSeconds / interval
    // Rounds up: a frame exactly at the end of the rest moves.
    let resting = frames.floor + (frames.denominator == 1 ? 0 : 1)
    var conditions = SceneConditions(
      restingFrames: UInt32(clamping: resting), brightness: lamp?.brightness(interval: interval) ?? [],
      noise: noise, seed: seed)
    if light != nil, !isLit {
      let steady = [Double](repeating: 1, count: Int(Scene.steps))
      conditions.brightness = (lamp == nil ? steady : conditions.brightness).map { $0 * Self.darkness }
    }
    conditions.hasFlashes = !flashes.isEmpty
    conditions.recording = recording
    return conditions
  }

  /// Returns the number of the other scene's first frame, if frames come each `interval` seconds; `nil` if
  /// the scene does not change.
  func otherSceneBegins(interval: Fraction) -> UInt32? {
    sceneDuration.map { duration in
      let frames = duration.inSeconds / interval
      return UInt32(clamping: frames.floor + (frames.denominator == 1 ? 0 : 1))
    }
  }

  /// Returns the sensor's interval in seconds for a requested `interval`.
  func sensorInterval(_ interval: Fraction) -> Fraction { max(interval, rate?.interval ?? interval) }

  /// Creates a camera without faults.
  public init() {}
}
