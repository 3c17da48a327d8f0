public import Timebase

/// By how much a clip enlarges the film's pictures at each moment of the film.
///
/// Times are capture times, as of a ``SpeedCurve``. Between two points the factor changes evenly, or slowly at both ends
/// where it is eased.
public struct ZoomCurve: Hashable, Sendable {
  /// A factor at a moment of the film.
  public struct Point: Hashable, Sendable {
    /// From the film's first frame; at least zero.
    public var time: Duration
    /// How much larger things are than in the whole picture: 1 shows all of it, 2 the half of it each way.
    public var factor: Fraction
    /// Whether the factor glides from the point before to this one.
    public var isEased: Bool

    /// A point of a curve.
    public init(time: Duration, factor: Fraction, isEased: Bool = false) {
      self.time = time
      self.factor = factor
      self.isEased = isEased
    }
  }

  /// The factors that there are.
  public static let factors = Fraction(1)...Fraction(100)

  /// In the order of their times, at least one; two at the same time are a jump.
  public let points: [Point]

  /// A curve of these points.
  ///
  /// - Throws: `CurveError` that names the point, where they make no curve.
  public init(points: [Point]) throws(CurveError) {
    guard !points.isEmpty else { throw CurveError("", "holds no zoom. Write one such as 2.") }
    for place in points.indices { try Self.check(points[...place], "\(points[place])") }
    self.points = points
  }

  /// Reads a factor such as `2`, or a curve of points: `0s:1, 1.2s:2, ease 3s:1`.
  ///
  /// - Throws: `CurveError` that names the point.
  public init(text: String) throws(CurveError) {
    let items = try CurveText(text).items
    guard let first = items.first else {
      throw CurveError(
        text, "holds no zoom. Write a factor such as 2, or points such as 0s:1, ease 2s:3.")
    }
    if items.count == 1, !first.text.contains(":") {
      points = [Point(time: .zero, factor: try Self.factor(first.text, of: first))]
      return
    }
    var points: [Point] = []
    for item in items {
      let point = try item.point(like: "TIME:FACTOR, such as 2s:3")
      points.append(
        Point(time: point.time, factor: try Self.factor(point.value, of: item), isEased: point.isEased))
      do { try Self.check(points[...], String(item.text)) } catch {
        throw CurveError(error.point, error.reason, line: item.line)
      }
    }
    self.points = points
  }

  private static func factor(_ text: Substring, of item: CurveText.Item) throws(CurveError) -> Fraction {
    let number = text.hasSuffix("x") ? text.dropLast() : text
    guard let factor = Fraction(text: number), factors.contains(factor) else {
      throw CurveError(
        String(item.text),
        item.text == text
          ? "is no zoom from 1, the whole picture, to 100." : "has no zoom from 1 to 100 behind its colon.",
        line: item.line)
    }
    return factor
  }

  private static func check(_ points: ArraySlice<Point>, _ words: String) throws(CurveError) {
    try Course.check(points.map { (time: $0.time, isEased: $0.isEased) }, words)
    if let factor = points.last?.factor, !factors.contains(factor) {
      throw CurveError(words, "has no zoom from 1 to 100 behind its colon.")
    }
  }

  /// Whether the whole picture is shown throughout.
  public var isWhole: Bool { points.allSatisfy { $0.factor == Fraction(1) } }

  /// The largest factor.
  var largest: Double { points.map(\.factor.doubleValue).max() ?? 1 }

  var course: Course {
    Course(
      points: points.map {
        Course.Point(time: $0.time, value: SIMD2($0.factor.doubleValue, 0), isEased: $0.isEased)
      })
  }
}

extension ZoomCurve: CodedAsText {
  /// The curve in the words that ``init(text:)`` reads.
  public var text: String { points.map(\.description).joined(separator: ", ") }
}

extension ZoomCurve.Point: CustomStringConvertible {
  /// `2s:3`, or `ease 2s:3`.
  public var description: String {
    (isEased ? "ease " : "") + "\(SpeedCurve.text(time)):\(factor.exactText)"
  }
}
