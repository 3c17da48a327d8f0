public import Timebase

/// When each sample of a device was heard, found from many ``AudioMark``s: a straight line through them.
///
/// A mark may come late, as samples are noticed only after they were heard, but hardly early. So of each
/// quarter of a second the least late one counts alone, and the line is the one with the least squared
/// distance to these. A pure value of fixed size, however long it is fed.
public struct AudioClockFit: Hashable, Sendable {
  /// Samples a second by the device's own account.
  public let nominalRate: Double

  /// The first mark, from which all else is reckoned.
  private var origin: AudioMark?
  /// The least late mark of the current quarter of a second, in seconds from the first mark.
  private var candidate: Point?
  private var line = Line()

  /// A mark: where it should lie by the nominal rate, and how much later it does, in seconds.
  private struct Point: Hashable {
    var place: Double
    var lateness: Double
  }

  /// Sums over points, around their means, so that hours at microseconds' precision fit in a `Double`.
  private struct Line: Hashable {
    var count = 0.0
    var meanPlace = 0.0
    var meanLateness = 0.0
    var squares = 0.0
    var products = 0.0
    var latenessSquares = 0.0

    /// What a device's rate may be off and its marks may scatter, as points that say it is nominal: with a
    /// scatter of 0.05 ms and 350 ppm it weighs (0.05 ms / 350 ppm)^2 s^2. After three seconds it moves a
    /// rate by under one part in four hundred of what that is off; without it, two marks a
    /// millisecond apart could tell any rate.
    static let prior = 0.02

    mutating func enter(_ point: Point) {
      count += 1
      let distance = point.place - meanPlace
      meanPlace += distance / count
      let lateness = point.lateness - meanLateness
      meanLateness += lateness / count
      squares += distance * (point.place - meanPlace)
      products += distance * (point.lateness - meanLateness)
      latenessSquares += lateness * (point.lateness - meanLateness)
    }

    /// Seconds of lateness that a second adds.
    var slope: Double { products / (squares + Self.prior) }

    /// The standard error of ``slope``, by how far the points lie from the line.
    var slopeError: Double {
      guard count > 2 else { return .infinity }
      let distances = max(0, latenessSquares - slope * products)
      return (distances / (count - 2) / (squares + Self.prior)).squareRoot()
    }

    func lateness(at place: Double) -> Double { meanLateness + slope * (place - meanPlace) }
  }

  /// Of so many seconds, the least late mark counts.
  static let window = 0.25

  /// A fit without a mark, for a device that says it has `nominalRate`.
  public init(nominalRate: Int) { self.nominalRate = Double(max(1, nominalRate)) }

  /// Enters a mark, the newest last. One that goes back in samples or time by more than a day is ignored.
  public mutating func enter(_ mark: AudioMark) {
    guard let origin else {
      self.origin = mark
      candidate = Point(place: 0, lateness: 0)
      return
    }
    let place = Double(mark.sampleCount.subtracting(clamping: origin.sampleCount)) / nominalRate
    let elapsed = (mark.time - origin.time) / .seconds(1)
    guard place.magnitude < Self.longest, elapsed.magnitude < Self.longest else { return }
    let point = Point(place: place, lateness: elapsed - place)
    guard let candidate else {
      self.candidate = point
      return
    }
    if windowIndex(point) != windowIndex(candidate) {
      line.enter(candidate)
      self.candidate = point
    } else if point.lateness - line.slope * point.place < candidate.lateness - line.slope * candidate.place {
      self.candidate = point
    }
  }

  /// A year: a mark that is further away is a driver's mistake.
  private static let longest = 3.2e7

  private func windowIndex(_ point: Point) -> Double { (point.place / Self.window).rounded(.down) }

  /// The line with the current candidate.
  private var whole: Line {
    var line = line
    if let candidate { line.enter(candidate) }
    return line
  }

  /// Whether it has a mark at all.
  public var isEmpty: Bool { origin == nil }

  /// Samples a second of `CLOCK_MONOTONIC`: the nominal ones where the marks say less than half of them, or more than
  /// twice as many.
  public var rate: Double {
    let slope = whole.slope
    return slope > -0.5 && slope < 1 ? nominalRate / (1 + slope) : nominalRate
  }

  /// How much faster than it says the device is, in millionths.
  public var drift: Double { (rate / nominalRate - 1) * 1e6 }

  /// The standard error of ``drift``, in millionths, by how far the marks lie from the line; infinite
  /// where there are too few.
  public var driftError: Double { whole.slopeError * 1e6 }

  /// How many seconds the marks span that the line goes through.
  public var span: Double {
    let line = whole
    // Of points that lie evenly over a span, the squared distances add up to their number by a twelfth of it squared.
    return line.count > 1 ? (12 * line.squares / line.count).squareRoot() : 0
  }

  /// When sample number `sample` was heard; `nil` without a mark.
  public func time(of sample: Double) -> Instant? {
    guard let origin else { return nil }
    let place = (sample - Double(origin.sampleCount)) / nominalRate
    return origin.time + .nanoseconds(Int64(clamping: (place + whole.lateness(at: place)) * 1e9))
  }

  /// Which sample was heard at `time`, with its fraction; `nil` without a mark.
  public func sample(at time: Instant) -> Double? {
    guard let origin else { return nil }
    let line = whole
    let elapsed = (time - origin.time) / .seconds(1)
    // time = place + lateness(place), solved for the place.
    let place = (elapsed - line.meanLateness + line.slope * line.meanPlace) / (1 + line.slope)
    return Double(origin.sampleCount) + place * nominalRate
  }
}

/// A reading of an audio device's clock: how many samples it had heard at a moment.
public struct AudioMark: Hashable, Sendable {
  /// The moment, on `CLOCK_MONOTONIC`.
  public var time: Instant
  /// How many samples had been heard until then.
  public var sampleCount: Int64

  /// A reading at `time`.
  public init(time: Instant, sampleCount: Int64) {
    self.time = time
    self.sampleCount = sampleCount
  }
}
