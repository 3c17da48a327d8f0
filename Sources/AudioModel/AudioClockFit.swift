public import Timebase

/// The time at which each sample of a device was heard, found from many ``AudioMark``s: a straight line
/// through them.
///
/// A mark may come late, as samples are only noticed after they were heard, but hardly early. So only the
/// least late one of each quarter of a second counts, and the line is the least-squares fit to these. A plain
/// value of fixed size, however many marks are added.
public struct AudioClockFit: Hashable, Sendable {
  /// The device's nominal samples per second.
  public let nominalRate: Double

  /// The first mark, the reference for all others.
  private var origin: AudioMark?
  /// The least late mark of the current quarter of a second, in seconds from the first mark.
  private var candidate: Point?
  private var line = Line()

  /// A mark: its place by the nominal rate, and by how much it is later, in seconds.
  private struct Point: Hashable {
    var place: Double
    var lateness: Double
  }

  /// Sums over points, around their means, so that hours at the precision of microseconds fit in a `Double`.
  private struct Line: Hashable {
    var count = 0.0
    var meanPlace = 0.0
    var meanLateness = 0.0
    var squares = 0.0
    var products = 0.0
    var latenessSquares = 0.0

    /// The likely error of a device's rate and the scatter of its marks, as weight of points at the nominal
    /// rate: with a scatter of 0.05 ms and 350 ppm it is (0.05 ms / 350 ppm)^2 s^2. After three seconds it
    /// changes a rate by less than one part in four hundred of its deviation; without it, two marks a
    /// millisecond apart could mean any rate.
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

    /// Seconds of lateness that each second adds.
    var slope: Double { products / (squares + Self.prior) }

    /// The standard error of ``slope``, from the distances of the points to the line.
    var slopeError: Double {
      guard count > 2 else { return .infinity }
      let distances = max(0, latenessSquares - slope * products)
      return (distances / (count - 2) / (squares + Self.prior)).squareRoot()
    }

    func lateness(at place: Double) -> Double { meanLateness + slope * (place - meanPlace) }
  }

  /// The seconds from which only the least late mark counts.
  static let window = 0.25

  /// Creates a fit without marks, for a device with the rate `nominalRate`.
  public init(nominalRate: Int) { self.nominalRate = Double(max(1, nominalRate)) }

  /// Adds a mark, the newest last. A mark that is more than a year from the first in samples or time is
  /// ignored.
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

  /// A year: a mark further away is a driver's mistake.
  private static let longest = 3.2e7

  private func windowIndex(_ point: Point) -> Double { (point.place / Self.window).rounded(.down) }

  /// The line with the current candidate included.
  private var whole: Line {
    var line = line
    if let candidate { line.enter(candidate) }
    return line
  }

  /// Whether it has no marks.
  public var isEmpty: Bool { origin == nil }

  /// Samples per second of `CLOCK_MONOTONIC`; the nominal rate if the marks give less than half of it, or
  /// more than twice as much.
  public var rate: Double {
    let slope = whole.slope
    return slope > -0.5 && slope < 1 ? nominalRate / (1 + slope) : nominalRate
  }

  /// The deviation of the device's rate from the nominal one, in parts per million.
  public var drift: Double { (rate / nominalRate - 1) * 1e6 }

  /// The standard error of ``drift``, in parts per million, from the distances of the marks to the line;
  /// infinite if there are too few.
  public var driftError: Double { whole.slopeError * 1e6 }

  /// The seconds that the marks of the line span.
  public var span: Double {
    let line = whole
    // For points spread evenly over a span, the sum of squared distances is their number times a twelfth of
    // its square.
    return line.count > 1 ? (12 * line.squares / line.count).squareRoot() : 0
  }

  /// Returns the time at which sample number `sample` was heard; `nil` without a mark.
  public func time(of sample: Double) -> Instant? {
    guard let origin else { return nil }
    let place = (sample - Double(origin.sampleCount)) / nominalRate
    return origin.time + .nanoseconds(Int64(clamping: (place + whole.lateness(at: place)) * 1e9))
  }

  /// Returns the sample that was heard at `time`, with its fraction; `nil` without a mark.
  public func sample(at time: Instant) -> Double? {
    guard let origin else { return nil }
    let line = whole
    let elapsed = (time - origin.time) / .seconds(1)
    // time = place + lateness(place), solved for the place.
    let place = (elapsed - line.meanLateness + line.slope * line.meanPlace) / (1 + line.slope)
    return Double(origin.sampleCount) + place * nominalRate
  }
}

/// A reading of an audio device's clock: the number of samples heard by a moment.
public struct AudioMark: Hashable, Sendable {
  /// The moment, on `CLOCK_MONOTONIC`.
  public var time: Instant
  /// The number of samples heard by then.
  public var sampleCount: Int64

  /// Creates a reading at `time`.
  public init(time: Instant, sampleCount: Int64) {
    self.time = time
    self.sampleCount = sampleCount
  }
}
