import Takes
import Timebase

/// Where in time the frames of a master sit: on the grid of a camera that kept its beat, or each at its own timestamp.
struct CaptureCadence {
  /// Sensor frames from the first frame, where they were counted throughout, those of pauses included.
  let sequences: [Int64]?
  /// Nanoseconds from the first frame, never falling: what the exact arithmetic in this file goes by.
  private let nanoseconds: [Int64]
  /// The grid's interval in seconds; `nil` where frames sit at their timestamps.
  let gridInterval: Fraction?
  /// Seconds from one sensor frame to the next, in the mean; `nil` where a single frame does not tell.
  let interval: Fraction?
  /// Seconds per frame that the camera agreed to, or that a file states.
  let nominalInterval: Fraction?
  /// Seconds that the last frame is shown, where the file says so.
  let lastInterval: Fraction?

  /// How many frames there are.
  var frameCount: Int { nanoseconds.count }

  /// For each frame, whether frames were lost in front of it, by their numbers, else by their times.
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

  /// The time from a frame to the next where none was lost between them.
  var usualStep: Duration {
    let mean = interval.map { Duration(seconds: $0) } ?? .zero
    guard sequences == nil else { return mean }
    // Frames that nobody counted: lost ones are in the mean, and not in what is in the middle.
    let steps = zip(nanoseconds, nanoseconds.dropFirst()).map { $1 - $0 }.sorted()
    return steps.isEmpty ? mean : .nanoseconds(steps[steps.count / 2])
  }

  /// Seconds from one frame to the next where none was lost between them, in the mean; `nil` where a single frame does
  /// not tell.
  var unbrokenInterval: Fraction? {
    let gaps = gaps
    guard sequences == nil, gaps.contains(true) else { return interval }
    let steps = gaps.indices.dropFirst().filter { !gaps[$0] }.map { nanoseconds[$0] - nanoseconds[$0 - 1] }
    let mean = Fraction(steps.reduce(0, +), 1_000_000_000 * Int64(max(1, steps.count)))
    return mean > Fraction(0) ? mean : interval
  }

  /// When frame `index` was captured, from the first.
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

  /// The terms of what comes from a file are held to these, so that no arithmetic can overflow.
  private static let longestCount: Int64 = 1 << 30
  static let longestTime: Int64 = 1 << 50
  /// The seconds that frames and films may last.
  private static let believable = Fraction(0)...Fraction(longestTime, 1_000_000_000)
  /// A camera may stray from its beat by this much, or by two intervals, and still be steady.
  private static let tolerance: Int64 = 50_000_000

  /// Intervals that no film has are ignored.
  init(_ frames: [FrameTiming], nominalInterval: Fraction?, lastInterval: Fraction? = nil) {
    let nanoseconds = Self.nanoseconds(of: frames)
    let sequences = Self.sequences(of: frames).map { Self.countingPauses($0, nanoseconds) }
    let measured = Self.measuredInterval(sequences, nanoseconds)
    let nominal = nominalInterval.flatMap { Self.believable.contains($0) ? $0 : nil }
    self.nominalInterval = nominal
    self.lastInterval = lastInterval.flatMap { Self.believable.contains($0) ? $0 : nil }
    self.sequences = sequences
    self.nanoseconds = nanoseconds
    let interval = measured.map { Self.agreed(nominal, $0) } ?? nominal
    self.interval = interval
    let isSteady = sequences.map { Self.isSteady($0, nanoseconds) } ?? false
    // Frames whose times stand still have any interval that was claimed.
    self.gridInterval =
      isSteady
      ? interval.flatMap { Self.believable.contains($0 * Fraction(sequences?.last ?? 0)) ? $0 : nil } : nil
  }

  /// Numbers from the first; `nil` where one is missing, or where they do not rise.
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

  /// The numbers as they were had the camera gone on counting while nothing came from it: a driver that stalls may
  /// count the frames that it gave, and those of the time between are missing all the same.
  private static func countingPauses(_ sequences: [Int64], _ nanoseconds: [Int64]) -> [Int64] {
    guard sequences.count > 2 else { return sequences }
    let steps = zip(sequences, sequences.dropFirst()).map { $1 - $0 }
    let times = zip(nanoseconds, nanoseconds.dropFirst()).map { $1 - $0 }
    let paces = zip(times, steps).map { $0 / $1 }.sorted()
    let usual = paces[paces.count / 2]
    guard usual > 0 else { return sequences }
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

  /// The mean from the first frame to the last, to the picosecond; `nil` where it is none.
  private static func measuredInterval(_ sequences: [Int64]?, _ nanoseconds: [Int64]) -> Fraction? {
    guard let time = nanoseconds.last, time > 0 else { return nil }
    let steps = sequences?.last ?? Int64(nanoseconds.count - 1)
    let picoseconds = Fraction(1000, steps).scaling(time)
    return picoseconds > 0 ? Fraction(picoseconds, 1_000_000_000_000) : nil
  }

  /// Whether no frame strays too far from the line between the first and the last.
  private static func isSteady(_ sequences: [Int64], _ nanoseconds: [Int64]) -> Bool {
    guard let steps = sequences.last, let time = nanoseconds.last else { return false }
    let limit = max(2 * Int128(time), Int128(tolerance) * Int128(steps))
    return zip(sequences, nanoseconds).allSatisfy { number, nanosecond in
      (Int128(nanosecond) * Int128(steps) - Int128(number) * Int128(time)).magnitude <= limit.magnitude
    }
  }

  /// The nominal interval where the measured rate is within 1 % of its rate, else the measured one.
  private static func agreed(_ nominal: Fraction?, _ measured: Fraction) -> Fraction {
    guard let nominal else { return measured }
    let left = Int128(nominal.numerator) * Int128(measured.denominator)
    let right = Int128(measured.numerator) * Int128(nominal.denominator)
    return (left - right).magnitude * 100 <= right.magnitude ? nominal : measured
  }
}
