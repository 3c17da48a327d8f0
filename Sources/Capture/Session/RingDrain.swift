import Cameras
import Glibc
import Platform
import Takes
import Timebase

/// The writer's work where filming begins at once: all frames from the ring into one take.
struct RingDrain: ~Copyable {
  private var ring: RingConsumer
  private var take: TakeWriter
  private var facts: TakeFacts
  private var trend = RingTrend()
  private let limit: RecordingLimit
  private let nap: UInt32

  /// How often progress is told, in nanoseconds.
  static let progressInterval: Int64 = 100_000_000
  /// How often what was written is made safe, in nanoseconds; a whole number of times between two tellings.
  static let checkpointInterval: Int64 = 100_000_000
  /// How much longer than its limit a recording may take by the clock, where the camera's own timestamps
  /// do not move, in nanoseconds.
  static let patience: Int64 = 5_000_000_000

  init(
    ring: consuming RingConsumer, master: consuming MasterWriter, limit: RecordingLimit,
    configuration: StreamConfiguration
  ) {
    facts = TakeFacts(
      configuration: configuration, ringBytes: ring.capacity, ringLockErrno: ring.lockErrno)
    nap = Self.nap(ringBytes: ring.capacity, configuration)
    self.ring = ring
    take = TakeWriter(master)
    self.limit = limit
  }

  /// Writes until the ring is closed and empty.
  mutating func run(stop: StopFlag, progress: (RecordingProgress) -> Void) {
    let start = MonotonicClock.now
    var lastTold = start
    var lastCheckpoint = start
    while true {
      // Asked before the last look: what was pushed before the close is seen by that look.
      let wasClosed = ring.isClosed
      facts.ringPeakBytes = max(facts.ringPeakBytes, ring.fillBytes)
      var isEmpty = true
      while popOne() {
        isEmpty = false
        if take.diskFailure != nil { stop.set() }
        if MonotonicClock.now - lastCheckpoint >= Self.checkpointInterval { break }
      }
      let now = MonotonicClock.now
      if now - lastCheckpoint >= Self.checkpointInterval {
        lastCheckpoint = now
        take.checkpoint()
        if take.diskFailure != nil { stop.set() }
      }
      if lastCheckpoint == now, now - lastTold >= Self.progressInterval {
        lastTold = now
        trend.enter(ring.fillBytes, at: now)
        progress(standing(at: now - start))
        if let nanoseconds = limit.nanoseconds, now - start > nanoseconds + Self.patience { stop.set() }
      }
      if isEmpty {
        if wasClosed { return }
        usleep(nap)
      }
    }
  }

  /// How long the writer sleeps when a ring of so many bytes is empty, in microseconds.
  ///
  /// The capture thread may not wake it, as that would be a system call a frame; so it looks for itself: often enough that
  /// the ring hardly fills meanwhile, and no oftener, as each look costs more than the frame that it finds.
  static func nap(ringBytes: Int, _ configuration: StreamConfiguration) -> UInt32 {
    let frames = ringBytes / RingLayout.recordBytes(payload: configuration.plausibleFrame)
    let interval = min(configuration.frameFormat.nominalIntervalNanoseconds ?? 0, 1_000_000_000)
    return UInt32(min(max(Int64(frames) * interval / 16_000, 1000), 20_000))
  }

  private mutating func popOne() -> Bool {
    let popped: Void? = ring.pop { record, payload in take.enter(record, payload) }
    return popped != nil
  }

  private borrowing func standing(at elapsed: Int64) -> RecordingProgress {
    RecordingProgress(
      elapsedSeconds: Double(elapsed) / 1e9, framesWritten: take.accounting.written,
      framesLost: take.accounting.ledger.total,
      measuredFramesPerSecond: take.accounting.measuredFramesPerSecond,
      ringFill: Double(ring.fillBytes) / Double(ring.capacity),
      secondsUntilRingIsFull: trend.secondsUntilFull(ring.capacity), bytesWritten: take.bytesWritten)
  }

  /// Closes the master and sums up.
  ///
  /// - Throws: ``CaptureError`` where not one frame was written, or the master could not be made whole.
  consuming func finish(failure: CaptureError?) throws(CaptureError) -> Recording {
    try take.finish(facts, failure: failure)
  }
}
