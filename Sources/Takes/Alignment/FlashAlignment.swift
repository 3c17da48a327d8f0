import Glibc

/// The flashes in a take, with what places them on its clock.
package struct SeenFlashes: Sendable {
  /// The end of a flash: between the exposures of two rows.
  struct End: Sendable {
    /// The times of the two rows' frames, in nanoseconds from the start of the take.
    var (litTime, darkTime): (Double, Double)
    /// The two rows.
    var (litRow, darkRow): (Double, Double)

    /// The time of the end if the shutter exposed all rows at once.
    var time: Double { (litTime + darkTime) / 2 }
  }

  /// The least error of an end, in nanoseconds: no light goes out at once.
  static let leastError = 200.0

  let ends: [End]
  /// The number of ends that are within a frame.
  let countWithinFrames: Int
  /// The longest possible line time in nanoseconds: the rows of a frame are read before those of the next.
  let longestLine: Double
  /// The bounds of the errors of the take's clock, in nanoseconds, and of its rate, in millionths.
  let (clockError, rateError): (Double, Double)

  /// Creates the flashes of a take.
  ///
  /// - Parameters:
  ///   - ends: their ends, in order.
  ///   - height: the rows of a frame.
  ///   - interval: the nanoseconds from frame to frame.
  ///   - clockError: the bound of the error of the clock, in nanoseconds.
  ///   - rateError: the bound of the error of its rate, in millionths.
  ///   - time: returns the nanoseconds from the start of the take to a frame, which may be the one after the last.
  package init(
    _ ends: [FlashEnd], height: Int, interval: Double, clockError: Double, rateError: Double,
    time: (Int) -> Double
  ) {
    self.ends = ends.map { end in
      End(
        litTime: time(end.lit.frame), darkTime: time(end.dark.frame), litRow: Double(end.lit.row),
        darkRow: Double(end.dark.row))
    }
    countWithinFrames = ends.count { $0.isWithinFrame }
    longestLine = interval / Double(max(1, height))
    self.clockError = clockError
    self.rateError = min(rateError, OffsetEstimate.largestDeviation)
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
    let posterior = FlashPosterior(camera, on: reference)
    let (offset, rate) = (posterior.offset, posterior.rate)
    let (line, otherLine) = (posterior.line, posterior.referenceLine)
    let clocks = hypot(camera.clockError, reference.clockError)
    // The rows that tell an end may be off by one or two.
    let rows = 2 * (line.value + otherLine.value)
    guard rate.value.magnitude <= OffsetEstimate.largestDeviation,
      posterior.gap <= rows + 4 * SeenFlashes.leastError + clocks
    else { throw .different }
    let isMeasured = camera.ends.count > 1
    let estimate = OffsetEstimate(
      .flash, offset: offset.value, uncertainty: hypot(offset.error, clocks),
      rate: isMeasured ? rate.value : 0,
      rateUncertainty: isMeasured ? hypot(rate.error, hypot(camera.rateError, reference.rateError)) : nil)
    return Result(
      estimate: estimate, line: camera.known(line), referenceLine: reference.known(otherLine))
  }
}

extension SeenFlashes {
  /// Returns the line time if the flashes tell it: a quarter of what was possible is no knowledge.
  fileprivate func known(_ line: FlashPosterior.Estimate) -> Double? {
    line.error <= longestLine / 8 ? line.value : nil
  }
}
