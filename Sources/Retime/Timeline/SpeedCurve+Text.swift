public import Timebase

extension SpeedCurve {
  /// Parses a speed such as `1/8`, or a curve of points: `0s:1, 1.2s:1/8, ease 3s:1, 4s:freeze 1s`.
  ///
  /// Points are separated by commas or line breaks; a `#` begins a comment that ends with the line.
  ///
  /// - Throws: `CurveError` that names the point.
  public init(text: String) throws(CurveError) {
    let written = try CurveText(text).items
    guard let first = written.first?.text else {
      let start = text.count > 40 ? text.prefix(40) + "..." : text[...]
      throw CurveError(
        String(start), "contains no speed. Write one such as 1/8, or points such as 0s:1, 1.2s:1/8.")
    }
    var line = written[0].line
    do throws(CurveError) {
      guard written.count > 1 || first.contains(":") else {
        self.init(try Self.speed(first, of: first))
        return
      }
      try Self.checkIsNoRatio(written)
      var points: [Point] = []
      var freezes: [Freeze] = []
      for item in written {
        line = item.line
        try Self.read(item, &points, &freezes)
        // Checked after each item, so that an error has its line.
        if !points.isEmpty { try Self.check(points, freezes) }
      }
      try self.init(points: points, freezes: freezes)
    } catch {
      throw CurveError(error.point, error.reason, line: line)
    }
  }

  /// Refuses `1:8`, by which people mean eight times slower.
  private static func checkIsNoRatio(_ written: [CurveText.Item]) throws(CurveError) {
    guard written.count == 1, let text = written.first?.text, !text.contains("/") else { return }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Fraction(text: $0) }
    guard parts.count == 2, let time = parts[0], let speed = parts[1], time > Fraction(0), speed > Fraction(0)
    else { return }
    throw CurveError(
      String(text),
      "is not clear. Write \(text.replacing(":", with: "/")) for a speed, or a unit for a point: \(text.replacing(":", with: "s:"))."
    )
  }

  /// Parses a point or a freeze and adds it.
  private static func read(
    _ item: CurveText.Item, _ points: inout [Point], _ freezes: inout [Freeze]
  ) throws(CurveError) {
    let point = try item.point(like: "TIME:SPEED, such as 1.2s:1/8")
    let latest = max(points.last?.time ?? .zero, freezes.last?.time ?? .zero)
    guard point.time >= latest else {
      throw CurveError(
        String(item.text),
        "is earlier than the point before it, at \(text(latest)). Write the points in order of time.")
    }
    guard let duration = try freeze(point.value, of: item.text) else {
      points.append(
        Point(time: point.time, speed: try speed(point.value, of: item.text), isEased: point.isEased))
      return
    }
    guard !point.isEased else {
      throw CurveError(String(item.text), "is a freeze, which cannot be eased.")
    }
    freezes.append(Freeze(time: point.time, duration: duration))
  }

  private static func speed(_ value: Substring, of item: Substring) throws(CurveError) -> Speed {
    if let factor = Fraction(text: value), factor == Fraction(0) {
      throw CurveError(
        String(item),
        "has the speed 0, at which a clip would never end. To hold a moment, write 2s:freeze 1s.")
    }
    do {
      return try Speed(text: String(value))
    } catch {
      throw CurveError(
        String(item),
        item == value ? "is not \(error.expectation)." : "has no valid speed after its colon: \(error).")
    }
  }

  /// Returns the duration of `freeze 1s`; `nil` for anything else.
  private static func freeze(_ value: Substring, of item: Substring) throws(CurveError) -> Duration? {
    guard value.hasPrefix("freeze") else { return nil }
    do {
      let duration = try Duration(text: String(value.dropFirst("freeze".count).trimmingSpaces))
      guard duration > .zero else {
        throw CurveError(String(item), "lasts no time. Write its duration: 2s:freeze 1s.")
      }
      return duration
    } catch let error as QuantityError {
      throw CurveError(String(item), "does not say how long it lasts: \(error).")
    } catch {
      throw error as? CurveError ?? CurveError(String(item), "\(error)")
    }
  }
}
