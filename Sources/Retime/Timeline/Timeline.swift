package import Timebase

/// Which captured frame each frame of a clip shows: exact, whole, and decided before anything is decoded.
///
/// A frame appears at the output frame next to its place in time, and stays until the next appears: where frames were
/// lost, the last one before is held, and time never jumps. The places of a steady camera's frames are whole intervals
/// apart whatever its timestamps' jitter, so that 240 frames per second at speed 1/8 fill 30 with every frame shown once.
package struct Timeline: Sendable {
  /// Frames per second of the clip.
  package let outputRate: FrameRate
  /// Capture seconds that pass in one second of the clip; by a curve, in the mean.
  package let speed: Fraction
  /// Seconds from the film's first frame to the end of its last.
  package let capturedDuration: Fraction
  /// Seconds from one sensor frame to the next, in the mean; `nil` where a single frame does not tell.
  package let capturedInterval: Fraction?
  /// How many captured frames belong to the part of the film that the clip shows.
  package let spanFrameCount: Int
  /// For each captured frame the first output frame that it or a later one fills, and the clip's length at the end.
  private let starts: [Int]
  /// Where frames lie in the clip, where they fade.
  private let fades: OutputSchedule?

  /// The clip of `frames`, in the order they were captured.
  ///
  /// - Parameters:
  ///   - frames: the captured frames, with their numbers and times.
  ///   - nominalInterval: seconds per frame that the camera agreed to; believed where its frames'
  ///     own times are within 1 % of it. Without it, or beside it, their mean counts.
  ///   - lastInterval: seconds that the last frame lasts, where they are known and the camera was
  ///     not steady.
  ///   - speed: how fast the clip plays; `nil` shows every sensor frame for one output frame.
  ///   - outputRate: frames per second of the clip.
  ///   - fill: what it shows where there is no frame.
  ///   - span: the part of the film that it shows.
  /// - Precondition: the terms of `outputRate` and of a constant speed are below 2^31, as containers
  ///   have them. Of the intervals, those that no film has are ignored.
  package init(
    _ frames: [FrameTiming], nominalInterval: Fraction? = nil, lastInterval: Fraction? = nil,
    speed: SpeedCurve?, outputRate: FrameRate, fill: Fill = .hold, span: ClipSpan = .whole
  ) {
    self.init(
      CaptureCadence(frames, nominalInterval: nominalInterval, lastInterval: lastInterval), speed: speed,
      outputRate: outputRate, fill: fill, span: span)
  }

  /// The clip of the frames of `cadence`.
  init(
    _ cadence: CaptureCadence, speed: SpeedCurve?, outputRate: FrameRate, fill: Fill = .hold,
    span: ClipSpan = .whole
  ) {
    let span = span.heldToFilms
    let schedule = OutputSchedule(cadence, speed: speed, rate: outputRate, fill, span)
    let starts = Self.starts(schedule)
    self.outputRate = outputRate
    capturedInterval = cadence.unbrokenInterval
    spanFrameCount = Self.spanFrameCount(schedule)
    self.capturedDuration = cadence.duration
    self.speed =
      if let constant = speed?.constant {
        constant.factor
      } else if speed == nil {
        Self.speedOfEveryFrameOnce(cadence, outputRate)
      } else {
        Self.meanSpeed(capturedDuration, span, outputRate, frameCount: starts.last ?? 0)
      }
    self.starts = starts
    self.fades = fill.isInterpolated ? schedule : nil
  }

  private static func spanFrameCount(_ schedule: OutputSchedule) -> Int {
    // The clip begins with the frame that is visible then.
    let first = schedule.arrivals.lastIndex { $0 <= schedule.start } ?? 0
    let next = schedule.arrivals.firstIndex { $0 >= schedule.end } ?? schedule.arrivals.count
    return max(0, next - first)
  }

  private static func starts(_ schedule: OutputSchedule) -> [Int] {
    guard !schedule.arrivals.isEmpty else { return [0] }
    let next = schedule.arrivals.firstIndex { $0 >= schedule.end } ?? schedule.arrivals.count
    // Even the shortest clip has a frame. A frame that others fade into may appear earlier than the clip may end.
    let leeway = min(schedule.leeways[next], schedule.unitsPerFrame)
    let end = max(1, schedule.outputFrame(schedule.end, leeway: leeway))
    // Where a clip slows down at once, a frame may appear earlier by more than it comes after the one
    // before it.
    var latest = 0
    let starts = zip(schedule.arrivals, schedule.leeways).map { arrival, leeway in
      latest = max(latest, min(end, schedule.outputFrame(arrival, leeway: leeway)))
      return latest
    }
    return starts + [end]
  }

  private static func speedOfEveryFrameOnce(_ cadence: CaptureCadence, _ rate: FrameRate) -> Fraction {
    guard let interval = cadence.interval else { return Fraction(1) }
    return Fraction(
      reducing: Int128(interval.numerator) * Int128(rate.framesPerSecond.numerator),
      Int128(interval.denominator) * Int128(rate.framesPerSecond.denominator))
  }

  private static func meanSpeed(
    _ captured: Fraction, _ span: ClipSpan, _ rate: FrameRate, frameCount: Int
  ) -> Fraction {
    let end = min(captured, span.end?.inSeconds ?? captured)
    let shown = end - span.start.inSeconds
    guard shown > Fraction(0), frameCount > 0 else { return Fraction(1) }
    return shown / (Fraction(Int64(clamping: frameCount)) * rate.interval)
  }

  /// Captured frames for each second of the clip, in the mean and were none lost; `nil` where a
  /// single frame does not tell.
  var capturedRate: Fraction? {
    capturedInterval.flatMap { $0 > Fraction(0) ? speed / $0 : nil }
  }

  /// How many frames the clip has.
  package var outputFrameCount: Int { starts.last ?? 0 }

  /// Seconds that the clip lasts.
  package var duration: Fraction {
    Fraction(
      reducing: Int128(outputFrameCount) * Int128(outputRate.interval.numerator),
      Int128(outputRate.interval.denominator))
  }

  /// How many frames were captured.
  package var capturedFrameCount: Int { starts.count - 1 }

  /// How many captured frames the clip shows.
  var shownFrameCount: Int { (0..<capturedFrameCount).count(where: isShown) }

  /// Whether the clip shows captured frame `index`, if only as it fades in.
  package func isShown(_ index: Int) -> Bool {
    if !outputFrames(showing: index).isEmpty { return true }
    guard fades != nil, index > 0, let last = outputFrames(showing: index - 1).last else { return false }
    return share(ofNextIn: last) > 0
  }

  /// The last captured frame that the clip shows; `nil` of none.
  package var lastShownFrame: Int? { (0..<capturedFrameCount).last { isShown($0) } }

  /// The output frames that show captured frame `index`, or its fading into the next; empty where it is passed over.
  package func outputFrames(showing index: Int) -> Range<Int> {
    starts[index]..<starts[index + 1]
  }

  /// How far output frame `outputFrame` is on the way to the next captured frame, in 256ths; above 0 with ``Fill/blend``
  /// and ``Fill/flow`` alone, and then rising while a captured frame is shown.
  package func share(ofNextIn outputFrame: Int) -> Int {
    let index = self[outputFrame]
    return share(of: outputFrame, from: index, to: index + 1)
  }

  /// The same on the way from captured frame `index` to `next`, where those between cannot be shown.
  func share(of outputFrame: Int, from index: Int, to next: Int) -> Int {
    fades?.share(outputFrame, from: index, to: next) ?? 0
  }

  /// The captured frame that output frame `outputFrame` shows. Takes time in the logarithm of the frames.
  ///
  /// - Precondition: `outputFrame` is at least 0 and less than ``outputFrameCount``.
  package subscript(outputFrame: Int) -> Int {
    precondition((0..<outputFrameCount).contains(outputFrame), "the clip has no frame \(outputFrame)")
    var (low, high) = (0, starts.count - 1)
    while low + 1 < high {
      let middle = (low + high) / 2
      if starts[middle] <= outputFrame { low = middle } else { high = middle }
    }
    return low
  }
}
