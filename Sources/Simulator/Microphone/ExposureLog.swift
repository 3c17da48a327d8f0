import Synchronization

/// When the sensor of a simulated camera exposes which frame, as a microphone beside it is to know.
public final class ExposureLog: Sendable {
  /// Of each time that the sensor was started; each holds until the next begins.
  private let timings = Mutex<[SensorTiming]>([])

  init() {}

  /// The sensor was started.
  func begin(_ timing: SensorTiming) { timings.withLock { $0.append(timing) } }

  /// When the frames whose numbers are multiples of `step` were exposed within `range`, in nanoseconds.
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
