import Timebase

/// The exposure times of a sensor's frames.
struct SensorTiming: Sendable {
  let startNanoseconds: Int64
  /// The first frame that is no longer exposed; `nil` if the sensor does not stop.
  let end: Int64?
  private let interval: Fraction
  private let stall: SimulatedFaults.Stall?
  private let stallNanoseconds: Int64
  private let jitterNanoseconds: Int64
  private let jitterNoise: FrameNoise

  /// Creates the timing of a sensor that starts at `startNanoseconds`, with a requested interval of
  /// `interval` seconds.
  init(startNanoseconds: Int64, interval: Fraction, faults: SimulatedFaults) {
    self.startNanoseconds = startNanoseconds
    self.interval = faults.sensorInterval(interval)
    end = faults.disconnect
    stall = faults.stall
    stallNanoseconds = faults.stall?.duration.wholeNanoseconds ?? 0
    jitterNanoseconds = faults.jitter.wholeNanoseconds
    jitterNoise = FrameNoise(seed: faults.seed, stream: 2)
  }

  /// Returns the timing of the same sensor with another start.
  func starting(at startNanoseconds: Int64) -> SensorTiming {
    SensorTiming(self, startNanoseconds)
  }

  private init(_ other: SensorTiming, _ startNanoseconds: Int64) {
    self.startNanoseconds = startNanoseconds
    (interval, end, stall, stallNanoseconds) = (
      other.interval, other.end, other.stall, other.stallNanoseconds
    )
    (jitterNanoseconds, jitterNoise) = (other.jitterNanoseconds, other.jitterNoise)
  }

  /// Returns the exposure time of frame `number`, in nanoseconds.
  func time(of number: Int64) -> Int64 {
    // With the long intervals of some tables, the third frame already exceeds 292 years.
    var time = interval.scaling((number + 1).multiplied(clamping: 1_000_000_000))
      .adding(clamping: startNanoseconds)
    if let stall, number >= stall.frame { time = time.adding(clamping: stallNanoseconds) }
    if jitterNanoseconds > 0 {
      time = time.adding(
        clamping: Int64(jitterNoise.value(of: number) % UInt64(jitterNanoseconds + 1)))
    }
    return time
  }

  /// Returns a frame from which the schedule can continue; all frames before it are exposed by `now`.
  ///
  /// Despite jitter, the frames before it are exposed earlier than it is, so none of them affects the later
  /// ones.
  func lastSurely(before now: Int64) -> Int64 {
    let nanoseconds = Double(interval.scaling(1_000_000_000))
    guard nanoseconds >= 1 else { return 0 }
    let spread = Double(stallNanoseconds) + 2 * Double(jitterNanoseconds)
    let passed = Double(now) - Double(startNanoseconds) - spread
    return max(0, Int64(clamping: (passed / nanoseconds).rounded(.down)).adding(clamping: -4))
  }

  /// Returns the exposure times within `range` of frames whose numbers are multiples of `step`.
  func times(ofEvery step: Int64, in range: Range<Int64>) -> [Int64] {
    let nanoseconds = Double(interval.scaling(1_000_000_000))
    guard nanoseconds > 0 else { return [] }
    let earliest =
      Double(range.lowerBound) - Double(startNanoseconds)
      - Double(stallNanoseconds) - Double(jitterNanoseconds)
    var number = max(0, Int64(clamping: earliest / nanoseconds) / step - 1) * step
    var times: [Int64] = []
    while number < end ?? .max {
      let time = time(of: number)
      if time >= range.upperBound { break }
      if time >= range.lowerBound { times.append(time) }
      number = number.adding(clamping: step)
    }
    return times
  }
}
