import Glibc

/// The places of one camera on the clock of another that the flashes seen by both allow: points that are as dense as the
/// places are likely.
///
/// An end of a flash lies between two rows of each camera, anywhere there, so each flash allows only the places at which
/// the two spans overlap, and those with a long overlap rather than others. The rows between which an end lies may be far
/// apart, as at the border of two frames; a fit to the middle of such spans would tell less.
struct FlashPosterior {
  /// The offset at the mean time of the flashes and the difference of the clocks, in nanoseconds and millionths, and the
  /// line times of the camera and of the reference, as parts of the longest ones.
  typealias Point = SIMD4<Double>

  /// The points that are drawn, and those before them that are left out: they lead from the start to likely places.
  private static let (drawn, skipped) = (4000, 1000)
  private struct Flash {
    let (own, reference): (SeenFlashes.End, SeenFlashes.End)
    /// The time by the camera's clock, from the mean of all.
    let time: Double
    /// Flashes at the same rows count as one: they may be those of a strobe in step with the cameras.
    let weight: Double
  }

  private let flashes: [Flash]
  /// The longest line times, and whether flashes ended within frames, of the camera and of the reference.
  private let longest: (own: Double, reference: Double)
  private let isRolling: (own: Bool, reference: Bool)
  /// The standard deviation of the difference of the clocks before flashes are compared, in millionths.
  private let clockDeviation: Double
  /// The mean time of the flashes by the camera's clock.
  private let mean: Double
  private var points: [Point] = []

  /// Draws the points for flashes of the same number.
  init(_ camera: SeenFlashes, on reference: SeenFlashes) {
    longest = (camera.longestLine, reference.longestLine)
    isRolling = (camera.countWithinFrames > 0, reference.countWithinFrames > 0)
    clockDeviation = hypot(OffsetEstimate.usualDeviation, hypot(camera.rateError, reference.rateError) / 2)
    let times = camera.ends.map(\.time)
    let mean = times.reduce(0, +) / Double(max(1, times.count))
    self.mean = mean
    let rows = zip(camera.ends, reference.ends).map { [$0.litRow, $0.darkRow, $1.litRow, $1.darkRow] }
    flashes = zip(camera.ends, reference.ends).enumerated().map { place, ends in
      Flash(
        own: ends.0, reference: ends.1, time: ends.0.time - mean,
        weight: 1 / Double(rows.count { $0 == rows[place] }))
    }
    draw()
  }

  /// Moves along random lines, each time to a point of the line that is drawn by its density.
  private mutating func draw() {
    var numbers = Numbers()
    let apart = flashes.map { $0.reference.time - $0.own.time }
    var point = Point(apart.reduce(0, +) / Double(max(1, apart.count)), 0, 0.75, 0.75)
    let step = Point(longest.own * 200, clockDeviation, 0.2, 0.2)
    var history: [Point] = []
    for number in 0..<Self.skipped + Self.drawn {
      // At first, spans that do not overlap are likely too, so that there is a way to the likely places.
      let softness = SeenFlashes.leastError * exp(10 * max(0, 1 - 2 * Double(number) / Double(Self.skipped)))
      var direction = Point.zero
      if number.isMultiple(of: 4) || history.count < 100 {
        direction[number / 4 % 4] = step[number / 4 % 4]
      } else {
        // The line through two former points tends to lead along the likely places.
        direction = history[numbers.index(of: history.count)] - history[numbers.index(of: history.count)]
      }
      point = next(point, along: direction, softness, &numbers)
      history.append(point)
      if number < Self.skipped, number.isMultiple(of: 2), history.count > 100 { history.removeFirst() }
      if number >= Self.skipped { points.append(point) }
    }
  }

  /// Returns a point of the line through `point`: slice sampling, by R. Neal.
  private func next(_ point: Point, along direction: Point, _ softness: Double, _ numbers: inout Numbers)
    -> Point
  {
    let level = density(point, softness) + log(numbers.part())
    var least = -3 * numbers.part()
    var most = least + 3
    // A direction of nothing, or a line that never leaves the likely places, must end too.
    while most - least < 1e9, density(point + direction * least, softness) > level { least -= most - least }
    while most - least < 1e9, density(point + direction * most, softness) > level { most += most - least }
    for _ in 0..<60 {
      let place = least + (most - least) * numbers.part()
      let next = point + direction * place
      if density(next, softness) > level { return next }
      if place < 0 { least = place } else { most = place }
    }
    return point
  }

  /// Returns the logarithm of the density of `point`, but for a constant.
  private func density(_ point: Point, _ softness: Double) -> Double {
    let deviation = point[1] / clockDeviation
    var sum =
      Self.likelihood(ofLine: point[2], isRolling.own)
      + Self.likelihood(ofLine: point[3], isRolling.reference) - deviation * deviation / 2
    guard sum.isFinite else { return sum }
    for flash in flashes {
      let part = overlap(flash, point) / softness
      // The overlap, without the edge of an impossible one.
      sum += flash.weight * (part > 30 ? log(part) : part < -30 ? part : log(log1p(exp(part))))
    }
    return sum
  }

  /// Returns the logarithm of how likely a line time is before flashes are compared.
  ///
  /// - Parameters:
  ///   - part: the line time as a part of the longest one.
  ///   - isRolling: whether flashes ended within frames.
  private static func likelihood(ofLine part: Double, _ isRolling: Bool) -> Double {
    guard part > 0, part < 1 else { return -.infinity }
    // A rolling shutter usually takes most of the interval: fast modes run at its limit. If no flash ends within a
    // frame, the shutter may well be a global one.
    return isRolling ? log(part) / 2 : 4 * log(1 - part)
  }

  /// Returns the time in which both cameras may have seen the end of a flash; negative if there is none.
  private func overlap(_ flash: Flash, _ point: Point) -> Double {
    let (end, other) = (flash.own, flash.reference)
    let shift = point[0] + flash.time * point[1] / 1e6
    let (line, otherLine) = (point[2] * longest.own, point[3] * longest.reference)
    return min(shift + end.darkTime + end.darkRow * line, other.darkTime + other.darkRow * otherLine)
      - max(shift + end.litTime + end.litRow * line, other.litTime + other.litRow * otherLine)
  }
}

extension FlashPosterior {
  /// The mean of an unknown, and the bound of its error.
  typealias Estimate = (value: Double, error: Double)

  /// Returns the estimate of a function of the unknowns.
  private func estimate(_ value: (Point) -> Double) -> Estimate {
    let values = points.map(value)
    let mean = values.reduce(0, +) / Double(max(1, values.count))
    let distances = values.map { ($0 - mean).magnitude }.sorted()
    guard let last = distances.indices.last else { return (mean, .infinity) }
    // More than 95 of 100: what is likely of cameras is a guess, above all if it is unknown whether their shutters roll.
    return (mean, distances[last * (isRolling.own && isRolling.reference ? 990 : 999) / 1000])
  }

  /// The nanoseconds from the first frame of the reference to that of the camera.
  var offset: Estimate { estimate { $0[0] - $0[1] / 1e6 * mean } }
  /// How much longer a second of the camera's clock is on that of the reference, in millionths.
  var rate: Estimate { estimate { $0[1] } }
  /// The line time of the camera in nanoseconds, and of the reference.
  var line: Estimate { estimate { $0[2] * longest.own } }
  var referenceLine: Estimate { estimate { $0[3] * longest.reference } }

  /// The longest time between the spans in which the two cameras saw a flash; 0 if they overlap for each.
  var gap: Double {
    let mean = points.reduce(Point.zero, +) / Double(max(1, points.count))
    return flashes.map { -overlap($0, mean) }.max().map { max(0, $0) } ?? 0
  }
}

/// Random numbers that are the same each time: splitmix64.
private struct Numbers {
  private var state: UInt64 = 1

  /// Returns a number above 0, and below 1.
  mutating func part() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return (Double((mixed ^ (mixed >> 31)) >> 12) + 0.5) / 4_503_599_627_370_496
  }

  mutating func index(of count: Int) -> Int { Int(part() * Double(count)) }
}
