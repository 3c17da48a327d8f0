public import Timebase

/// Which captured frame each frame of a clip shows: exact, whole, and decided before anything is decoded.
///
/// A frame appears at the output frame next to its place in time, and stays until the next appears: where frames were
/// lost, the last one before is held, and time never jumps. The places of a steady camera's frames are whole intervals
/// apart whatever its timestamps' jitter, so that 240 frames per second at speed 1/8 fill 30 with every frame shown once.
public struct Timeline: Hashable, Sendable {
  /// Frames per second of the clip.
  public let outputRate: FrameRate
  /// Capture seconds that pass in one second of the clip.
  public let speed: Fraction
  /// For each captured frame the first output frame that it or a later one fills, and the clip's length at the end.
  private let starts: [Int]

  /// The clip of `frames`, in the order they were captured.
  ///
  /// - Parameters:
  ///   - nominalInterval: seconds per frame that the camera agreed to; believed where its frames' own times are within 1 %
  ///     of it. Without it, or beside it, their mean counts.
  ///   - lastInterval: seconds that the last frame lasts, where they are known and the camera was not steady.
  ///   - speed: how fast the clip plays; `nil` shows every sensor frame for one output frame.
  ///   - outputRate: frames per second of the clip.
  /// - Precondition: the terms of all fractions are below 2^31, as drivers and containers have them.
  public init(
    _ frames: [CapturedFrame], nominalInterval: Fraction? = nil, lastInterval: Fraction? = nil, speed: Speed?,
    outputRate: FrameRate
  ) {
    let pacing = Pacing(frames, nominalInterval: nominalInterval)
    self.outputRate = outputRate
    if let factor = speed?.factor {
      self.speed = factor
      self.starts = Self.placed(pacing, lastInterval, factor, outputRate)
    } else {
      self.speed = Self.speedOfEveryFrameOnce(pacing, outputRate)
      self.starts = Self.everyFrameOnce(frames.count, pacing)
    }
  }

  private static func speedOfEveryFrameOnce(_ pacing: Pacing, _ rate: FrameRate) -> Fraction {
    guard let interval = pacing.interval else { return Fraction(1) }
    return Fraction(
      reducing: Int128(interval.numerator) * Int128(rate.framesPerSecond.numerator),
      Int128(interval.denominator) * Int128(rate.framesPerSecond.denominator))
  }

  private static func everyFrameOnce(_ count: Int, _ pacing: Pacing) -> [Int] {
    guard let sequences = pacing.sequences, let last = sequences.last else { return Array(0...count) }
    return sequences.map { Int($0) } + [Int(last) + 1]
  }

  private static func placed(
    _ pacing: Pacing, _ lastInterval: Fraction?, _ speed: Fraction, _ rate: FrameRate
  ) -> [Int] {
    let unit: Fraction
    let places: [Int64]
    let interval: Int64
    var lastStay: Int64 = 1
    if let grid = pacing.gridInterval, let sequences = pacing.sequences {
      (unit, places, interval) = (grid, sequences, 1)
    } else {
      unit = Fraction(1, 1_000_000_000)
      places = pacing.nanoseconds
      interval = pacing.interval?.scaling(1_000_000_000) ?? 0
      lastStay = lastInterval?.scaling(1_000_000_000) ?? interval
    }
    guard let last = places.last else { return [0] }
    let scale = TickScale(unit: unit, interval: interval, speed, rate)
    // Even the shortest clip has a frame.
    return places.map { scale.tick($0) } + [max(1, scale.tick(last + lastStay))]
  }

  /// How many frames the clip has.
  public var outputFrameCount: Int { starts.last ?? 0 }

  /// Seconds that the clip lasts.
  public var duration: Fraction {
    Fraction(
      reducing: Int128(outputFrameCount) * Int128(outputRate.interval.numerator),
      Int128(outputRate.interval.denominator))
  }

  /// How many frames were captured.
  public var capturedFrameCount: Int { starts.count - 1 }

  /// How many captured frames the clip shows.
  public var shownFrameCount: Int {
    zip(starts, starts.dropFirst()).count { $0 < $1 }
  }

  /// The output frames that show captured frame `index`; empty where it is passed over.
  public func outputFrames(showing index: Int) -> Range<Int> {
    starts[index]..<starts[index + 1]
  }

  /// The captured frame that output frame `outputFrame` shows. Takes time in the logarithm of the frames.
  ///
  /// - Precondition: `outputFrame` is at least 0 and less than ``outputFrameCount``.
  public subscript(outputFrame: Int) -> Int {
    precondition((0..<outputFrameCount).contains(outputFrame), "the clip has no frame \(outputFrame)")
    var (low, high) = (0, starts.count - 1)
    while low + 1 < high {
      let middle = (low + high) / 2
      if starts[middle] <= outputFrame { low = middle } else { high = middle }
    }
    return low
  }
}

/// Turns places in captured time into output frames, in one exact fraction that need not be in lowest terms.
private struct TickScale {
  private let numerator: Int128
  private let denominator: Int128
  private let leeway: Int128

  /// - Parameters:
  ///   - unit: seconds of one unit of captured time.
  ///   - interval: units from one captured frame to the next.
  init(unit: Fraction, interval: Int64, _ speed: Fraction, _ rate: FrameRate) {
    let rate = rate.framesPerSecond
    numerator = Int128(unit.numerator) * Int128(rate.numerator) * Int128(speed.denominator)
    denominator = Int128(unit.denominator) * Int128(rate.denominator) * Int128(speed.numerator)
    leeway = min(denominator, Int128(interval) * numerator)
  }

  /// The first output frame that shows a frame captured at `units`.
  ///
  /// A frame may appear early by half an output frame, or by half a captured one where those are shorter: timestamps
  /// that are rounded or jitter a little neither skip nor repeat a frame then.
  func tick(_ units: Int64) -> Int {
    let early = 2 * Int128(units) * numerator - leeway
    return early <= 0 ? 0 : Int(clamping: (early - 1) / (2 * denominator) + 1)
  }
}
