import Timebase

/// The steady clock behind a take's timestamps: a straight line through them, by the frames' numbers.
///
/// A timestamp may be late, as a driver notices a frame after it was captured, but hardly early. So only the
/// least late timestamp of each run of frames counts, and the line is the least-squares fit to these.
package struct FrameClockFit: Hashable, Sendable {
  /// Nanoseconds from frame to frame.
  package let interval: Double
  /// The time of the first frame, in nanoseconds from its timestamp; usually negative, as that may be late.
  package let first: Double
  /// The bound of the error of ``first``, in nanoseconds, in 95 of 100 cases.
  package let uncertainty: Double
  /// The bound of the error of ``interval``, as a part of it in millionths, in 95 of 100 cases.
  package let rateUncertainty: Double

  /// Fits a line to the frames with these numbers and timestamps, in order.
  ///
  /// - Returns: `nil` for fewer than three frames, numbers that do not rise, or a camera that is not steady:
  ///   one that paused, or changed its rate.
  package init?(sequences: [Int64], timestamps: [Int64]) {
    guard timestamps.count >= 3, sequences.count == timestamps.count, let origin = timestamps.first,
      let start = sequences.first, zip(sequences, sequences.dropFirst()).allSatisfy({ $0 < $1 })
    else { return nil }
    let places = sequences.map { Double($0.subtracting(clamping: start)) }
    let times = timestamps.map { Double($0.subtracting(clamping: origin)) }
    let span = places[places.count - 1]
    guard times[times.count - 1] > 0 else { return nil }
    // From the line through the ends, two rounds suffice: the choice in each run hardly depends on it.
    var slope = times[times.count - 1] / span
    var line = Line(slope: slope)
    let run = max(1, Int(Double(places.count).squareRoot()))
    for _ in 0..<3 {
      // A shorter run at the end would be late, and bend the line there: the last one has the rest.
      let runs = places.count / run
      let least = (0..<runs).compactMap { number in
        (number * run..<(number == runs - 1 ? places.count : (number + 1) * run)).min { one, other in
          times[one] - slope * places[one] < times[other] - slope * places[other]
        }
      }
      line = Line(least.map { places[$0] }, least.map { times[$0] })
      slope = line.slope
    }
    let late = zip(places, times).map { $1 - line.start - slope * $0 }
    // A camera that pauses for an interval is not on one line; late frames are no pause.
    guard let least = late.min(), least > -slope / 2, slope > 0 else { return nil }
    let mean = late.reduce(0, +) / Double(late.count)
    // The least of n delays, spread evenly from none to twice their mean, is this late on average.
    let bias = 2 * max(0, mean) / Double(run + 1)
    interval = slope
    first = line.start - bias
    uncertainty = 2 * line.startError + bias + 1
    rateUncertainty = 2e6 * line.slopeError / slope
  }

  /// A line through points.
  private struct Line {
    var slope: Double
    var start = 0.0
    var (slopeError, startError) = (Double.infinity, Double.infinity)

    init(slope: Double) { self.slope = slope }

    init(_ places: [Double], _ times: [Double]) {
      let count = Double(places.count)
      let (meanPlace, meanTime) = (places.reduce(0, +) / count, times.reduce(0, +) / count)
      var (squares, products) = (0.0, 0.0)
      for (place, time) in zip(places, times) {
        squares += (place - meanPlace) * (place - meanPlace)
        products += (place - meanPlace) * (time - meanTime)
      }
      slope = squares > 0 ? products / squares : 0
      start = meanTime - slope * meanPlace
      var distances = 0.0
      for (place, time) in zip(places, times) {
        let distance = time - start - slope * place
        distances += distance * distance
      }
      let variance = distances / max(1, count - 2)
      slopeError = squares > 0 ? (variance / squares).squareRoot() : .infinity
      startError = (variance * (1 / count + (squares > 0 ? meanPlace * meanPlace / squares : 0))).squareRoot()
    }
  }
}
