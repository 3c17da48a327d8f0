import Glibc

/// A detector of sudden sounds: a clap, a shot, a plucked string.
///
/// Three rules tell them from noise, speech and music, by the energy of each millisecond in a band:
///
/// - it is ``level`` dB above the noise floor, which follows the sounds of the last half second;
/// - it is 10 dB above the loudest of the 25 milliseconds that ended two milliseconds before: speech and music
///   rise more slowly, or from pulse to pulse;
/// - it is at its loudest, to 3 dB, within two milliseconds, and not later in the 40 ms that follow.
///
/// The onset is then the sample that most likely separates the noise from the sound. A plain value.
struct OnsetDetector {
  /// The decibels above the noise floor that a sound needs.
  let level: Double

  /// The samples of a cell: a quarter of a millisecond.
  private let cellSize: Int
  private let channels: Int
  private var filters: [BandFilter]
  private let filter: BandFilter

  /// The number of the next sample.
  private var position: Int64?
  /// The energy of the latest samples, by their number modulo the count.
  private var samples: [Double]
  private var cellEnergy = 0.0
  private var cellCount = 0
  /// The energy of the latest cells, the newest last.
  private var cells: [Double] = []
  /// The energy of the milliseconds that end with each of the latest cells, the newest last.
  private var windows: [Double] = []
  /// The energy of the milliseconds from which the floor is learnt at first; `nil` once it is known.
  private var lesson: [Double]? = []
  /// The mean energy of a sample of noise.
  private var floor = 0.0
  /// The number of cells in which no sound can begin.
  private var rest = 0
  private var candidate: Candidate?

  /// A sound that may still prove to be a slow one.
  private struct Candidate {
    /// The number of its first sample.
    var onset: Int64
    /// The energy of its loudest first millisecond.
    var attack: Double
    /// The number of cells since it was found.
    var age = 0
  }

  private static let cellsPerMillisecond = 4
  /// The milliseconds after which a sound must be loudest, and from which it must stand out.
  private static let attack = 2 * cellsPerMillisecond
  private static let before = 25 * cellsPerMillisecond
  private static let after = 40 * cellsPerMillisecond
  /// The time from the onset until another sound counts, in which the first one echoes.
  private static let echo = 250 * cellsPerMillisecond
  /// The time after missing samples in which the detector listens only.
  private static let settling = 50 * cellsPerMillisecond
  /// The time in which the noise floor is learnt at first, and the time constant with which it follows.
  private static let learning = 500 * cellsPerMillisecond
  /// The energy below which nothing counts as noise, as digital silence is no measure: -80 dBFS.
  private static let leastFloor = 1e-8
  /// The ratios of energies of 10, 6 and 3 dB.
  private static let (tenDecibels, sixDecibels, threeDecibels) = (10.0, 4.0, 2.0)

  /// Creates a detector.
  ///
  /// - Parameters:
  ///   - level: The decibels above the noise floor that a sound needs.
  ///   - band: The frequencies in hertz that count.
  ///   - rate: Samples per second.
  ///   - channels: The numbers per sample.
  init(level: Double, band: ClosedRange<Double>, rate: Int, channels: Int) {
    self.level = level
    self.channels = max(1, channels)
    cellSize = max(1, rate / 1000 / Self.cellsPerMillisecond)
    filter = BandFilter(band, rate: rate)
    filters = Array(repeating: filter, count: self.channels)
    samples = Array(repeating: 0, count: cellSize * Self.attack * 2)
  }

  /// Whether the noise floor is known.
  var isReady: Bool { lesson == nil }

  /// Adds `count` samples, the first of which has the number `first`. Returns the numbers of the samples with
  /// which sounds began; they are reported 40 ms later.
  ///
  /// - Parameter value: Returns the number at an index of the interleaved samples, from -1 to 1.
  mutating func hear(_ count: Int, from first: Int64, _ value: (Int) -> Double) -> [Int64] {
    if let position, first != position { settle() }
    position = first
    var onsets: [Int64] = []
    for sample in 0..<count {
      var energy = 0.0
      for channel in 0..<channels {
        let filtered = filters[channel].pass(value(sample * channels + channel))
        energy += filtered * filtered
      }
      // A number that is none would stay in the filters.
      if !energy.isFinite {
        energy = 0
        settle()
      }
      if let onset = enter(energy / Double(channels), first + Int64(sample)) { onsets.append(onset) }
    }
    position = first + Int64(count)
    return onsets
  }

  /// Starts anew after missing samples, which sound like a click, but keeps the noise floor.
  private mutating func settle() {
    filters = Array(repeating: filter, count: channels)
    (cellEnergy, cellCount) = (0, 0)
    (cells, windows) = ([], [])
    candidate = nil
    rest = Self.settling
  }

  /// Adds the energy of a sample. Returns the onset of a sound that has proven to be sudden.
  private mutating func enter(_ energy: Double, _ number: Int64) -> Int64? {
    samples[Int(number.magnitude % UInt64(samples.count))] = energy
    cellEnergy += energy
    cellCount += 1
    guard cellCount == cellSize else { return nil }
    let cell = cellEnergy / Double(cellSize)
    (cellEnergy, cellCount) = (0, 0)
    return enter(cell: cell, endingWith: number)
  }

  private mutating func enter(cell: Double, endingWith number: Int64) -> Int64? {
    cells.append(cell)
    if cells.count > Self.cellsPerMillisecond { cells.removeFirst() }
    let window = cells.reduce(0, +) / Double(cells.count)
    let most = Self.attack + Self.before
    if windows.count >= 4 * most { windows.removeFirst(windows.count - most) }
    windows.append(window)
    learn(window)
    guard isReady else { return nil }
    if rest > 0 { rest -= 1 }
    let proven = prove(window)
    // A louder sound within the first milliseconds replaces the candidate; its echoes do not.
    if candidate.map({ $0.age <= Self.attack }) ?? true,
      let sound = begin(with: window, endingWith: number)
    {
      candidate = sound
    }
    return proven
  }

  /// Adjusts the noise floor to a millisecond.
  private mutating func learn(_ window: Double) {
    guard var lesson else {
      // A sound counts as four times the floor at most: a clap hardly raises it, and music does in a second.
      floor += (min(window, Self.sixDecibels * floor) - floor) / Double(Self.learning)
      floor = max(floor, Self.leastFloor)
      return
    }
    lesson.append(window)
    if lesson.count >= Self.learning {
      // The median, as a click during the lesson is not noise.
      floor = max(lesson.sorted()[lesson.count / 2], Self.leastFloor)
      self.lesson = nil
    } else {
      self.lesson = lesson
    }
  }

  /// Returns the sound that seems to begin in the latest millisecond; `nil` if none does.
  private func begin(with window: Double, endingWith number: Int64) -> Candidate? {
    guard rest == 0, windows.count > Self.attack, window >= floor * pow(10, level / 10) else { return nil }
    let end = windows.count - Self.attack
    let loudest = windows[max(0, end - Self.before)..<end].reduce(0, max)
    guard window >= Self.tenDecibels * loudest else { return nil }
    let onset = onset(endingWith: number, noise: max(floor, loudest / 2), sound: window)
    return Candidate(onset: onset, attack: window)
  }

  /// Returns the number of the sample that most likely separates noise from sound, by the energies of both.
  private func onset(endingWith number: Int64, noise: Double, sound: Double) -> Int64 {
    let gain = (1 - noise / sound) / noise
    let cost = log(sound / noise)
    var (sum, least) = (0.0, 0.0)
    let first = number - Int64(samples.count) + 1
    var onset = first
    for sample in first...number {
      sum += samples[Int(sample.magnitude % UInt64(samples.count))] * gain - cost
      if sum < least { (least, onset) = (sum, sample + 1) }
    }
    return min(onset, number)
  }

  /// Follows the candidate for another cell. Returns its onset once it has proven to be sudden.
  private mutating func prove(_ window: Double) -> Int64? {
    guard var sound = candidate else { return nil }
    if sound.age <= Self.attack {
      sound.attack = max(sound.attack, window)
    } else if window > Self.threeDecibels * sound.attack {
      // It is still rising: speech, music, or the noise before another sound.
      candidate = nil
      return nil
    }
    guard sound.age >= Self.after else {
      sound.age += 1
      candidate = sound
      return nil
    }
    candidate = nil
    rest = Self.echo - Self.after
    return sound.onset
  }
}
