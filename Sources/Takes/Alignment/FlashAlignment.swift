import Glibc

/// The flashes in a take, with what places them on its clock.
package struct SeenFlashes: Sendable {
  /// The end of a flash: between the exposures of two rows.
  struct End: Sendable {
    /// The times of the two rows' frames, in nanoseconds from the start of the take.
    var (litTime, darkTime): (Double, Double)
    /// The two rows.
    var (litRow, darkRow): (Double, Double)

    /// The time of the end if the shutter exposed all rows at once, and the row that it belongs to.
    var time: Double { (litTime + darkTime) / 2 }
    var row: Double { (litRow + darkRow) / 2 }

    /// Returns the standard deviation of the end within its bounds, with this line time.
    func error(line: Double) -> Double {
      let length = darkTime - litTime + (darkRow - litRow) * line
      return max(length / 12.0.squareRoot(), SeenFlashes.leastError)
    }
  }

  /// The least error of an end, in nanoseconds: no light goes out at once.
  fileprivate static let leastError = 200.0

  let ends: [End]
  /// The number of ends that are within a frame.
  let countWithinFrames: Int
  /// The number of different places where they are: eighths of a frame, and the time between two frames.
  let placeCount: Int
  /// The longest possible line time in nanoseconds: the rows of a frame are read before those of the next.
  let longestLine: Double
  /// The bound of the error of the take's clock, in nanoseconds.
  let clockError: Double

  /// Creates the flashes of a take.
  ///
  /// - Parameters:
  ///   - ends: their ends, in order.
  ///   - height: the rows of a frame.
  ///   - interval: the nanoseconds from frame to frame.
  ///   - clockError: the bound of the error of the clock, in nanoseconds.
  ///   - time: returns the nanoseconds from the start of the take to a frame, which may be the one after the last.
  package init(
    _ ends: [FlashEnd], height: Int, interval: Double, clockError: Double, time: (Int) -> Double
  ) {
    self.ends = ends.map { end in
      End(
        litTime: time(end.lit.frame), darkTime: time(end.dark.frame), litRow: Double(end.lit.row),
        darkRow: Double(end.dark.row))
    }
    countWithinFrames = ends.count { $0.isWithinFrame }
    placeCount = Set(ends.map { $0.isWithinFrame ? $0.lit.row * 8 / max(1, height) : -1 }).count
    longestLine = interval / Double(max(1, height))
    self.clockError = clockError
  }

  /// The line time, and the standard deviation of its error, before flashes are compared.
  ///
  /// The share of ends within frames is that of the time in which rows begin to be exposed. Flashes that end at the same
  /// place count as one: they may be those of a strobe in step with the camera.
  var expectedLine: (value: Double, error: Double) {
    let scale = Double(placeCount) / Double(max(1, ends.count))
    // A rolling shutter usually takes most of the interval: fast modes run at its limit.
    let inside = (countWithinFrames > 0 ? 3 : 1) + scale * Double(countWithinFrames)
    let outside = 1 + scale * Double(ends.count - countWithinFrames)
    let sum = inside + outside
    let error = (inside * outside / (sum * sum * (sum + 1))).squareRoot()
    return (inside / sum * longestLine, error * longestLine)
  }
}

/// Compares the flashes that two cameras saw.
package enum FlashAlignment {
  /// The reason why flashes do not tell the offset of two takes.
  package enum Failure: Error, Hashable {
    /// The takes have different numbers of flashes.
    case counts(own: Int, other: Int)
    /// The times between the flashes differ.
    case different
  }

  /// The place of a take, and the line times of both cameras.
  package struct Result: Sendable {
    /// The place of the take.
    package let estimate: OffsetEstimate
    /// The line times of the camera and of the reference, in nanoseconds; `nil` if the flashes do not tell.
    package let (line, referenceLine): (Double?, Double?)
  }

  /// Returns the nanoseconds from the first frame of `reference` to that of `camera`, by the flashes that both saw.
  ///
  /// With one flash, the line times are known only by their bounds. With several that meet the frames of the two
  /// cameras at different rows, one offset must fit all of them, and so the line times and the clocks' rate are found.
  ///
  /// - Throws: ``Failure``.
  package static func estimate(
    _ camera: SeenFlashes, on reference: SeenFlashes
  ) throws(Failure) -> Result {
    guard camera.ends.count == reference.ends.count, !camera.ends.isEmpty else {
      throw .counts(own: camera.ends.count, other: reference.ends.count)
    }
    let takes = [camera, reference]
    let expected = takes.map(\.expectedLine)
    var bounds = takes.map { 0.0...$0.longestLine }
    var (errors, fit): ([[Double]], WeightedFit?) = ([], nil)
    // The error of an end depends on the line time, which the first round finds.
    for _ in 0..<3 {
      errors = zip(takes, bounds).map { take, line in
        take.ends.map { max($0.error(line: line.lowerBound), $0.error(line: line.upperBound)) }
      }
      var equations = camera.ends.indices.map { index in
        let (own, other) = (camera.ends[index], reference.ends[index])
        return WeightedFit.Equation(
          terms: [1, own.time / 1e6, own.row, -other.row], value: other.time - own.time,
          error: hypot(errors[0][index], errors[1][index]))
      }
      equations += [
        WeightedFit.Equation(terms: [0, 1, 0, 0], value: 0, error: OffsetEstimate.usualDeviation),
        WeightedFit.Equation(terms: [0, 0, 1, 0], value: expected[0].value, error: expected[0].error),
        WeightedFit.Equation(terms: [0, 0, 0, 1], value: expected[1].value, error: expected[1].error),
      ]
      guard let next = WeightedFit(equations) else { throw .different }
      fit = next
      bounds = takes.indices.map { place in
        let (line, error) = (next.values[2 + place], 2 * next.error(of: 2 + place))
        let longest = takes[place].longestLine
        let lowest = min(max(0, line - error), longest)
        return lowest...max(lowest, min(longest, line + error))
      }
    }
    guard let fit, fit.values[1].magnitude <= OffsetEstimate.largestDeviation else { throw .different }
    for (index, residual) in fit.residuals.prefix(camera.ends.count).enumerated() {
      let clocks = hypot(camera.clockError, reference.clockError)
      guard residual.magnitude <= 4 * hypot(errors[0][index], errors[1][index]) + clocks else {
        throw .different
      }
    }
    let clocks = hypot(camera.clockError, reference.clockError)
    let estimate = OffsetEstimate(
      .flash, offset: fit.values[0], uncertainty: hypot(2 * error(of: 0, fit, errors, expected), clocks),
      rate: camera.ends.count > 1 ? fit.values[1] : 0,
      rateUncertainty: camera.ends.count > 1 ? 2 * error(of: 1, fit, errors, expected) : nil)
    let lines = takes.indices.map { place in
      // A quarter of what was possible is no knowledge.
      2 * fit.error(of: 2 + place) <= takes[place].longestLine / 8
        ? min(max(0, fit.values[2 + place]), takes[place].longestLine) : nil
    }
    return Result(estimate: estimate, line: lines[0], referenceLine: lines[1])
  }

  /// Returns the standard deviation of an unknown. Flashes of a strobe in step with a camera have errors alike.
  private static func error(
    of place: Int, _ fit: WeightedFit, _ errors: [[Double]], _ expected: [(value: Double, error: Double)]
  ) -> Double {
    let known = fit.gains(of: place).dropFirst(errors[0].count)
    let clock = (known.first ?? 0) * OffsetEstimate.usualDeviation
    // Cameras of one kind are off from what is expected to the same side.
    let lines = zip(known.dropFirst(), expected).reduce(0.0) { $0 + ($1.0 * $1.1.error).magnitude }
    return hypot(fit.error(of: place, byAlike: errors), hypot(clock, lines))
  }
}
