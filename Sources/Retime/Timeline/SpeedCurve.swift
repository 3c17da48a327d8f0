public import Timebase

/// How fast a clip plays at each moment of its film: one speed throughout, or ramps from point to point, and moments
/// at which it stands still.
///
/// Times are capture times: from the film's first frame, as the camera saw it. Before the first point its speed holds,
/// after the last point the last one's. ``init(text:)`` reads a curve as people write it.
public struct SpeedCurve: Hashable, Sendable {
  /// A speed at a moment of the film.
  public struct Point: Hashable, Sendable {
    /// From the film's first frame; at least zero.
    public var time: Duration
    /// How fast the clip plays there.
    public var speed: Speed
    /// Whether the speed glides from the point before to this one, slowly at both ends, rather than changing evenly.
    public var isEased: Bool

    /// A point of a curve.
    public init(time: Duration, speed: Speed, isEased: Bool = false) {
      self.time = time
      self.speed = speed
      self.isEased = isEased
    }
  }

  /// A moment of the film at which the clip stands still.
  public struct Freeze: Hashable, Sendable {
    /// From the film's first frame; at least zero.
    public var time: Duration
    /// How long the clip stands still.
    public var duration: Duration

    /// A freeze.
    public init(time: Duration, duration: Duration) {
      self.time = time
      self.duration = duration
    }
  }

  /// In the order of their times, at least one; two at the same time are a jump.
  public let points: [Point]
  /// In the order of their times.
  public let freezes: [Freeze]

  /// One speed throughout.
  public init(_ speed: Speed) {
    points = [Point(time: .zero, speed: speed)]
    freezes = []
  }

  /// A curve of these points and freezes.
  ///
  /// - Throws: `CurveError` that names the point, where they make no curve.
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

  /// Checks the last of `points` and the last of `freezes` beside those in front of them.
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
          "\(point)", "is the third point at the same time; two make a jump, three make no sense.")
      }
      if point.isEased, before.last ?? point.time == point.time {
        throw CurveError(
          "\(point)", "has no way to it that could be eased: no point lies before it in time.")
      }
    }
    if let freeze = freezes.last {
      try checkTime(freeze.time, after: freezes.dropLast().last?.time ?? .zero, of: "\(freeze)")
      guard freeze.duration > .zero, freeze.duration <= longest else {
        throw CurveError("\(freeze)", "stands still for no time or for over a week.")
      }
    }
  }

  private static func checkTime(
    _ time: Duration, after before: Duration, of point: String
  ) throws(CurveError) {
    guard (.zero...longest).contains(time) else {
      throw CurveError(point, "does not lie within a week from the film's first frame.")
    }
    guard time >= before else {
      throw CurveError(
        point,
        "comes after \(Self.text(before)). Write the points in the order of time.")
    }
  }

  /// A week: the arithmetic of clip time has room for that.
  static let longest = Duration.seconds(7 * 24 * 3600)

  /// The speed, where it is one throughout.
  public var constant: Speed? {
    let speed = points[0].speed
    return freezes.isEmpty && points.allSatisfy { $0.speed == speed } ? speed : nil
  }

  /// The curve in the words that ``init(text:)`` reads, where speeds have few digits.
  public var description: String {
    if let constant { return constant.description }
    let parts =
      points.map { ($0.time, $0.description) } + freezes.map { ($0.time, $0.description) }
    return parts.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
      .map(\.element.1).joined(separator: ", ")
  }

  /// The curve in the words that ``init(text:)`` reads, exactly.
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

  /// `1.2s`.
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
