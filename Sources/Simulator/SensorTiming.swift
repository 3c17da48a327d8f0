import Timebase

/// The exposure times of a sensor's frames.
struct SensorTiming: Sendable {
  let startNanoseconds: Int64
  /// The first frame that is no longer exposed; `nil` if the sensor does not stop.
  let end: Int64?
  /// True seconds from frame to frame.
  private let interval: Fraction
  /// The same by the camera's clock.
  private let ownInterval: Fraction
  private let clock: SensorClock
  /// The moment from which the sensor counts intervals, and the number of them before frame 0.
  private var origin: Int64
  private var intervalsBefore: Int64
  private let stall: SimulatedFaults.Stall?
  private let stallNanoseconds: Int64
  private let jitterNanoseconds: Int64
  private let jitterNoise: FrameNoise

  /// Creates the timing of a sensor that starts at `startNanoseconds`, with a requested interval of
  /// `interval` seconds by the camera's clock.
  init(startNanoseconds: Int64, interval: Fraction, faults: SimulatedFaults, clock: SensorClock) {
    self.startNanoseconds = startNanoseconds
    ownInterval = faults.sensorInterval(interval)
    self.interval = ownInterval / clock.rate
    self.clock = clock
    end = faults.disconnect
    stall = faults.stall
    stallNanoseconds = faults.stall?.duration.wholeNanoseconds ?? 0
    jitterNanoseconds = faults.jitter.wholeNanoseconds
    jitterNoise = FrameNoise(seed: faults.seed, stream: 2)
    (origin, intervalsBefore) = Self.start(at: startNanoseconds, self.interval, clock)
  }

  /// Returns the timing of the same sensor with another start.
  func starting(at startNanoseconds: Int64) -> SensorTiming {
    SensorTiming(self, startNanoseconds)
  }

  private init(_ other: SensorTiming, _ startNanoseconds: Int64) {
    self.startNanoseconds = startNanoseconds
    (interval, ownInterval, clock, end) = (other.interval, other.ownInterval, other.clock, other.end)
    (stall, stallNanoseconds) = (other.stall, other.stallNanoseconds)
    (jitterNanoseconds, jitterNoise) = (other.jitterNanoseconds, other.jitterNoise)
    (origin, intervalsBefore) = Self.start(at: startNanoseconds, interval, clock)
  }

  /// Returns the origin of a sensor's intervals, and the number of them before the first frame from `start`
  /// on.
  private static func start(
    at start: Int64, _ interval: Fraction, _ clock: SensorClock
  ) -> (origin: Int64, intervalsBefore: Int64) {
    guard let phase = clock.phase else { return (start, 1) }
    let origin = clock.epoch.adding(clamping: phase)
    let nanoseconds = Double(interval.scaling(1_000_000_000))
    guard start > origin, nanoseconds >= 1 else { return (origin, 0) }
    var count = max(0, Int64(clamping: Double(start.subtracting(clamping: origin)) / nanoseconds) - 2)
    // A few at most: the quotient is exact but for its rounding.
    while time(origin, interval, count) < start { count += 1 }
    return (origin, count)
  }

  private static func time(_ origin: Int64, _ interval: Fraction, _ count: Int64) -> Int64 {
    // With the long intervals of some tables, the third frame already exceeds 292 years.
    interval.scaling(count.multiplied(clamping: 1_000_000_000)).adding(clamping: origin)
  }

  /// Returns the true time of frame `number` without jitter, in nanoseconds.
  private func undelayedTime(of number: Int64) -> Int64 {
    let time = Self.time(origin, interval, number.adding(clamping: intervalsBefore))
    guard let stall, number >= stall.frame else { return time }
    return time.adding(clamping: stallNanoseconds)
  }

  /// The random delay of frame `number`, in nanoseconds.
  private func jitter(of number: Int64) -> Int64 {
    jitterNanoseconds > 0 ? Int64(jitterNoise.value(of: number) % UInt64(jitterNanoseconds + 1)) : 0
  }

  /// Returns the true time of frame `number`, in nanoseconds.
  func time(of number: Int64) -> Int64 { undelayedTime(of: number).adding(clamping: jitter(of: number)) }

  /// Returns the true time in which frame `number` is exposed, without jitter.
  func undelayed(_ number: Int64) -> Range<Int64> {
    let count = number.adding(clamping: intervalsBefore)
    let length = Self.time(0, interval, count.adding(clamping: 1)) - Self.time(0, interval, count)
    let start = undelayedTime(of: number)
    return start..<start.adding(clamping: max(0, length))
  }

  /// Returns the timestamp of frame `number` by the camera's clock, in nanoseconds.
  private func stamp(of number: Int64) -> Int64 {
    let delay = (stall.map { number >= $0.frame } == true ? stallNanoseconds : 0)
      .adding(clamping: jitter(of: number))
    return Self.time(stampOrigin, ownInterval, number.adding(clamping: intervalsBefore))
      .adding(clamping: clock.counting(delay))
  }

  /// Returns the times of frame `number`. It arrives when it is exposed, or at its timestamp if that is later.
  func exposure(_ number: Int64) -> Exposure {
    let stamp = stamp(of: number)
    return Exposure(
      number: number, arrivalNanoseconds: max(time(of: number), stamp), timestampNanoseconds: stamp)
  }

  /// Returns a frame from which the schedule can continue; all frames before it are exposed by `now`.
  ///
  /// Despite jitter, the frames before it are exposed earlier than it is, so none of them affects the later
  /// ones.
  func lastSurely(before now: Int64) -> Int64 {
    let nanoseconds = Double(max(interval, ownInterval).scaling(1_000_000_000))
    guard nanoseconds >= 1 else { return 0 }
    let origins = max(origin, stampOrigin)
    let spread = Double(stallNanoseconds) + 2 * Double(jitterNanoseconds)
    let passed = Double(now) - Double(origins) - spread * (1 + Self.largestDeviation)
    let count = Int64(clamping: (passed / nanoseconds).rounded(.down)).subtracting(clamping: intervalsBefore)
    return max(0, count.adding(clamping: -3))
  }

  /// The timestamp at which the camera's clock begins to count intervals.
  private var stampOrigin: Int64 {
    clock.epoch.adding(clamping: clock.counting(origin.subtracting(clamping: clock.epoch)))
      .adding(clamping: clock.error)
  }

  /// The part by which a camera's clock may be fast.
  private static let largestDeviation = 0.01

  /// Returns the exposure times within `range` of frames whose numbers are multiples of `step`.
  func times(ofEvery step: Int64, in range: Range<Int64>) -> [Int64] {
    let nanoseconds = Double(interval.scaling(1_000_000_000))
    guard nanoseconds > 0 else { return [] }
    let earliest =
      Double(range.lowerBound) - Double(origin)
      - Double(stallNanoseconds) - Double(jitterNanoseconds)
    let first = Int64(clamping: earliest / nanoseconds).subtracting(clamping: intervalsBefore)
    var number = max(0, first / step - 1) * step
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
