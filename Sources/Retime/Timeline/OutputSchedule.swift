import Timebase

/// The places of captured frames in a clip, as whole numbers of a unit; an output frame is a whole number of
/// units.
///
/// At a constant speed, the unit makes every place exact. For curves it is that of ``SpeedIntegral``, in
/// which places are rounded far below anything visible.
struct OutputSchedule {
  /// The place at which each frame appears.
  private(set) var arrivals: [Int128] = []
  /// The place at which each frame begins to give way to the next: its arrival, or the end of a freeze on it.
  private(set) var departures: [Int128] = []
  /// The amount by which each frame may appear early, in half units.
  private(set) var leeways: [Int128] = []
  /// The places at which the clip begins and ends.
  private(set) var start: Int128 = 0
  private(set) var end: Int128 = 0
  /// Units per output frame.
  let unitsPerFrame: Int128
  /// The time after its place for which a captured frame is shown alone.
  private var lateness: Int128 = 0

  private init(unitsPerFrame: Int128) { self.unitsPerFrame = unitsPerFrame }

  /// Returns the first output frame at or after `place`, or up to `leeway` half units before it.
  func outputFrame(_ place: Int128, leeway: Int128) -> Int {
    let early = 2 * (place - start) - leeway
    return early <= 0 ? 0 : Int(clamping: (early - 1) / (2 * unitsPerFrame) + 1)
  }

  /// Returns the position of output frame `number` between frame `index` and the later frame `next`, in
  /// 256ths.
  func share(_ number: Int, from index: Int, to next: Int) -> Int {
    guard next < arrivals.count else { return 0 }
    let way = arrivals[next] - departures[index]
    let gone = start + Int128(number) * unitsPerFrame - departures[index]
    guard gone > min(lateness, way / 8), way > 0 else { return 0 }
    // An output frame that shows the next frame is found by that frame's leeway; this is not one.
    return min(255, Int((gone.scaled(by: 512, over: way) + 1) / 2))
  }
}

extension OutputSchedule {
  /// Schedules frames at `speed`; without one, every sensor frame once.
  init(
    _ cadence: CaptureCadence, speed: SpeedCurve?, rate: FrameRate, _ fill: Fill, _ span: ClipSpan
  ) {
    switch (speed, speed?.constant) {
    case (_, let constant?):
      self.init(cadence, speed: constant.factor, rate: rate, fill, span)
    case (let curve?, _):
      self.init(cadence, curve: curve, rate: rate, fill, span)
    default: self.init(counting: cadence, fill, span)
    }
  }

  /// Schedules each sensor frame on its own output frame, whatever its capture time.
  init(counting cadence: CaptureCadence, _ fill: Fill, _ span: ClipSpan) {
    self.init(unitsPerFrame: 1)
    let count = cadence.frameCount
    let counted = fill == .skip ? nil : cadence.sequences
    arrivals = counted?.map { Int128($0) } ?? (0..<count).map { Int128($0) }
    departures = arrivals
    let full = (arrivals.last ?? -1) + 1
    func place(_ time: Duration) -> Int128 {
      (0..<count).first { cadence.captureTime($0) >= time }.map { arrivals[$0] } ?? full
    }
    start = place(span.start)
    end = span.end.map(place) ?? full
    leeways = Array(repeating: 0, count: count + 1)
    setFades(fill, lastLeeway: 0)
  }

  /// Schedules frames at a constant speed, exactly.
  init(
    _ cadence: CaptureCadence, speed: Fraction, rate: FrameRate, _ fill: Fill, _ span: ClipSpan
  ) {
    let rate = rate.framesPerSecond
    let unit: Fraction
    let moments: [Int64]
    let interval: Int64
    var lastStay: Int64 = 1
    if let grid = cadence.gridInterval, let sequences = cadence.sequences {
      (unit, moments, interval) = (grid, sequences, 1)
    } else {
      unit = Fraction(1, 1_000_000_000)
      moments = (0..<cadence.frameCount).map { cadence.captureTime($0).wholeNanoseconds }
      interval = cadence.interval?.scaling(1_000_000_000) ?? 0
      lastStay =
        cadence.lastInterval?.scaling(1_000_000_000)
        ?? (fill == .skip ? cadence.usualStep.wholeNanoseconds : interval)
    }
    let numerator = Int128(unit.numerator) * Int128(rate.numerator) * Int128(speed.denominator)
    let denominator = Int128(unit.denominator) * Int128(rate.denominator) * Int128(speed.numerator)
    self.init(unitsPerFrame: denominator)
    arrivals = moments.map { Int128($0) * numerator }
    departures = arrivals
    let stay = Int128(interval) * numerator
    let shortStay =
      cadence.gridInterval == nil ? Int128(cadence.usualStep.wholeNanoseconds) * numerator : stay
    close(cadence.gaps, fill, span, stays: { _ in shortStay }, last: Int128(lastStay) * numerator) {
      time in
      let moment = time.inSeconds / unit
      return Int128(moment.numerator).scaled(by: numerator, over: Int128(moment.denominator))
    }
    leeways = Array(repeating: min(denominator, stay), count: arrivals.count + 1)
    setFades(fill, lastLeeway: min(denominator, stay))
  }

  /// Schedules frames at the speeds of `curve`.
  ///
  /// - Parameter clock: returns the time of the curve at a moment of the camera's own; by default, the same.
  init(
    _ cadence: CaptureCadence, curve: SpeedCurve, rate: FrameRate, _ fill: Fill, _ span: ClipSpan,
    on clock: (Int128) -> Int128 = { $0 }
  ) {
    let integral = SpeedIntegral(curve)
    let rate = rate.framesPerSecond
    let (numerator, unitsPerFrame) = (
      Int128(rate.numerator), Int128(rate.denominator) << SpeedIntegral.fractionBits
    )
    self.init(unitsPerFrame: unitsPerFrame)
    let moments = cadence.moments.map(clock)
    let interval = cadence.interval.map { SpeedIntegral.moment($0) } ?? 0
    let lastStay = cadence.lastStay
    arrivals = moments.map { integral($0) * numerator }
    // A freeze applies to the last frame at or before it.
    departures = moments.indices.map { index in
      let next = index + 1 < moments.count ? moments[index + 1] : moments[index] + lastStay
      return (integral.flowing(moments[index]) + integral.frozen(before: next)) * numerator
    }
    let stays = moments.map { (integral.flowing($0 + interval) - integral.flowing($0)) * numerator }
    let lastWay = moments.last.map { (integral($0 + lastStay) - integral($0)) * numerator } ?? 0
    let step = cadence.gridInterval == nil ? SpeedIntegral.moment(cadence.usualStep) : interval
    close(
      cadence.gaps, fill, span,
      stays: { (integral.flowing(moments[$0] + step) - integral.flowing(moments[$0])) * numerator },
      last: lastWay
    ) { time in
      integral(SpeedIntegral.moment(time)) * numerator
    }
    leeways = stays.map { min(unitsPerFrame, $0) }
    leeways.append(leeways.last ?? 0)
    setFades(fill, lastLeeway: leeways.last ?? 0)
  }

  /// Sets the start and end of the clip, and removes the time of lost frames if they are skipped.
  ///
  /// - Parameters:
  ///   - gaps: whether frames were lost in front of each frame.
  ///   - stays: returns how long each frame would stay if the next were not lost.
  ///   - last: how long the last one stays.
  ///   - place: returns the place of a capture time.
  private mutating func close(
    _ gaps: [Bool], _ fill: Fill, _ span: ClipSpan, stays: (Int) -> Int128, last: Int128,
    place: (Duration) -> Int128
  ) {
    guard let lastArrival = arrivals.last else { return }
    let full = lastArrival + last
    let from = min(place(span.start), full)
    let to = span.end.map { min(place($0), full) } ?? full
    (start, end) = (from, to)
    guard fill == .skip else { return }
    var skipped: Int128 = 0
    for index in arrivals.indices {
      if gaps[index] {
        // A freeze on the frame before the gap is not lost time.
        let gapStart = min(arrivals[index], departures[index - 1] + skipped + stays(index - 1))
        start -= max(0, min(from, arrivals[index]) - gapStart)
        end -= max(0, min(to, arrivals[index]) - gapStart)
        skipped += arrivals[index] - gapStart
      }
      arrivals[index] -= skipped
      departures[index] -= skipped
    }
  }

  /// Lets a frame appear as soon as no visible part of the frame before it remains.
  private mutating func setFades(_ fill: Fill, lastLeeway: Int128) {
    guard fill.isInterpolated else { return }
    // Interpolated pictures look softer than captured ones, and an eighth of a frame's time is invisible.
    if fill == .flow { lateness = unitsPerFrame / 8 }
    leeways =
      [0]
      + arrivals.indices.dropFirst().map {
        let way = arrivals[$0] - departures[$0 - 1]
        return max(way / 256, 2 * min(lateness, way / 8))
      } + [lastLeeway]
  }
}

extension CaptureCadence {
  /// The moments of its frames, from the first, in the unit of ``SpeedIntegral``.
  var moments: [Int128] {
    guard let gridInterval, let sequences else {
      return (0..<frameCount).map { SpeedIntegral.moment(captureTime($0)) }
    }
    return sequences.map {
      SpeedIntegral.moment(Int128($0) * Int128(gridInterval.numerator), Int128(gridInterval.denominator))
    }
  }

  /// The time for which the last frame is shown, in the same unit.
  var lastStay: Int128 {
    let last = (gridInterval == nil ? lastInterval : nil) ?? interval
    return last.map { SpeedIntegral.moment($0) } ?? 0
  }
}

extension Int128 {
  /// Returns `self * factor / divisor`, none below zero and the result within 128 bits; rounded towards zero.
  fileprivate func scaled(by factor: Int128, over divisor: Int128) -> Int128 {
    let product = magnitude.multipliedFullWidth(by: factor.magnitude)
    guard product.high < divisor.magnitude else { return Int128.max / 8 }
    let quotient = divisor.magnitude.dividingFullWidth(product).quotient
    return Int128(clamping: quotient) > Int128.max / 8 ? Int128.max / 8 : Int128(quotient)
  }
}
