import Timebase

/// A frame as the sensor exposed it.
struct Exposure {
  /// Its number, counted from 0 whether or not frames reach anyone.
  var number: Int64 = 0
  /// When it was exposed and came, in nanoseconds.
  var timestampNanoseconds: Int64 = 0
}

/// Which frames a sensor exposes when, and which of them a driver with a few buffers can keep.
///
/// The sensor exposes frame `n` at `start + (n + 1) * interval`, whether or not anyone takes frames. The driver
/// fills its empty buffers in order; a frame that finds none is lost. As a buffer becomes empty only
/// in ``requeue(at:)``, nothing has to happen in between: ``advance(to:)`` catches up.
struct SensorSchedule {
  /// When each frame is exposed.
  private(set) var timing: SensorTiming
  private let faults: SimulatedFaults
  private let dropNoise: FrameNoise

  /// The frames in filled buffers: `filledCount` of them, the oldest at `oldest`.
  private var filled = InlineArray<32, Exposure>(repeating: Exposure())
  private var oldest = 0
  private var filledCount = 0
  private var isLent = false
  /// The frame that the sensor exposes next.
  private var upcoming: Exposure

  /// A sensor that starts at `startNanoseconds` and is asked for a frame each `interval` seconds.
  init(startNanoseconds: Int64, interval: Fraction, faults: SimulatedFaults) {
    precondition(
      (1...SimulatedFaults.mostBuffers).contains(faults.bufferCount), "a driver has 1 to 32 buffers")
    timing = SensorTiming(startNanoseconds: startNanoseconds, interval: interval, faults: faults)
    self.faults = faults
    self.dropNoise = FrameNoise(seed: faults.seed, stream: 1)
    upcoming = Exposure(number: 0, timestampNanoseconds: timing.time(of: 0))
  }

  /// Moves the sensor's start to `now`; for a sensor that has exposed nothing yet.
  mutating func restart(at now: Int64) {
    timing = timing.starting(at: now)
    upcoming = Exposure(number: 0, timestampNanoseconds: timing.time(of: 0))
  }

  /// When the next frame is exposed that has not been yet.
  var nextExposureNanoseconds: Int64 { upcoming.timestampNanoseconds }

  /// Whether the camera is unplugged as far as it has been advanced, with no filled buffer left.
  func isDisconnected(at now: Int64) -> Bool {
    filledCount == 0 && upcoming.number == faults.disconnect && upcoming.timestampNanoseconds <= now
  }

  /// How many frames one call exposes at most, so that whoever waits for one is heard in between.
  private static let mostExposed = 1 << 14

  /// Exposes every frame up to `now`, or as many as one call does.
  mutating func advance(to now: Int64) {
    var exposed = 0
    var hasSkipped = false
    while upcoming.timestampNanoseconds <= now, upcoming.number != faults.disconnect,
      exposed < Self.mostExposed
    {
      if !hasSkipped, isFull {
        hasSkipped = true
        skipLost(before: now)
      }
      exposed += 1
      if !faults.dropped.contains(upcoming.number, noise: dropNoise) { fill(upcoming) }
      upcoming.number += 1
      upcoming.timestampNanoseconds = max(
        timing.time(of: upcoming.number), upcoming.timestampNanoseconds.adding(clamping: 1))
    }
  }

  /// Passes over frames that find no empty buffer, however many: until one is given back, all are lost.
  private mutating func skipLost(before now: Int64) {
    let number = min(timing.lastSurely(before: now), (faults.disconnect ?? .max).adding(clamping: -1))
    guard number > upcoming.number else { return }
    upcoming = Exposure(number: number, timestampNanoseconds: timing.time(of: number))
  }

  /// Whether the driver has no empty buffer.
  private var isFull: Bool { filledCount + (isLent ? 1 : 0) >= faults.bufferCount }

  /// Takes the oldest filled buffer from the driver; `nil` where there is none.
  ///
  /// - Precondition: The one taken before has been given back.
  mutating func dequeue() -> Exposure? {
    precondition(!isLent, "one buffer is lent at a time")
    guard filledCount > 0 else { return nil }
    let exposure = filled[oldest]
    oldest = (oldest + 1) % filled.count
    filledCount -= 1
    isLent = true
    return exposure
  }

  /// Gives the buffer back, which is empty for frames after `now`.
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
