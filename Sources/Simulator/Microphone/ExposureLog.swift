import Synchronization

/// A log of a simulated sensor's exposure times, for a microphone beside it.
public final class ExposureLog: Sendable {
  /// The timings of the sensor's starts; each applies until the next begins.
  private let timings = Mutex<[SensorTiming]>([])

  init() {}

  /// Records a start of the sensor.
  func begin(_ timing: SensorTiming) { timings.withLock { $0.append(timing) } }

  /// Returns the exposure times within `range`, in nanoseconds, of frames whose numbers are multiples of
  /// `step`.
  func times(ofEvery step: Int64, in range: Range<Int64>) -> [Int64] {
    let timings = timings.withLock { $0 }
    var times: [Int64] = []
    for (index, timing) in timings.enumerated() {
      let end = index + 1 < timings.count ? timings[index + 1].startNanoseconds : .max
      guard end > range.lowerBound else { continue }
      times += timing.times(
        ofEvery: step, in: range.lowerBound..<max(range.lowerBound, min(range.upperBound, end)))
    }
    return times
  }
}
