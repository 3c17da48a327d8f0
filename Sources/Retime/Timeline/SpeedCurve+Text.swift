import Timebase

/// A text that is no speed curve: which point, and what is wrong with it.
public struct SpeedCurveError: Error, Hashable, CustomStringConvertible {
  /// The point, as it was written.
  public let point: String
  /// What is wrong with it, as the rest of a sentence that begins with it.
  public let reason: String

  /// Says of `point` what is wrong.
  public init(_ point: String, _ reason: String) {
    self.point = point
    self.reason = reason
  }

  /// The point and what is wrong with it.
  public var description: String { "\"\(point)\" \(reason)" }
}

extension SpeedCurve {
  /// The most points and freezes that text may have.
  private static let mostPoints = 1000

  /// Reads a speed such as `1/8`, or a curve of points: `0s:1, 1.2s:1/8, ease 3s:1, 4s:freeze 1s`.
  ///
  /// Points stand between commas or on lines of their own; what follows a `#` on a line is a remark.
  ///
  /// - Throws: ``SpeedCurveError`` that names the point.
  public init(text: String) throws(SpeedCurveError) {
    let lines = text.split(whereSeparator: \.isNewline).map { $0.prefix { $0 != "#" } }
    let items = lines.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
      .map { $0.trimmingSpaces }
    // A comma at the end of a line leaves nothing behind it, and a line may be empty.
    let written = items.filter { !$0.isEmpty }
    guard let first = written.first else {
      throw SpeedCurveError(text, "holds no speed. Write one such as 1/8, or points such as 0s:1, 1.2s:1/8.")
    }
    if written.count == 1, !first.contains(":") {
      self.init(try Self.speed(first, of: first))
      return
    }
    guard written.count <= Self.mostPoints else {
      throw SpeedCurveError(
        String(written[Self.mostPoints]), "is one point too many; \(Self.mostPoints) are the most.")
    }
    var points: [Point] = []
    var freezes: [Freeze] = []
    var latest: Int64 = 0
    for item in written {
      let (nanoseconds, value, isEased) = try Self.parts(of: item)
      guard nanoseconds >= latest else {
        throw SpeedCurveError(
          String(item),
          "lies before \(Self.text(latest)) of the point in front of it. Write points in the order of time.")
      }
      latest = nanoseconds
      if let duration = try Self.freeze(value, of: item) {
        guard !isEased else { throw SpeedCurveError(String(item), "is a freeze, which cannot be eased.") }
        freezes.append(Freeze(nanoseconds: nanoseconds, duration: duration))
      } else {
        points.append(
          Point(nanoseconds: nanoseconds, speed: try Self.speed(value, of: item), isEased: isEased))
      }
    }
    try self.init(points: points, freezes: freezes)
  }

  /// `ease 1.2s:1/8` in its parts.
  private static func parts(
    of item: Substring
  ) throws(SpeedCurveError) -> (nanoseconds: Int64, value: Substring, isEased: Bool) {
    let isEased = item.hasPrefix("ease ")
    let point = isEased ? item.dropFirst("ease ".count).trimmingSpaces : item
    guard let colon = point.firstIndex(of: ":") else {
      throw SpeedCurveError(String(item), "is no point: write TIME:SPEED, such as 1.2s:1/8.")
    }
    let time = point[..<colon].trimmingSpaces
    do {
      let duration = try Duration(text: String(time))
      return (duration.wholeNanoseconds, point[point.index(after: colon)...].trimmingSpaces, isEased)
    } catch {
      throw SpeedCurveError(String(item), "has no time in front of its colon: \(error).")
    }
  }

  private static func speed(_ value: Substring, of item: Substring) throws(SpeedCurveError) -> Speed {
    if let factor = Fraction(text: value), factor == Fraction(0) {
      throw SpeedCurveError(
        String(item),
        "has the speed 0, at which a clip would never end. To hold a moment, write 2s:freeze 1s.")
    }
    do {
      return try Speed(text: String(value))
    } catch {
      throw SpeedCurveError(
        String(item),
        item == value ? "is not \(error.expectation)." : "has no speed behind its colon: \(error).")
    }
  }

  /// The nanoseconds of `freeze 1s`; `nil` for anything else.
  private static func freeze(_ value: Substring, of item: Substring) throws(SpeedCurveError) -> Int64? {
    guard value.hasPrefix("freeze") else { return nil }
    do {
      let duration = try Duration(text: String(value.dropFirst("freeze".count).trimmingSpaces))
      guard duration.wholeNanoseconds > 0 else {
        throw SpeedCurveError(String(item), "stands still for no time. Write how long: 2s:freeze 1s.")
      }
      return duration.wholeNanoseconds
    } catch let error as QuantityError {
      throw SpeedCurveError(String(item), "does not say how long it stands still: \(error).")
    } catch {
      throw error as? SpeedCurveError ?? SpeedCurveError(String(item), "\(error)")
    }
  }
}

extension Substring {
  /// Without blanks at both ends.
  fileprivate var trimmingSpaces: Substring {
    var rest = drop { $0.isWhitespace }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return rest
  }
}
