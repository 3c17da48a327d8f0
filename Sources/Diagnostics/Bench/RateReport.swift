public import CameraModel
public import Cameras
public import Capture
import Timebase

/// A mode's three rates: claimed, accepted and measured.
public struct RateReport: Hashable, Sendable {
  /// The camera that was measured.
  public let camera: CameraIdentity
  /// The mode that was measured.
  public let mode: Mode
  /// The measurement, or the error if no frame arrived.
  public let outcome: Result<RateMeasurement, CaptureError>
  /// The verdict on the measurement; `nil` if there is none.
  public private(set) var verdict: RateVerdict?

  /// Creates the report on `outcome`.
  ///
  /// - Parameters:
  ///   - camera: The camera that was measured.
  ///   - mode: The mode that was measured.
  ///   - outcome: The measurement, or the error if there is none.
  ///   - usb: The camera's USB device; `nil` if it is not on USB, or unknown.
  public init(
    camera: CameraIdentity, mode: Mode, outcome: Result<RateMeasurement, CaptureError>,
    usb: USBDevice? = nil
  ) {
    self.camera = camera
    self.mode = mode
    self.outcome = outcome
    verdict = (try? outcome.get()).map { measurement in
      RateVerdict(
        RateVerdict.Facts(
          claimed: mode.rate, accepted: measurement.configuration.frameFormat.acceptedInterval?.rate,
          measured: measurement.accounting.measuredFramesPerSecond, frames: measurement.frames,
          bufferCount: measurement.configuration.bufferCount, bytesPerSecond: measurement.bytesPerSecond,
          usbMegabitsPerSecond: usb?.megabitsPerSecond,
          exposure: measurement.configuration.fixedExposure,
          mayLowerRate: measurement.configuration.mayLowerRate, endedEarly: measurement.failure != nil))
    }
  }
}

extension RateReport {
  /// The error that ended the measurement early, or before the first frame; `nil` if it lasted as long as requested.
  public var failure: CaptureError? {
    switch outcome {
    case .success(let measurement): measurement.failure
    case .failure(let error): error
    }
  }

  /// Returns the report with each remedy replaced by the result of `words`.
  public func wordingRemedies(_ words: (String, DiagnosticAction?) -> String) -> RateReport {
    var report = self
    report.verdict = verdict?.wordingRemedies(words)
    return report
  }
}

extension RateReport: Encodable {
  enum CodingKeys: String, CodingKey {
    case camera, mode, frames, verdict, causes, sustained, failure
    case claimed = "claimed_fps"
    case accepted = "accepted_fps"
    case measured = "measured_fps"
    case duration = "duration_s"
    case jitter = "jitter_us"
    case interval = "interval_us"
    case bytesPerSecond = "bytes_per_second"
    case processorTime = "cpu_us_per_frame"
    case processorTimeByStage = "cpu_us_per_frame_by_stage"
    case ringPeak = "ring_peak_bytes"
    case buffers, controls
  }

  /// Encodes the report; unknown values are `null`.
  public func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    let measurement = try? outcome.get()
    let accounting = measurement?.accounting
    try keys.encode(camera, forKey: .camera)
    try keys.encode(mode, forKey: .mode)
    try keys.encode(mode.rate?.framesPerSecond.doubleValue, forKey: .claimed)
    try keys.encode(
      measurement?.configuration.frameFormat.acceptedInterval?.rate?.framesPerSecond.doubleValue,
      forKey: .accepted)
    try keys.encode(accounting?.measuredFramesPerSecond, forKey: .measured)
    try keys.encode(measurement?.seconds, forKey: .duration)
    try keys.encode(measurement?.frames, forKey: .frames)
    try keys.encode(measurement?.intervals.map(Jitter.init), forKey: .jitter)
    try keys.encode(measurement?.intervals.map(Interval.init), forKey: .interval)
    try keys.encode(measurement?.bytesPerSecond, forKey: .bytesPerSecond)
    try keys.encode(measurement?.processorTimePerFrame.microseconds, forKey: .processorTime)
    try keys.encode(
      measurement?.processorTimePerFrameByStage.mapValues(\.microseconds), forKey: .processorTimeByStage)
    try keys.encode(measurement?.ringPeakBytes, forKey: .ringPeak)
    try keys.encode(measurement?.configuration.bufferCount, forKey: .buffers)
    try keys.encode(measurement?.configuration.controls, forKey: .controls)
    try keys.encode(verdict?.isSustained, forKey: .sustained)
    try keys.encode(verdict?.summary, forKey: .verdict)
    try keys.encode(verdict?.causes ?? [], forKey: .causes)
    try keys.encode(failure?.description, forKey: .failure)
  }

  /// Jitter in microseconds.
  private struct Jitter: Encodable {
    let p50, p99, p999, max: Double

    init(_ statistics: IntervalStatistics) {
      p50 = statistics.jitterMedian.microseconds
      p99 = statistics.jitterP99.microseconds
      p999 = statistics.jitterP999.microseconds
      max = statistics.jitterMost.microseconds
    }
  }

  /// Intervals in microseconds.
  private struct Interval: Encodable {
    let min, mean, max: Double

    init(_ statistics: IntervalStatistics) {
      min = statistics.shortest.microseconds
      mean = statistics.mean.microseconds
      max = statistics.longest.microseconds
    }
  }
}

extension RateMeasurement {
  /// The processor time of both threads per received frame.
  public var processorTimePerFrame: Duration {
    (processorTime.capture + processorTime.drain) / accounting.written
  }

  /// The processor time of each thread per received frame: `capture` fills the ring, `drain` empties it.
  public var processorTimePerFrameByStage: [String: Duration] {
    [
      "capture": processorTime.capture / accounting.written,
      "drain": processorTime.drain / accounting.written,
    ]
  }
}

extension Duration {
  /// The duration in microseconds, for tables and JSON.
  package var microseconds: Double { Double(attoseconds) / 1e12 }
}
