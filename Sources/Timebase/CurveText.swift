/// A malformed point in a curve's text.
public struct CurveError: Error, Hashable, CustomStringConvertible {
  /// The point as written.
  public let point: String
  /// The problem, as the rest of a sentence that begins with the point.
  public let reason: String
  /// The point's line in the text, counted from 1; `nil` if there is no text.
  public let line: Int?

  /// Creates an error for `point`; `reason` completes a sentence that begins with it.
  public init(_ point: String, _ reason: String, line: Int? = nil) {
    self.point = point
    self.reason = reason
    self.line = line
  }

  /// A sentence that names the point and the problem.
  public var description: String { "\"\(point)\" \(reason)" }
}

/// A curve as people write it: values at times, such as `0s:1, 1.2s:1/8, ease 3s:1`.
///
/// Commas or line breaks separate points; a `#` starts a comment that ends with its line. The caller
/// interprets the values, and decides which points form a valid curve.
package struct CurveText {
  /// The text between two commas.
  package struct Item {
    /// The item as written.
    package let text: Substring
    /// The item's line in the text, counted from 1.
    package let line: Int
  }

  /// A value at a time.
  package struct Point {
    /// The time from the curve's zero.
    package let time: Duration
    /// The value as written.
    package let value: Substring
    /// Whether the value eases in from the preceding point, instead of changing linearly.
    package let isEased: Bool
  }

  /// The items in order; none is empty.
  package let items: [Item]

  /// The maximum number of items.
  package static let mostItems = 1000

  /// Splits `text` into items.
  ///
  /// - Throws: ``CurveError`` if there are too many items or a number contains a comma.
  package init(_ text: some StringProtocol) throws(CurveError) {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    var items: [Item] = []
    for (number, line) in lines.enumerated() {
      let parts = Substring(line).prefix { $0 != "#" }.split(separator: ",")
      try Self.checkCommas(parts, line: number + 1)
      // Empty items come from empty lines and from a comma at the end of a line.
      items += parts.map { Item(text: $0.trimmingSpaces, line: number + 1) }.filter { !$0.text.isEmpty }
    }
    self.items = items
    guard items.count <= Self.mostItems else {
      let first = items[Self.mostItems]
      throw CurveError(
        String(first.text), "is one point too many; the maximum is \(Self.mostItems).", line: first.line)
    }
  }
}

extension CurveText {
  /// Rejects decimal commas: a comma between two digits if either of its items has no colon.
  ///
  /// In `0s:1,0,5s:1/8`, it rejects the second comma, not the first.
  private static func checkCommas(_ parts: [Substring], line: Int) throws(CurveError) {
    for (index, (before, after)) in zip(parts, parts.dropFirst()).enumerated()
    where before.last?.isNumber == true && after.first?.isNumber == true
      && !(before.contains(":") && after.contains(":"))
    {
      let isBeforeTime =
        before.contains(":") && index + 2 < parts.count && after.last?.isNumber == true
        && parts[index + 2].first?.isNumber == true && parts[index + 2].contains(":")
      guard !isBeforeTime else { continue }
      let (before, after) = (before.trimmingSpaces, after.trimmingSpaces)
      throw CurveError(
        "\(before),\(after)", "has a decimal comma; write \(before).\(after) instead.", line: line)
    }
  }
}

extension CurveText.Item {
  /// Parses the item as a point.
  ///
  /// - Parameter example: The expected form of a point, such as `TIME:SPEED, such as 1.2s:1/8`.
  /// - Throws: ``CurveError`` if the item has no colon or its time is invalid.
  package func point(like example: String) throws(CurveError) -> CurveText.Point {
    let isEased = text.hasPrefix("ease ")
    let rest = isEased ? text.dropFirst("ease ".count).trimmingSpaces : text
    guard let colon = rest.firstIndex(of: ":") else {
      throw CurveError(String(text), "is not a point: write \(example).", line: line)
    }
    do {
      return CurveText.Point(
        time: try Duration(text: String(rest[..<colon].trimmingSpaces)),
        value: rest[rest.index(after: colon)...].trimmingSpaces, isEased: isEased)
    } catch {
      throw CurveError(String(text), "has no valid time before its colon: \(error).", line: line)
    }
  }
}

extension Substring {
  /// The substring without leading and trailing whitespace.
  package var trimmingSpaces: Substring {
    var rest = drop { $0.isWhitespace }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return rest
  }
}
