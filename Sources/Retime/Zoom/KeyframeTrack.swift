import Timebase

/// Values at times, linear or eased between points, and constant before the first and after the last.
struct KeyframeTrack {
  struct Point {
    let time: Duration
    let value: SIMD2<Double>
    /// Whether the value eases in and out from the point before to this one.
    let isEased: Bool
  }

  /// The points in order of time, at least one.
  let points: [Point]

  /// Returns the value at `time`, in seconds.
  func value(at time: Double) -> SIMD2<Double> {
    var (low, high) = (0, points.count)
    while low < high {
      let middle = (low + high) / 2
      if points[middle].time / .seconds(1) <= time { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return points[0].value }
    let from = points[low - 1]
    guard low < points.count else { return from.value }
    let to = points[low]
    let (start, end) = (from.time / .seconds(1), to.time / .seconds(1))
    let part = (time - start) / (end - start)
    return from.value + (to.value - from.value) * (to.isEased ? part * part * (3 - 2 * part) : part)
  }

  /// Checks the last of `points`, given as `words` in errors, against those before it.
  ///
  /// - Throws: `CurveError` that names the point.
  static func check(
    _ points: some BidirectionalCollection<(time: Duration, isEased: Bool)>, _ words: String
  ) throws(CurveError) {
    guard let point = points.last else { return }
    let before = points.dropLast().suffix(2).map(\.time)
    guard (.zero...SpeedCurve.longest).contains(point.time) else {
      throw CurveError(words, "is not within a week from the source's first frame.")
    }
    guard point.time >= before.last ?? .zero else {
      throw CurveError(words, "is earlier than the point before it. Write the points in order of time.")
    }
    guard before != [point.time, point.time] else {
      throw CurveError(
        words, "is the third point at the same time; two make a jump, and no more are allowed.")
    }
    guard !point.isEased || before.last.map({ $0 < point.time }) == true else {
      throw CurveError(words, "cannot be eased: no point comes before it in time.")
    }
  }
}
