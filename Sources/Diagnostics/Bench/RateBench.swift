public import CameraModel
public import Cameras
public import Capture
public import Platform
public import Takes

/// Measures the rate that a camera really sustains: films without a disk, and looks at every frame's number and time.
public enum RateBench {
  /// Opens `camera` in `mode` and measures it; see ``measure(_:for:scheduling:stop:progress:)``.
  ///
  /// - Parameter changes: what is set on the camera for as long as it is measured.
  public static func measure(
    _ camera: CaptureDevice, in mode: Mode, for limit: RecordingLimit, making changes: [ControlChange] = [],
    scheduling: CaptureScheduling = CaptureScheduling(), stop: StopFlag = StopFlag(),
    progress: @escaping (RateProgress) -> Void = { _ in }
  ) throws(CaptureError) -> RateMeasurement {
    switch camera {
    case .camera(let camera):
      try measure(
        try Recorder.opening { () throws(CameraError) in try camera.start(mode, making: changes) },
        for: limit, scheduling: scheduling, stop: stop, progress: progress)
    case .simulated(let camera, _):
      try measure(
        try Recorder.opening { () throws(CameraError) in try camera.start(mode) }, for: limit,
        scheduling: scheduling, stop: stop, progress: progress)
    }
  }

  /// Films `stream` until `limit` or `stop`, on a capture thread and through a ring as a recording does.
  ///
  /// Blocks the calling thread, which empties the ring. What ended a measurement early is in it.
  /// - Throws: ``CaptureError`` where no frame came at all.
  public static func measure<Stream: CameraStream & ~Copyable>(
    _ stream: consuming Stream, for limit: RecordingLimit,
    scheduling: CaptureScheduling = CaptureScheduling(), stop: StopFlag = StopFlag(),
    progress: @escaping (RateProgress) -> Void = { _ in }
  ) throws(CaptureError) -> RateMeasurement {
    let silenceLimit: Int32 = 5000
    let configuration = stream.configuration
    let ring = RingSize.usual(for: configuration).byteCount(for: configuration)
    let ends = try Ring.make(minimumCapacity: ring)
    let loop = CaptureLoop(ring: ends.producer, limit: limit, configuration: configuration)
    let thread = try CaptureThread(
      stream, loop, until: stop, silenceLimitMilliseconds: silenceLimit, scheduling: scheduling)
    let start = ProcessorTime.ofThisThread()
    var drain = RateDrain(ring: ends.consumer)
    drain.run { progress(RateProgress(frames: $0.accounting.written, lost: $0.accounting.ledger.total)) }
    let drainTime = ProcessorTime.ofThisThread() - start
    let end = thread.join()
    let accounting = drain.accounting
    guard accounting.written > 0 else { throw end.failure ?? .empty }
    return RateMeasurement(
      configuration: configuration, accounting: accounting, byteCount: drain.byteCount,
      ringPeakBytes: drain.peak,
      processorTime: ProcessorTime(capture: thread.processorTime, drain: drainTime),
      intervals: IntervalStatistics(accounting), failure: end.failure, restoreFailure: end.restoreFailure)
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
  /// The frame accounting: a frame that reached the end of the ring counts as written.
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
  public let restoreFailure: CameraError?

  /// How many frames there were; a frame that reached the end of the ring counts as written.
  public var frames: Take.FrameCounts { Take.FrameCounts(accounting) }

  /// Seconds from the first frame to the last, by their timestamps.
  public var duration: Double {
    guard let first = accounting.timestamps.first, let last = accounting.timestamps.last else { return 0 }
    return Double(last - first) / 1e9
  }

  /// Frames that came in a second, those that were lost left out; `nil` below two frames.
  public var sustainedFramesPerSecond: Double? {
    accounting.measuredFramesPerSecond.map { $0 * Double(accounting.written) / Double(accounting.sent) }
  }

  /// Bytes in a second; `nil` where no time passed.
  public var bytesPerSecond: Double? {
    // The first frame came at the start of that time, not in it.
    guard duration > 0, accounting.written > 1 else { return nil }
    return Double(byteCount) * Double(accounting.written - 1) / Double(accounting.written) / duration
  }
}
