import Cameras
import Glibc
import Media
import Timebase

/// How a recording stands.
public struct RecordingProgress: Hashable, Sendable {
  /// Seconds since the writer began.
  public var elapsedSeconds: Double
  /// Frames in the master.
  public var framesWritten: Int64
  /// Frames lost so far, at all stages.
  public var framesLost: Int64
  /// The rate by the frames' own timestamps; `nil` below two frames.
  public var measuredFramesPerSecond: Double?
  /// How much of the ring is taken, from 0 to 1.
  public var ringFill: Double
  /// The seconds until the ring is full, if it goes on as in the last second; `nil` where it does not fill up.
  public var secondsUntilRingIsFull: Double?
  /// Bytes written to the master.
  public var bytesWritten: Int64
}

/// The writer's work: frames from the ring into the master, and every frame into the books.
struct RingDrain: ~Copyable {
  private var ring: RingConsumer
  private var master: MasterWriter
  private var account = TakeAccount()
  private var peak = 0
  private var trend = RingTrend()
  private var diskFailure: MediaError?
  private let limit: RecordingLimit

  /// How long the writer sleeps when the ring is empty. The capture thread may not wake it, as that would
  /// be a system call a frame; so it looks for itself, often enough that the ring hardly fills meanwhile.
  private static let nap: UInt32 = 5000
  /// How often what was written is made safe and progress is told, in nanoseconds.
  private static let progressInterval: Int64 = 100_000_000
  /// How much longer than its limit a recording may take by the clock, where the camera's own timestamps
  /// do not move, in nanoseconds.
  private static let patience: Int64 = 5_000_000_000

  init(ring: consuming RingConsumer, master: consuming MasterWriter, limit: RecordingLimit) {
    self.ring = ring
    self.master = master
    self.limit = limit
  }

  /// Writes until the ring is closed and empty.
  mutating func run(stop: StopFlag, progress: (RecordingProgress) -> Void) {
    let start = Self.now()
    var lastTold = start
    while true {
      // Asked before the last look: what was pushed before the close is seen by that look.
      let wasClosed = ring.isClosed
      peak = max(peak, ring.fillBytes)
      var isEmpty = true
      while popOne(stop: stop) {
        isEmpty = false
        if Self.now() - lastTold >= Self.progressInterval { break }
      }
      let now = Self.now()
      if now - lastTold >= Self.progressInterval {
        lastTold = now
        checkpoint(stop: stop)
        trend.enter(ring.fillBytes, at: now)
        progress(standing(at: now - start))
        if let nanoseconds = limit.nanoseconds, now - start > nanoseconds + Self.patience { stop.set() }
      }
      if isEmpty {
        if wasClosed { return }
        usleep(Self.nap)
      }
    }
  }

  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  private mutating func popOne(stop: StopFlag) -> Bool {
    // Borrowed apart, as the ring lends its record while the others are changed.
    let popped: Void? = ring.pop { record, payload in
      if let stage = record.kind.stage {
        account.enterLost(sequence: record.sequence, count: record.count, at: stage)
        master.noteLost(sequence: record.sequence, count: record.count, at: stage)
      } else {
        guard diskFailure == nil else {
          account.enterLost(sequence: record.sequence, at: .disk)
          return
        }
        do throws(MediaError) {
          try master.write(
            payload, sequence: record.sequence, timestampNanoseconds: record.timestampNanoseconds)
          account.enterWritten(
            sequence: record.sequence, timestampNanoseconds: record.timestampNanoseconds)
        } catch {
          diskFailure = error
          account.enterLost(sequence: record.sequence, at: .disk)
          stop.set()
        }
      }
    }
    return popped != nil
  }

  /// Makes what has left the ring safe from a crash.
  private mutating func checkpoint(stop: StopFlag) {
    guard diskFailure == nil else { return }
    do throws(MediaError) {
      try master.checkpoint()
    } catch {
      diskFailure = error
      stop.set()
    }
  }

  private borrowing func standing(at elapsed: Int64) -> RecordingProgress {
    RecordingProgress(
      elapsedSeconds: Double(elapsed) / 1e9, framesWritten: account.written,
      framesLost: account.ledger.total, measuredFramesPerSecond: account.measuredFramesPerSecond,
      ringFill: Double(ring.fillBytes) / Double(ring.capacity),
      secondsUntilRingIsFull: trend.secondsUntilFull(ring.capacity), bytesWritten: master.bytesWritten)
  }

  /// Closes the master and sums up.
  ///
  /// - Throws: ``CaptureError`` where not one frame was written, or the master could not be made whole.
  consuming func finish(
    configuration: StreamConfiguration, end: CaptureLoop.End, restoreFailure: CameraError?,
    silenceLimitMilliseconds: Int32
  ) throws(CaptureError) -> Recording {
    let failure: CaptureError? =
      if let diskFailure {
        .master(diskFailure)
      } else {
        switch end {
        case .complete, .stopped, .streamEnded: nil
        case .silent: .silence(seconds: Int(silenceLimitMilliseconds / 1000))
        case .failed(let error): .camera(error)
        }
      }
    // Dropped without a frame, the master takes its file with it.
    guard account.written > 0 else { throw failure ?? .empty }
    let bytesWritten = master.bytesWritten
    let (account, ring, peak) = (account, ring.capacity, peak)
    do throws(MediaError) { try master.finish() } catch { throw .master(error) }
    return Recording(
      account: account, configuration: configuration, ringBytes: ring, ringPeakBytes: peak,
      bytesWritten: bytesWritten, failure: failure, restoreFailure: restoreFailure)
  }
}

extension RingRecord.Kind {
  /// The stage that lost the frames; `nil` for one that was not lost.
  fileprivate var stage: LossStage? {
    switch self {
    case .frame: nil
    case .lostInRing: .ring
    case .lostInDriver: .driver
    case .lostCorrupt: .corrupt
    }
  }
}
