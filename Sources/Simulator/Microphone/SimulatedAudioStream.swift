import Platform
import AudioModel
import Microphones
import Timebase

/// A running simulated microphone.
final class SimulatedAudioStream<Clock: SimulationClock>: AudioStream {
  let format: AudioFormat
  private let name: String
  private let faults: SimulatedMicrophoneFaults
  private let exposures: ExposureLog?
  private let clock: Clock
  /// The actual number of samples per second of the clock.
  private let trueRate: Double
  private let sounds: ClickSound
  /// The ranges of lost samples, in order, and whether the device reports the loss.
  private let holes: [(samples: Range<Int64>, isReported: Bool)]

  private var start = Instant(nanoseconds: 0)
  /// The next sample to deliver, counted from the start and including lost samples.
  private var position: Int64 = 0
  /// The number of samples lost so far.
  private var lost: Int64 = 0
  private var bytes: [UInt8] = []

  init(name: String, faults: SimulatedMicrophoneFaults, exposures: ExposureLog?, clock: Clock) {
    format = faults.format
    self.name = name
    self.faults = faults
    self.exposures = exposures
    self.clock = clock
    let rate = Double(faults.format.rate) * (1 + faults.drift / 1e6)
    trueRate = rate
    sounds = ClickSound(faults.format)
    func samples(_ range: Range<Duration>) -> Range<Int64> {
      let ends = [range.lowerBound, range.upperBound].map {
        Int64(clamping: ($0 / .seconds(1) * rate).rounded())
      }
      return ends[0]..<max(ends[0], ends[1])
    }
    holes =
      (faults.dropped.map { (samples($0), false) } + faults.overrun.map { (samples($0), true) })
      .sorted { $0.0.lowerBound < $1.0.lowerBound }
  }

  func begin() { start = clock.now }

  func stop() {}

  /// Returns the time at which sample `number` is heard.
  private func time(of number: Int64) -> Instant { start + .seconds(Double(number) / trueRate) }

  /// Returns the number of samples heard by `time`.
  private func heard(by time: Instant) -> Int64 {
    max(0, Int64(clamping: ((time - start) / .seconds(1) * trueRate).rounded(.down)))
  }

  func next(
    within timeout: Duration, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(OvercrankError) -> AudioArrival {
    let deadline = clock.now + timeout
    let period = Int64(max(1, format.rate / 100))
    while true {
      if let hole = holes.first(where: { $0.samples.contains(position) }),
        heard(by: clock.now - faults.delay) >= hole.samples.upperBound
      {
        lost += hole.samples.upperBound - position
        position = hole.samples.upperBound
        if hole.isReported { return .restarted }
      }
      let seen = clock.now - faults.delay
      if let end = faults.disconnect, seen - start >= end {
        throw OvercrankError(
          .disconnected, "\(name) was unplugged during the recording, as requested by disconnect=.")
      }
      let here = heard(by: seen)
      let nextHole = holes.first { $0.samples.upperBound > position }?.samples
      let isInHole = nextHole?.contains(position) ?? false
      // Like a driver's read, a read ends at a gap, and holds ten periods at most.
      let end = min(here, nextHole?.lowerBound ?? .max, position + 10 * period)
      if !isInHole, end - position >= period || end == nextHole?.lowerBound, end > position {
        make(position..<end)
        let count = Int(end - position)
        position = end
        // Samples after a gap are not delivered yet, and those in it never will be.
        let waiting = max(0, min(here, nextHole?.lowerBound ?? .max) - end)
        let time = nextHole.map { here > $0.lowerBound } == true ? self.time(of: end + waiting) : seen
        bytes.withUnsafeBytes { body($0) }
        return .samples(count, AudioMark(time: time, sampleCount: position - lost + waiting))
      }
      guard clock.now < deadline else { return .nothing }
      let wanted =
        isInHole ? nextHole?.upperBound ?? position : min(position + period, nextHole?.lowerBound ?? .max)
      clock.wait(until: min(deadline, time(of: wanted) + faults.delay + .microseconds(1)))
    }
  }

  /// Generates samples into ``bytes``.
  private func make(_ samples: Range<Int64>) {
    sounds.noise(samples, into: &bytes)
    guard let exposures else { return }
    // A click that began earlier may continue.
    let range =
      (time(of: samples.lowerBound) - ClickSound.duration)
      .nanoseconds..<time(of: samples.upperBound).nanoseconds
    for exposure in exposures.times(ofEvery: ClickSound.interval, in: range) {
      let moment = (Instant(nanoseconds: exposure) - start) / .seconds(1) * trueRate
      sounds.click(from: Int64(clamping: moment.rounded(.up)), samples, into: &bytes)
    }
  }
}
