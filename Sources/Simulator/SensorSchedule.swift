import Timebase

/// A frame as the sensor exposed it.
struct Exposure {
  /// The sensor's frame number, from 0; it counts lost frames too.
  var number: Int64 = 0
  /// The time of arrival, in nanoseconds.
  var arrivalNanoseconds: Int64 = 0
  /// The driver's timestamp: the time of exposure, by the camera's clock.
  var timestampNanoseconds: Int64 = 0
}

/// A schedule of a sensor's exposures, and of the frames that a driver with a few buffers can keep.
///
/// The sensor exposes frame `n` at `start + (n + 1) * interval`, whether or not frames are dequeued. The
/// driver fills its empty buffers in order; a frame that finds none is lost. Buffers become empty only in
/// ``requeue(at:)``, so nothing has to run in between: ``advance(to:)`` catches up.
struct SensorSchedule {
  /// The exposure time of each frame.
  private(set) var timing: SensorTiming
  private let faults: SimulatedFaults
  private let dropNoise: FrameNoise
  private let flash: SensorFlash

  /// The frames in filled buffers: `filledCount` of them, starting with the oldest at `oldest`.
  private var filled = InlineArray<32, Exposure>(repeating: Exposure())
  private var oldest = 0
  private var filledCount = 0
  private var isLent = false
  /// The next frame that the sensor exposes.
  private var upcoming: Exposure

  /// Creates the schedule of a sensor that starts at `startNanoseconds`, with a requested interval of
  /// `interval` seconds.
  init(startNanoseconds: Int64, interval: Fraction, faults: SimulatedFaults, epochNanoseconds: Int64 = 0) {
    precondition(
      (1...SimulatedFaults.mostBuffers).contains(faults.bufferCount), "a driver has 1 to 32 buffers")
    timing = SensorTiming(
      startNanoseconds: startNanoseconds, interval: interval, faults: faults,
      clock: SensorClock(epoch: epochNanoseconds, faults: faults))
    self.faults = faults
    self.dropNoise = FrameNoise(seed: faults.seed, stream: 1)
    flash = SensorFlash(epoch: epochNanoseconds, faults: faults)
    upcoming = timing.exposure(0)
  }

  /// Whether flashes may whiten rows of some frames.
  var hasFlashes: Bool { !flash.isEmpty }

  /// Returns the rows that flashes whiten in frame `number` of a picture with `height` rows.
  func flashedRows(of number: Int64, height: Int) -> [Range<Int>] {
    flash.rows(exposed: timing.undelayed(number), height: height)
  }

  /// Moves the sensor's start to `now`; only before it has exposed anything.
  mutating func restart(at now: Int64) {
    timing = timing.starting(at: now)
    upcoming = timing.exposure(0)
  }

  /// The time of the next exposure, in nanoseconds.
  var nextExposureNanoseconds: Int64 { upcoming.arrivalNanoseconds }

  /// Returns whether the camera is unplugged by `now`, as far as it has been advanced, with no filled buffer
  /// left.
  func isDisconnected(at now: Int64) -> Bool {
    filledCount == 0 && upcoming.number == faults.disconnect && upcoming.arrivalNanoseconds <= now
  }

  /// The maximum number of frames that one call exposes, so that a caller waiting for a frame can check for a
  /// stop.
  private static let mostExposed = 1 << 14

  /// Exposes every frame up to `now`, but at most `mostExposed`.
  mutating func advance(to now: Int64) {
    var exposed = 0
    var hasSkipped = false
    while upcoming.arrivalNanoseconds <= now, upcoming.number != faults.disconnect,
      exposed < Self.mostExposed
    {
      if !hasSkipped, isFull {
        hasSkipped = true
        skipLost(before: now)
      }
      exposed += 1
      if !faults.dropped.contains(upcoming.number, noise: dropNoise) { fill(upcoming) }
      let last = upcoming
      upcoming = timing.exposure(last.number + 1)
      upcoming.arrivalNanoseconds = max(
        upcoming.arrivalNanoseconds, last.arrivalNanoseconds.adding(clamping: 1))
      upcoming.timestampNanoseconds = max(
        upcoming.timestampNanoseconds, last.timestampNanoseconds.adding(clamping: 1))
    }
  }

  /// Skips frames that find no empty buffer: until one is requeued, all are lost.
  private mutating func skipLost(before now: Int64) {
    let number = min(timing.lastSurely(before: now), (faults.disconnect ?? .max).adding(clamping: -1))
    guard number > upcoming.number else { return }
    upcoming = timing.exposure(number)
  }

  /// Whether the driver has no empty buffer.
  private var isFull: Bool { filledCount + (isLent ? 1 : 0) >= faults.bufferCount }

  /// Dequeues the oldest filled buffer; `nil` if there is none.
  ///
  /// - Precondition: The preceding buffer has been requeued.
  mutating func dequeue() -> Exposure? {
    precondition(!isLent, "one buffer is lent at a time")
    guard filledCount > 0 else { return nil }
    let exposure = filled[oldest]
    oldest = (oldest + 1) % filled.count
    filledCount -= 1
    isLent = true
    return exposure
  }

  /// Requeues the buffer, which is empty for frames after `now`.
  mutating func requeue(at now: Int64) {
    advance(to: now)
    isLent = false
  }

  private mutating func fill(_ exposure: Exposure) {
    guard !isFull else { return }
    filled[(oldest + filledCount) % filled.count] = exposure
    filledCount += 1
  }
}
