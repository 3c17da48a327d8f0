public import CameraModel
public import Cameras
public import Capture
public import Platform
public import Takes
import Synchronization
import Timebase

/// A benchmark of the rate that a camera sustains: it captures without a disk, and checks every frame's
/// sequence number and timestamp.
public enum RateBench {
  /// Measures `camera` in `mode` until `limit` or `stop`, with a capture thread and a ring as in a recording.
  ///
  /// Blocks the calling thread, which drains the ring. If the measurement ends early, the result holds the
  /// reason.
  ///
  /// - Parameters:
  ///   - camera: The camera.
  ///   - mode: The mode to measure.
  ///   - limit: The length of the measurement, in time or frames.
  ///   - changes: Control changes for the duration of the measurement.
  ///   - scheduling: The scheduling of the capture thread.
  ///   - stop: Commands; a stop ends the measurement early.
  ///   - progress: Called with the progress about ten times a second.
  /// - Throws: `CaptureError` if no frame arrived.
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

/// An output that only counts bytes.
private final class FrameCount: TakeOutput {
  private(set) var bytesWritten: Int64 = 0

  func write(
    _ frame: UnsafeRawBufferPointer, sequence: UInt32, timestampNanoseconds: Int64, isTimedAtDequeue: Bool
  ) {
    bytesWritten += Int64(frame.count)
  }
}

/// The progress of a measurement.
public struct RateProgress: Hashable, Sendable {
  /// The number of frames received.
  public var frames: Int64
  /// The number of frames lost.
  public var lost: Int64
}

/// The result of a measurement.
public struct RateMeasurement: Hashable, Sendable {
  /// The configuration that the camera accepted.
  public let configuration: StreamConfiguration
  /// The frame accounting; a frame that left the ring counts as written.
  public let accounting: FrameAccounting
  /// The total size of the received frames.
  public let byteCount: Int64
  /// The peak fill of the ring in bytes.
  public let ringPeakBytes: Int
  /// The processor time of the capture thread and of the thread that drained the ring.
  public let processorTime: ProcessorTime
  /// The statistics of the intervals; `nil` if no two consecutive frames arrived.
  public let intervals: IntervalStatistics?
  /// The reason why the measurement ended early; `nil` if it did not.
  public let failure: CaptureError?
  /// The error that kept the camera's settings from being restored; `nil` if all were restored.
  public let restoreFailure: OvercrankError?

  /// The frame counts; a frame that left the ring counts as written.
  public var frames: Take.FrameCounts { Take.FrameCounts(accounting) }

  /// The time from the first frame to the last, by their timestamps.
  public var duration: Duration {
    guard let first = accounting.timestamps.first, let last = accounting.timestamps.last else { return .zero }
    return last - first
  }

  /// ``duration`` in seconds.
  package var seconds: Double { Double(duration.wholeNanoseconds) / 1e9 }

  /// The rate without lost frames, in frames per second; `nil` below two frames.
  public var sustainedFramesPerSecond: Double? {
    accounting.measuredFramesPerSecond.map { $0 * Double(accounting.written) / Double(accounting.sent) }
  }

  /// The data rate in bytes per second; `nil` if the duration is zero.
  public var bytesPerSecond: Double? {
    // The first frame's bytes arrived at the start of the duration, not during it.
    guard duration > .zero, accounting.written > 1 else { return nil }
    return Double(byteCount) * Double(accounting.written - 1) / Double(accounting.written) / seconds
  }
}
