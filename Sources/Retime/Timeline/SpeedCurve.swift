public import Timebase

/// The speed of a clip at each moment of its source: a constant, or ramps from point to point with optional
/// freezes.
///
/// Times are capture times, from the source's first frame. The first point's speed also applies before it,
/// and the last point's after it. ``init(text:)`` parses the notation for users.
public struct SpeedCurve: Hashable, Sendable {
  /// A speed at a moment of the source.
  public struct Point: Hashable, Sendable {
    /// The time from the source's first frame; at least zero.
    public var time: Duration
    /// The speed of the clip there.
    public var speed: Speed
    /// Whether the speed eases in and out from the point before to this one, rather than changing linearly.
    public var isEased: Bool

    /// Creates a point of a curve.
    public init(time: Duration, speed: Speed, isEased: Bool = false) {
      self.time = time
      self.speed = speed
      self.isEased = isEased
    }
  }

  /// A moment of the source at which the clip freezes.
  public struct Freeze: Hashable, Sendable {
    /// The time from the source's first frame; at least zero.
    public var time: Duration
    /// The length of the freeze.
    public var duration: Duration

    /// Creates a freeze.
    public init(time: Duration, duration: Duration) {
      self.time = time
      self.duration = duration
    }
  }

  /// The points in order of time, at least one; two at the same time are a jump.
  public let points: [Point]
  /// The freezes in order of time.
  public let freezes: [Freeze]

  /// Creates a constant speed.
  public init(_ speed: Speed) {
    points = [Point(time: .zero, speed: speed)]
    freezes = []
  }

  /// Creates a curve from these points and freezes.
  ///
  /// - Throws: `CurveError` that names the point, if they do not form a curve.
  public init(points: [Point], freezes: [Freeze] = []) throws(CurveError) {
    for place in points.indices { try Self.check(points[...place], []) }
    for place in freezes.indices { try Self.check([], freezes[...place]) }
    guard !points.isEmpty else {
      throw CurveError(
        freezes.map(\.description).joined(separator: ", "), "has no speed. Begin it with \"0s:1\".")
    }
    self.points = points
    self.freezes = freezes
  }

  /// Checks the last of `points` and the last of `freezes` against those before them.
  static func check(
    _ points: some BidirectionalCollection<Point>, _ freezes: some BidirectionalCollection<Freeze>
  )
    throws(CurveError)
  {
    if let point = points.last {
      let before = points.dropLast().suffix(2).map(\.time)
      try checkTime(point.time, after: before.last ?? .zero, of: "\(point)")
      if before == [point.time, point.time] {
        throw CurveError(
          "\(point)", "is the third point at the same time; two make a jump, and no more are allowed.")
      }
      if point.isEased, before.last ?? point.time == point.time {
        throw CurveError(
          "\(point)", "cannot be eased: no point comes before it in time.")
      }
    }
    if let freeze = freezes.last {
      try checkTime(freeze.time, after: freezes.dropLast().last?.time ?? .zero, of: "\(freeze)")
      guard freeze.duration > .zero, freeze.duration <= longest else {
        throw CurveError("\(freeze)", "must last longer than 0 s, and at most a week.")
      }
    }
  }

  private static func checkTime(
    _ time: Duration, after before: Duration, of point: String
  ) throws(CurveError) {
    guard (.zero...longest).contains(time) else {
      throw CurveError(point, "is not within a week from the source's first frame.")
    }
    guard time >= before else {
      throw CurveError(
        point,
        "is earlier than the point before it, at \(Self.text(before)). Write the points in order of time.")
    }
  }

  /// A week: the range of the arithmetic on clip time.
  static let longest = Duration.seconds(7 * 24 * 3600)

  /// The speed, if it is constant and there is no freeze; otherwise `nil`.
  public var constant: Speed? {
    let speed = points[0].speed
    return freezes.isEmpty && points.allSatisfy { $0.speed == speed } ? speed : nil
  }

  /// Returns the first point or freeze after `end`, in seconds of capture time, as text; `nil` if there is none.
  func point(after end: Fraction) -> String? {
    let point = points.first { $0.time.inSeconds > end }
    let freeze = freezes.first { $0.time.inSeconds > end }
    return point?.description ?? freeze?.description
  }

  /// The curve in the notation of ``init(text:)``, with speeds in few digits.
  public var description: String {
    if let constant { return constant.description }
    let parts =
      points.map { ($0.time, $0.description) } + freezes.map { ($0.time, $0.description) }
    return parts.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
      .map(\.element.1).joined(separator: ", ")
  }

  /// The curve in the notation of ``init(text:)``, exactly.
  public var text: String {
    if points.count == 1, freezes.isEmpty, let point = points.first, point.time == .zero {
      return point.speed.text
    }
    let parts =
      points.map { ($0.time, ($0.isEased ? "ease " : "") + "\(Self.text($0.time)):\($0.speed.text)") }
      + freezes.map { ($0.time, $0.description) }
    return parts.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
      .map(\.element.1).joined(separator: ", ")
  }

  /// Returns the time as text, such as `1.2s`.
  static func text(_ time: Duration) -> String {
    time.inSeconds.decimal(places: 9) + "s"
  }
}

extension SpeedCurve: CodedAsText, CustomStringConvertible {}

extension SpeedCurve.Point: CustomStringConvertible {
  /// `1.2s:1/8`, or `ease 1.2s:1/8`.
  public var description: String {
    (isEased ? "ease " : "") + "\(SpeedCurve.text(time)):\(speed)"
  }
}

extension SpeedCurve.Freeze: CustomStringConvertible {
  /// `2s:freeze 1s`.
  public var description: String {
    "\(SpeedCurve.text(time)):freeze \(SpeedCurve.text(duration))"
  }
}
