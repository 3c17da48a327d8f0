import Overcrank

extension RateReport {
  /// The names of the columns; units are those of --json.
  static let csvHead = csvColumns.joined(separator: ",")

  private static let csvColumns = [
    "fourcc", "width", "height", "claimed_fps", "accepted_fps", "measured_fps", "duration_s", "sent",
    "written",
    "lost_driver", "lost_corrupt", "lost_ring", "jitter_p50_us", "jitter_p99_us", "jitter_p999_us",
    "jitter_max_us",
    "bytes_per_second", "cpu_us_per_frame", "sustained",
  ]

  /// The report as a line. Unknown values are empty; if nothing could be measured, only the mode and its
  /// claimed rate are filled.
  var csv: String {
    let measurement = try? outcome.get()
    let (frames, intervals) = (measurement?.frames, measurement?.intervals)
    let accepted = measurement?.configuration.frameFormat.acceptedInterval?.rate
    let jitter = [
      intervals?.jitterMedian, intervals?.jitterP99, intervals?.jitterP999, intervals?.jitterMost,
    ]
    var fields = [mode.fourcc, "\(mode.width)", "\(mode.height)"]
    fields += [
      mode.rate?.framesPerSecond.doubleValue, accepted?.framesPerSecond.doubleValue,
      measurement?.accounting.measuredFramesPerSecond, measurement?.seconds,
    ].map(Self.field)
    fields += [frames?.sent, frames?.written, frames?.lost.driver, frames?.lost.corrupt, frames?.lost.ring]
      .map(Self.field)
    fields += jitter.map { Self.field($0?.microseconds) }
    fields += [
      Self.field(measurement?.bytesPerSecond), Self.field(measurement?.processorTimePerFrame.microseconds),
      Self.field(verdict?.isSustained),
    ]
    return fields.joined(separator: ",")
  }

  private static func field(_ value: (some CustomStringConvertible)?) -> String { value?.description ?? "" }
}
