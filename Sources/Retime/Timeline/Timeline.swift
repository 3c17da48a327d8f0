package import Timebase

/// The mapping from a clip's frames to captured frames: exact, and complete before anything is decoded.
///
/// A frame appears at the output frame nearest to its place in time, and stays until the next appears: across
/// lost frames, the last one before is held, and time never jumps. The places of a steady camera's frames are
/// whole intervals apart despite jitter in its timestamps, so that 240 frames per second at speed 1/8 fill 30
/// with every frame shown once.
package struct Timeline: Sendable {
  /// Frames per second of the clip.
  package let outputRate: FrameRate
  /// Capture seconds in one second of the clip; for a curve, the mean.
  package let speed: Fraction
  /// Seconds from the source's first frame to the end of its last.
  package let capturedDuration: Fraction
  /// The mean interval between sensor frames in seconds, without gaps; `nil` if unknown.
  package let capturedInterval: Fraction?
  /// The number of captured frames in the part of the source that the clip shows.
  package let spanFrameCount: Int
  /// The first output frame that each captured frame or a later one fills, followed by the clip's length.
  private let starts: [Int]
  /// The places of frames in the clip, if it interpolates; otherwise `nil`.
  private let fades: OutputSchedule?

  /// Creates the timeline of a clip of `frames`, in the order in which they were captured.
  ///
  /// - Parameters:
  ///   - frames: the captured frames, with their numbers and times.
  ///   - nominalInterval: seconds per frame that the camera agreed to; used if the frames' own times are
  ///     within 1 % of it. Otherwise, or without it, their mean is used.
  ///   - lastInterval: seconds that the last frame lasts, if known; used if the camera was not steady.
  ///   - speed: the speed of the clip; `nil` shows every sensor frame for one output frame.
  ///   - outputRate: frames per second of the clip.
  ///   - fill: the pictures shown where there is no frame.
  ///   - span: the part of the source to show.
  /// - Precondition: the terms of `outputRate` and of a constant speed are below 2^31, as in containers.
  ///   Impossible intervals are ignored.
  package init(
    _ frames: [FrameTiming], nominalInterval: Fraction? = nil, lastInterval: Fraction? = nil,
    speed: SpeedCurve?, outputRate: FrameRate, fill: Fill = .hold, span: ClipSpan = .whole
  ) {
    self.init(
      CaptureCadence(frames, nominalInterval: nominalInterval, lastInterval: lastInterval), speed: speed,
      outputRate: outputRate, fill: fill, span: span)
  }

  /// Creates the timeline of a clip of the frames of `cadence`.
  init(
    _ cadence: CaptureCadence, speed: SpeedCurve?, outputRate: FrameRate, fill: Fill = .hold,
    span: ClipSpan = .whole
  ) {
    let span = span.heldToVideos
    let schedule = OutputSchedule(cadence, speed: speed, rate: outputRate, fill, span)
    self.init(schedule, cadence, speed, outputRate, fill, span)
  }

  /// Creates the timeline of a clip of the frames of `cadence`, whose places are scheduled.
  ///
  /// - Parameter frameCount: the number of frames in the clip; `nil` for as many as `span` fills.
  init(
    _ schedule: OutputSchedule, _ cadence: CaptureCadence, _ speed: SpeedCurve?, _ outputRate: FrameRate,
    _ fill: Fill, _ span: ClipSpan, frameCount: Int? = nil
  ) {
    let starts = Self.starts(schedule, frameCount)
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
    // The clip begins with the frame that is visible at its start.
    let first = schedule.arrivals.lastIndex { $0 <= schedule.start } ?? 0
    let next = schedule.arrivals.firstIndex { $0 >= schedule.end } ?? schedule.arrivals.count
    return max(0, next - first)
  }

  private static func starts(_ schedule: OutputSchedule, _ frameCount: Int?) -> [Int] {
    guard !schedule.arrivals.isEmpty else { return [0] }
    let next = schedule.arrivals.firstIndex { $0 >= schedule.end } ?? schedule.arrivals.count
    // Even the shortest clip has a frame. A frame that others fade into may appear earlier than the clip may
    // end.
    let leeway = min(schedule.leeways[next], schedule.unitsPerFrame)
    let end = frameCount ?? max(1, schedule.outputFrame(schedule.end, leeway: leeway))
    // If a clip slows down abruptly, a frame's leeway may exceed its distance from the frame before it.
    var latest = 0
    let starts = zip(schedule.arrivals, schedule.leeways).map { arrival, leeway in
      latest = max(latest, min(end, schedule.outputFrame(arrival, leeway: leeway)))
      return latest
    }
    return starts + [end]
  }

  static func speedOfEveryFrameOnce(_ cadence: CaptureCadence, _ rate: FrameRate) -> Fraction {
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

  /// The mean number of captured frames per second of the clip, if none were lost; `nil` if unknown.
  var capturedRate: Fraction? {
    capturedInterval.flatMap { $0 > Fraction(0) ? speed / $0 : nil }
  }

  /// The number of frames in the clip.
  package var outputFrameCount: Int { starts.last ?? 0 }

  /// The clip's length in seconds.
  package var duration: Fraction { duration(ofFrames: outputFrameCount) }

  /// Returns the length in seconds of `count` frames of the clip.
  func duration(ofFrames count: Int) -> Fraction {
    Fraction(
      reducing: Int128(count) * Int128(outputRate.interval.numerator),
      Int128(outputRate.interval.denominator))
  }

  /// The number of captured frames.
  package var capturedFrameCount: Int { starts.count - 1 }

  /// The number of captured frames that the clip shows.
  var shownFrameCount: Int { (0..<capturedFrameCount).count(where: isShown) }

  /// Whether the clip shows captured frame `index`, even if only blended with another.
  package func isShown(_ index: Int) -> Bool {
    if !outputFrames(showing: index).isEmpty { return true }
    guard fades != nil, index > 0, let last = outputFrames(showing: index - 1).last else { return false }
    return share(ofNextIn: last) > 0
  }

  /// The last captured frame that the clip shows; `nil` if there is none.
  package var lastShownFrame: Int? { (0..<capturedFrameCount).last { isShown($0) } }

  /// Returns the output frames that show captured frame `index`, or its transition into the next; empty if it
  /// is skipped.
  package func outputFrames(showing index: Int) -> Range<Int> {
    starts[index]..<starts[index + 1]
  }

  /// Returns the position of output frame `outputFrame` on the way to the next captured frame, in 256ths. It
  /// is above 0 only with ``Fill/blend`` and ``Fill/flow``, and then rises while a captured frame is shown.
  package func share(ofNextIn outputFrame: Int) -> Int {
    let index = self[outputFrame]
    return share(of: outputFrame, from: index, to: index + 1)
  }

  /// Returns the same from captured frame `index` to `next`, if those between cannot be shown.
  func share(of outputFrame: Int, from index: Int, to next: Int) -> Int {
    fades?.share(outputFrame, from: index, to: next) ?? 0
  }

  /// Returns the captured frame that output frame `outputFrame` shows. The time is logarithmic in the number
  /// of frames.
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
