import Takes
import Timebase

/// The capture times of a master's frames: on the grid of a steady camera, or each at its own timestamp.
struct CaptureCadence {
  /// Numbers of sensor frames from the first, including those of pauses; `nil` if not all frames are
  /// numbered.
  let sequences: [Int64]?
  /// Nanoseconds from the first frame, never falling: the basis of the exact arithmetic in this file.
  private let nanoseconds: [Int64]
  /// The grid's interval in seconds; `nil` if each frame is at its own timestamp.
  let gridInterval: Fraction?
  /// The mean interval between sensor frames in seconds; `nil` if unknown.
  let interval: Fraction?
  /// Seconds per frame that the camera agreed to, or that a file states.
  let nominalInterval: Fraction?
  /// Seconds for which the last frame is shown; `nil` if the file does not say.
  let lastInterval: Fraction?

  /// The number of frames.
  var frameCount: Int { nanoseconds.count }

  /// Whether frames were lost in front of each frame, by their numbers, or else by their times.
  var gaps: [Bool] {
    guard !nanoseconds.isEmpty else { return [] }
    if let sequences { return [false] + zip(sequences, sequences.dropFirst()).map { $1 - $0 > 1 } }
    let usual = usualStep.wholeNanoseconds
    return [false] + zip(nanoseconds, nanoseconds.dropFirst()).map { ($1 - $0) / 3 * 2 > usual }
  }

  /// The times of lost frames, from the first frame.
  var lostTimes: [Range<Duration>] {
    let step = gridInterval.map { Duration(seconds: $0) } ?? usualStep
    return gaps.indices.filter { gaps[$0] }.map { index in
      let (before, next) = (captureTime(index - 1), captureTime(index))
      return min(before + step, next)..<next
    }
  }

  /// The typical interval between frames, gaps excluded.
  var usualStep: Duration {
    let mean = interval.map { Duration(seconds: $0) } ?? .zero
    guard sequences == nil else { return mean }
    // Without numbers, losses raise the mean but not the median.
    let steps = zip(nanoseconds, nanoseconds.dropFirst()).map { $1 - $0 }.sorted()
    return steps.isEmpty ? mean : .nanoseconds(steps[steps.count / 2])
  }

  /// The mean interval in seconds between frames without a gap between them; `nil` if unknown.
  var unbrokenInterval: Fraction? {
    let gaps = gaps
    guard sequences == nil, gaps.contains(true) else { return interval }
    let steps = gaps.indices.dropFirst().filter { !gaps[$0] }.map { nanoseconds[$0] - nanoseconds[$0 - 1] }
    let mean = Fraction(steps.reduce(0, +), 1_000_000_000 * Int64(max(1, steps.count)))
    return mean > Fraction(0) ? mean : interval
  }

  /// Returns the capture time of frame `index`, from the first.
  func captureTime(_ index: Int) -> Duration {
    guard let gridInterval, let sequences else { return .nanoseconds(nanoseconds[index]) }
    return .nanoseconds(gridInterval.scaling(sequences[index] * 1_000_000_000))
  }

  /// Seconds from the first frame to the end of the last.
  var duration: Fraction {
    guard !nanoseconds.isEmpty else { return Fraction(0) }
    let last = gridInterval ?? lastInterval ?? interval ?? Fraction(0)
    return captureTime(nanoseconds.count - 1).inSeconds + last
  }

  /// Limits on values from files, so that no arithmetic can overflow.
  private static let longestCount: Int64 = 1 << 30
  static let longestTime: Int64 = 1 << 50
  /// The range of seconds that frames and sources may last.
  private static let believable = Fraction(0)...Fraction(longestTime, 1_000_000_000)
  /// The tolerance for a steady camera: frames may deviate from the grid by this many nanoseconds, or by two
  /// intervals.
  private static let tolerance: Int64 = 50_000_000

  /// Creates the cadence of `frames`. Impossible intervals are ignored.
  ///
  /// - Parameter followsStamps: whether frames lie on the steady clock behind their timestamps, whatever rate the
  ///   camera agreed to; without such a clock, each is at its own timestamp.
  init(
    _ frames: [FrameTiming], nominalInterval: Fraction?, lastInterval: Fraction? = nil,
    followsStamps: Bool = false
  ) {
    let nanoseconds = Self.nanoseconds(of: frames)
    let nominal = nominalInterval.flatMap { Self.believable.contains($0) ? $0 : nil }
    let sequences = Self.sequences(of: frames).map { Self.countingPauses($0, nanoseconds, nominal) }
    let measured = Self.measuredInterval(sequences, nanoseconds)
    self.nominalInterval = nominal
    self.lastInterval = lastInterval.flatMap { Self.believable.contains($0) ? $0 : nil }
    self.sequences = sequences
    self.nanoseconds = nanoseconds
    if followsStamps {
      let fit = sequences.flatMap { FrameClockFit(sequences: $0, timestamps: nanoseconds) }
      gridInterval = fit.flatMap { fit in
        let fitted = Fraction(Int64(clamping: (fit.interval * 1000).rounded()), 1_000_000_000_000)
        return Self.believable.contains(fitted * Fraction(sequences?.last ?? 0)) ? fitted : nil
      }
      interval = gridInterval ?? measured ?? nominal
      return
    }
    let interval = measured.map { Self.agreed(nominal, $0) } ?? nominal
    self.interval = interval
    let isSteady = sequences.map { Self.isSteady($0, nanoseconds) } ?? false
    // If all frames have the same time, the claimed interval is unchecked and may be too long.
    self.gridInterval =
      isSteady
      ? interval.flatMap { Self.believable.contains($0 * Fraction(sequences?.last ?? 0)) ? $0 : nil } : nil
  }

  /// Returns numbers from the first frame; `nil` if one is missing, or if they do not rise.
  private static func sequences(of frames: [FrameTiming]) -> [Int64]? {
    guard let first = frames.first?.sequence else { return nil }
    var sequences: [Int64] = []
    for frame in frames {
      guard let sequence = frame.sequence, sequence >= first else { return nil }
      let (number, overflow) = sequence.subtractingReportingOverflow(first)
      guard !overflow, number < longestCount, number > sequences.last ?? -1 else { return nil }
      sequences.append(number)
    }
    return sequences
  }

  /// Returns the numbers as if the camera had kept counting during pauses: a driver that stalls may number
  /// only the frames that it delivers.
  private static func countingPauses(
    _ sequences: [Int64], _ nanoseconds: [Int64], _ nominal: Fraction?
  ) -> [Int64] {
    guard sequences.count > 2 else { return sequences }
    let steps = zip(sequences, sequences.dropFirst()).map { $1 - $0 }
    let times = zip(nanoseconds, nanoseconds.dropFirst()).map { $1 - $0 }
    let paces = zip(times, steps).map { $0 / $1 }.sorted()
    let usual = paces[paces.count / 2]
    // Of frames that mostly come at the same time as others, times tell no pauses.
    let least = max(1, nominal.map { ($0 * Fraction(1_000_000_000 / 4)).rounded } ?? 1)
    guard usual >= least else { return sequences }
    var missing: Int64 = 0
    var counted = [sequences[0]]
    for (index, (time, step)) in zip(times, steps).enumerated() {
      if let pause = CapturePauses.pause(in: time, over: step, usual: usual) {
        missing += pause.adding(clamping: usual / 2) / usual
      }
      counted.append(sequences[index + 1] + missing)
    }
    return counted.last.map { $0 < longestCount } == true ? counted : sequences
  }

  private static func nanoseconds(of frames: [FrameTiming]) -> [Int64] {
    var latest: Int64 = 0
    return frames.map { frame in
      let (time, overflow) = frame.timestamp.nanoseconds.subtractingReportingOverflow(
        frames[0].timestamp.nanoseconds)
      if !overflow, time < longestTime { latest = max(latest, time) }
      return latest
    }
  }

  /// Returns the mean interval from the first frame to the last, to the picosecond; `nil` if it is not above
  /// zero.
  private static func measuredInterval(_ sequences: [Int64]?, _ nanoseconds: [Int64]) -> Fraction? {
    guard let time = nanoseconds.last, time > 0 else { return nil }
    let steps = sequences?.last ?? Int64(nanoseconds.count - 1)
    let picoseconds = Fraction(1000, steps).scaling(time)
    return picoseconds > 0 ? Fraction(picoseconds, 1_000_000_000_000) : nil
  }

  /// Whether all frames lie near the line between the first and the last.
  private static func isSteady(_ sequences: [Int64], _ nanoseconds: [Int64]) -> Bool {
    guard let steps = sequences.last, let time = nanoseconds.last else { return false }
    let limit = max(2 * Int128(time), Int128(tolerance) * Int128(steps))
    return zip(sequences, nanoseconds).allSatisfy { number, nanosecond in
      (Int128(nanosecond) * Int128(steps) - Int128(number) * Int128(time)).magnitude <= limit.magnitude
    }
  }

  /// Returns the nominal interval if the measured rate is within 1 % of its rate, otherwise the measured one.
  private static func agreed(_ nominal: Fraction?, _ measured: Fraction) -> Fraction {
    guard let nominal else { return measured }
    let left = Int128(nominal.numerator) * Int128(measured.denominator)
    let right = Int128(measured.numerator) * Int128(nominal.denominator)
    return (left - right).magnitude * 100 <= right.magnitude ? nominal : measured
  }
}
