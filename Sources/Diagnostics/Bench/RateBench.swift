public import CameraModel
public import Cameras
public import Capture
public import Platform
public import Takes
import Media
import Synchronization
import Timebase

/// Measures the rate that a camera really sustains: captures without a disk, and looks at every
/// frame's number and time.
public enum RateBench {
  /// Measures `camera` in `mode` until `limit` or `stop`, on a capture thread and through a ring as a
  /// recording does.
  ///
  /// Blocks the calling thread, which empties the ring. What ended a measurement early is in it.
  ///
  /// - Parameters:
  ///   - camera: the camera.
  ///   - mode: the mode to measure.
  ///   - limit: how long, in time or frames.
  ///   - changes: what is set on the camera for as long as it is measured.
  ///   - scheduling: how the capture thread is scheduled.
  ///   - stop: a stop sent here ends the measurement early.
  ///   - progress: is told how it stands, about ten times a second.
  /// - Throws: `CaptureError` where no frame came at all.
  public static func measure(
    _ camera: CaptureDevice, in mode: Mode, for limit: RecordingLimit, making changes: [ControlChange] = [],
    scheduling: CaptureScheduling = CaptureScheduling(), stop: SessionCommands = SessionCommands(),
    progress: @escaping @Sendable (RateProgress) -> Void = { _ in }
  ) throws(CaptureError) -> RateMeasurement {
    try measure(
      CaptureSource(camera), SessionConfiguration(mode: mode, controlChanges: changes), for: limit,
      scheduling: scheduling, stop: stop, progress: progress)
  }

  package static func measure(
    _ source: CaptureSource, _ configuration: SessionConfiguration, for limit: RecordingLimit,
    scheduling: CaptureScheduling = CaptureScheduling(), stop: SessionCommands = SessionCommands(),
    progress: @escaping @Sendable (RateProgress) -> Void = { _ in }
  ) throws(CaptureError) -> RateMeasurement {
    let session = CaptureSession(
      SessionSetup(
        source, configuration, SessionPlan(limit: limit),
        settings: CaptureSettings(silenceLimit: .seconds(5), scheduling: scheduling),
        makeOutput: { _ in FrameCount() }),
      commands: stop)
    let ended = Mutex<Result<Recording, CaptureError>?>(nil)
    session.onEvent { event in
      switch event.kind {
      case .progress(let status):
        progress(RateProgress(frames: status.take?.frames.written ?? 0, lost: status.framesLost))
      case .takeEnded(_, let result): ended.withLock { $0 = result }
      default: break
      }
    }
    let start = ProcessorTime.ofThisThread()
    let end = try session.run()
    let drain = ProcessorTime.ofThisThread() - start
    guard let recording = ended.withLock({ $0 }) else { throw end.failure ?? .empty }
    let measured = try recording.get()
    return RateMeasurement(
      configuration: measured.configuration, accounting: measured.accounting,
      byteCount: measured.bytesWritten,
      ringPeakBytes: measured.ringPeakBytes,
      processorTime: ProcessorTime(capture: session.captureTime, drain: drain),
      intervals: IntervalStatistics(measured.accounting), failure: measured.failure ?? end.failure,
      restoreFailure: end.restoreFailure)
  }
}

/// The output of a measurement: frames are counted, and none is kept.
private final class FrameCount: TakeOutput {
  private(set) var bytesWritten: Int64 = 0

  func write(
    _ frame: UnsafeRawBufferPointer, sequence: UInt32, timestampNanoseconds: Int64, isTimedAtDequeue: Bool
  ) {
    bytesWritten += Int64(frame.count)
  }
}

/// How a measurement stands.
public struct RateProgress: Hashable, Sendable {
  /// Frames that came.
  public var frames: Int64
  /// Frames that did not.
  public var lost: Int64
}

/// What came of a measurement.
public struct RateMeasurement: Hashable, Sendable {
  /// What the camera had agreed to.
  public let configuration: StreamConfiguration
  /// The books: a frame that reached the end of the ring counts as written.
  public let accounting: FrameAccounting
  /// Bytes of the frames that came.
  public let byteCount: Int64
  /// The most bytes that waited in the ring.
  public let ringPeakBytes: Int
  /// Processor time of both threads.
  public let processorTime: ProcessorTime
  /// How far apart frames came; `nil` where no two neighbours did.
  public let intervals: IntervalStatistics?
  /// Why it ended before its time; `nil` where it did not.
  public let failure: CaptureError?
  /// What could not be put back on the camera.
  public let restoreFailure: OvercrankError?

  /// How many frames there were; a frame that reached the end of the ring counts as written.
  public var frames: Take.FrameCounts { Take.FrameCounts(accounting) }

  /// From the first frame to the last, by their timestamps.
  public var duration: Duration {
    guard let first = accounting.timestamps.first, let last = accounting.timestamps.last else { return .zero }
    return last - first
  }

  /// ``duration`` as a number.
  package var seconds: Double { Double(duration.wholeNanoseconds) / 1e9 }

  /// Frames that came in a second, those that were lost left out; `nil` below two frames.
  public var sustainedFramesPerSecond: Double? {
    accounting.measuredFramesPerSecond.map { $0 * Double(accounting.written) / Double(accounting.sent) }
  }

  /// Bytes in a second; `nil` where no time passed.
  public var bytesPerSecond: Double? {
    // The first frame came at the start of that time, not in it.
    guard duration > .zero, accounting.written > 1 else { return nil }
    return Double(byteCount) * Double(accounting.written - 1) / Double(accounting.written) / seconds
  }
}
