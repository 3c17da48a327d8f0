public import Timebase

/// The zoom factor of a clip at each moment of its source.
///
/// Times are capture times, as in ``SpeedCurve``. Between two points the factor changes linearly, or eases in
/// and out.
public struct ZoomCurve: Hashable, Sendable {
  /// A factor at a moment of the source.
  public struct Point: Hashable, Sendable {
    /// The time from the source's first frame; at least zero.
    public var time: Duration
    /// The magnification: 1 shows the whole picture, 2 half of its width and height.
    public var factor: Fraction
    /// Whether the factor eases in and out from the point before to this one.
    public var isEased: Bool

    /// Creates a point of a curve.
    public init(time: Duration, factor: Fraction, isEased: Bool = false) {
      self.time = time
      self.factor = factor
      self.isEased = isEased
    }
  }

  /// The range of factors.
  public static let factors = Fraction(1)...Fraction(100)

  /// The points in order of time, at least one; two at the same time are a jump.
  public let points: [Point]

  /// Creates a curve from these points.
  ///
  /// - Throws: `CurveError` that names the point, if they do not form a curve.
  public init(points: [Point]) throws(CurveError) {
    guard !points.isEmpty else { throw CurveError("", "contains no zoom. Write one such as 2.") }
    for place in points.indices { try Self.check(points[...place], "\(points[place])") }
    self.points = points
  }

  /// Parses a factor such as `2`, or a curve of points: `0s:1, 1.2s:2, ease 3s:1`.
  ///
  /// - Throws: `CurveError` that names the point.
  public init(text: String) throws(CurveError) {
    let items = try CurveText(text).items
    guard let first = items.first else {
      throw CurveError(
        text, "contains no zoom. Write a factor such as 2, or points such as 0s:1, ease 2s:3.")
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
          ? "is not a zoom from 1, the whole picture, to 100."
          : "has no zoom from 1 to 100 after its colon.",
        line: item.line)
    }
    return factor
  }

  private static func check(_ points: ArraySlice<Point>, _ words: String) throws(CurveError) {
    try KeyframeTrack.check(points.map { (time: $0.time, isEased: $0.isEased) }, words)
    if let factor = points.last?.factor, !factors.contains(factor) {
      throw CurveError(words, "has no zoom from 1 to 100 after its colon.")
    }
  }

  /// Whether the whole picture is shown throughout.
  public var isWhole: Bool { points.allSatisfy { $0.factor == Fraction(1) } }

  /// The largest factor.
  var largest: Double { points.map(\.factor.doubleValue).max() ?? 1 }

  var course: KeyframeTrack {
    KeyframeTrack(
      points: points.map {
        KeyframeTrack.Point(time: $0.time, value: SIMD2($0.factor.doubleValue, 0), isEased: $0.isEased)
      })
  }
}

extension ZoomCurve: CodedAsText {
  /// The curve in the notation of ``init(text:)``.
  public var text: String { points.map(\.description).joined(separator: ", ") }
}

extension ZoomCurve.Point: CustomStringConvertible {
  /// `2s:3`, or `ease 2s:3`.
  public var description: String {
    (isEased ? "ease " : "") + "\(SpeedCurve.text(time)):\(factor.exactText)"
  }
}
