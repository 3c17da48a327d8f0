import Timebase

/// A text that is no speed curve: which point, and what is wrong with it.
public struct SpeedCurveError: Error, Hashable, CustomStringConvertible {
  /// The point, as it was written.
  public let point: String
  /// What is wrong with it, as the rest of a sentence that begins with it.
  public let reason: String
  /// The line of the text that it stands on, counted from 1; `nil` where there is no text.
  public internal(set) var line: Int?

  /// Says of `point` what is wrong.
  public init(_ point: String, _ reason: String, line: Int? = nil) {
    self.point = point
    self.reason = reason
    self.line = line
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
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    // A comma at the end of a line leaves nothing behind it, and a line may be empty.
    let written = lines.enumerated().flatMap { number, line in
      line.prefix { $0 != "#" }.split(separator: ",").map { (item: $0.trimmingSpaces, line: number + 1) }
    }.filter { !$0.item.isEmpty }
    guard let first = written.first?.item else {
      let start = text.count > 40 ? text.prefix(40) + "..." : text[...]
      throw SpeedCurveError(
        String(start), "holds no speed. Write one such as 1/8, or points such as 0s:1, 1.2s:1/8.")
    }
    var line = written[0].line
    do throws(SpeedCurveError) {
      guard written.count > 1 || first.contains(":") else {
        self.init(try Self.speed(first, of: first))
        return
      }
      guard written.count <= Self.mostPoints else {
        line = written[Self.mostPoints].line
        throw SpeedCurveError(
          String(written[Self.mostPoints].item), "is one point too many; \(Self.mostPoints) are the most.")
      }
      var points: [Point] = []
      var freezes: [Freeze] = []
      for (item, place) in written {
        line = place
        try Self.read(item, &points, &freezes)
        // Checked beside those in front of it, so that the line is known.
        if !points.isEmpty { try Self.check(points, freezes) }
      }
      try self.init(points: points, freezes: freezes)
    } catch {
      throw SpeedCurveError(error.point, error.reason, line: line)
    }
  }

  /// Reads a point or a freeze and adds it.
  private static func read(
    _ item: Substring, _ points: inout [Point], _ freezes: inout [Freeze]
  ) throws(SpeedCurveError) {
    let (time, value, isEased) = try parts(of: item)
    let latest = max(points.last?.time ?? .zero, freezes.last?.time ?? .zero)
    guard time >= latest else {
      throw SpeedCurveError(
        String(item),
        "comes after \(text(latest)). Write the points in the order of time.")
    }
    guard let duration = try freeze(value, of: item) else {
      points.append(Point(time: time, speed: try speed(value, of: item), isEased: isEased))
      return
    }
    guard !isEased else { throw SpeedCurveError(String(item), "is a freeze, which cannot be eased.") }
    freezes.append(Freeze(time: time, duration: duration))
  }

  /// `ease 1.2s:1/8` in its parts.
  private static func parts(
    of item: Substring
  ) throws(SpeedCurveError) -> (time: Duration, value: Substring, isEased: Bool) {
    let isEased = item.hasPrefix("ease ")
    let point = isEased ? item.dropFirst("ease ".count).trimmingSpaces : item
    guard let colon = point.firstIndex(of: ":") else {
      throw SpeedCurveError(String(item), "is no point: write TIME:SPEED, such as 1.2s:1/8.")
    }
    let time = point[..<colon].trimmingSpaces
    do {
      let duration = try Duration(text: String(time))
      return (duration, point[point.index(after: colon)...].trimmingSpaces, isEased)
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

  /// The duration of `freeze 1s`; `nil` for anything else.
  private static func freeze(_ value: Substring, of item: Substring) throws(SpeedCurveError) -> Duration? {
    guard value.hasPrefix("freeze") else { return nil }
    do {
      let duration = try Duration(text: String(value.dropFirst("freeze".count).trimmingSpaces))
      guard duration > .zero else {
        throw SpeedCurveError(String(item), "stands still for no time. Write how long: 2s:freeze 1s.")
      }
      return duration
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
