public import Timebase

/// The centre of a zoom: a position in the picture, or positions at moments of the source.
///
/// Between two points the position moves linearly, or eases in and out.
public struct ZoomPath: Hashable, Sendable {
  /// A position in the picture at a moment of the source.
  public struct Point: Hashable, Sendable {
    /// The time from the source's first frame; at least zero.
    public var time: Duration
    /// The horizontal position, from 0 at the left edge to 1 at the right edge.
    public var x: Fraction
    /// The vertical position, from 0 at the upper edge to 1 at the lower edge.
    public var y: Fraction
    /// Whether the position eases in and out from the point before to this one.
    public var isEased: Bool

    /// Creates a point of a path.
    public init(time: Duration = .zero, x: Fraction, y: Fraction, isEased: Bool = false) {
      self.time = time
      self.x = x
      self.y = y
      self.isEased = isEased
    }
  }

  /// The centre of the picture.
  public static let middle = ZoomPath(x: Fraction(1, 2), y: Fraction(1, 2))

  /// The points in order of time, at least one; two at the same time are a jump.
  public let points: [Point]

  private init(x: Fraction, y: Fraction) { points = [Point(x: x, y: y)] }

  /// Creates a path from these points.
  ///
  /// - Throws: `CurveError` that names the point, if they do not form a path.
  public init(points: [Point]) throws(CurveError) {
    guard !points.isEmpty else { throw CurveError("", "contains no position. Write one such as 0.5,0.5@1s.") }
    for place in points.indices { try Self.check(points[...place], "\(points[place])") }
    self.points = points
  }

  /// Parses a constant position, such as `0.25,0.5`.
  ///
  /// - Throws: `CurveError` if it is not one.
  public init(place text: String) throws(CurveError) {
    let (x, y) = try Self.place(text[...], of: text[...])
    self.init(x: x, y: y)
  }

  /// Parses positions with their times, separated by spaces: `0.2,0.5@0s ease 0.8,0.5@2s`.
  ///
  /// - Throws: `CurveError` that names the point.
  public init(text: String) throws(CurveError) {
    var points: [Point] = []
    var isEased = false
    for word in text.split(whereSeparator: \.isWhitespace) {
      guard word != "ease" else {
        isEased = true
        continue
      }
      guard let at = word.firstIndex(of: "@") else {
        throw CurveError(String(word), "has no time: write X,Y@TIME, such as 0.5,0.25@1.2s.")
      }
      let time: Duration
      do {
        time = try Duration(text: String(word[word.index(after: at)...]))
      } catch {
        throw CurveError(String(word), "has no valid time after its @: \(error).")
      }
      let (x, y) = try Self.place(word[..<at], of: word)
      points.append(Point(time: time, x: x, y: y, isEased: isEased))
      isEased = false
      guard points.count <= CurveText.mostItems else {
        throw CurveError(String(word), "is one point too many; the maximum is \(CurveText.mostItems).")
      }
      try Self.check(points[...], String(word))
    }
    guard !points.isEmpty, !isEased else {
      throw CurveError(
        text, "contains no position. Write positions with times, such as '0.2,0.5@0s 0.8,0.5@2s'.")
    }
    self.points = points
  }

  private static func place(
    _ text: Substring, of point: Substring
  ) throws(CurveError) -> (x: Fraction, y: Fraction) {
    let words = text.split(separator: ",", omittingEmptySubsequences: false)
    let parts = words.map { Fraction(text: $0) }
    if words.count == 4, !parts.contains(nil) {
      throw CurveError(
        String(point),
        "has decimal commas; write \(words[0]).\(words[1]),\(words[2]).\(words[3]) for the position instead.")
    }
    guard parts.count == 2, let x = parts[0], let y = parts[1], sides.contains(x), sides.contains(y) else {
      throw CurveError(
        String(point),
        "is not a position in the picture: write X,Y, each from 0, the left or upper edge, to 1, such as "
          + "0.5,0.25.")
    }
    return (x, y)
  }

  private static let sides = Fraction(0)...Fraction(1)

  private static func check(_ points: ArraySlice<Point>, _ words: String) throws(CurveError) {
    try KeyframeTrack.check(points.map { (time: $0.time, isEased: $0.isEased) }, words)
    if let point = points.last, !sides.contains(point.x) || !sides.contains(point.y) {
      throw CurveError(words, "is not a position in the picture: X and Y are from 0 to 1.")
    }
  }

  var course: KeyframeTrack {
    KeyframeTrack(
      points: points.map {
        KeyframeTrack.Point(
          time: $0.time, value: SIMD2($0.x.doubleValue, $0.y.doubleValue), isEased: $0.isEased)
      })
  }
}

extension ZoomPath: CodedAsText {
  /// The path in the notation of ``init(text:)``.
  public var text: String { points.map(\.description).joined(separator: " ") }
}

extension ZoomPath.Point: CustomStringConvertible {
  /// `0.5,0.25@1.2s`, or `ease 0.5,0.25@1.2s`.
  public var description: String {
    (isEased ? "ease " : "")
      + "\(x.exactText),\(y.exactText)@\(SpeedCurve.text(time))"
  }
}
