/// A text that is no curve: which point, and what is wrong with it.
public struct CurveError: Error, Hashable, CustomStringConvertible {
  /// The point, as it was written.
  public let point: String
  /// What is wrong with it, as the rest of a sentence that begins with it.
  public let reason: String
  /// The line of the text that it stands on, counted from 1; `nil` where there is no text.
  public let line: Int?

  /// Says of `point` what is wrong.
  public init(_ point: String, _ reason: String, line: Int? = nil) {
    self.point = point
    self.reason = reason
    self.line = line
  }

  /// The point and what is wrong with it.
  public var description: String { "\"\(point)\" \(reason)" }
}

/// A curve as people write it: values at times, `0s:1, 1.2s:1/8, ease 3s:1`.
///
/// Points stand between commas or on lines of their own; what follows a `#` on a line is a remark.
/// What a value is, and which points make a curve, is for the curve of that value to say.
package struct CurveText {
  /// What stands between two commas.
  package struct Item {
    /// As it was written.
    package let text: Substring
    /// The line that it stands on, counted from 1.
    package let line: Int
  }

  /// A value at a time.
  package struct Point {
    /// From the curve's zero.
    package let time: Duration
    /// The value as it was written.
    package let value: Substring
    /// Whether the value glides from the point before to this one, rather than changing evenly.
    package let isEased: Bool
  }

  /// The items, in order; none is empty.
  package let items: [Item]

  /// The most items that text may have.
  package static let mostItems = 1000

  /// Takes `text` apart.
  ///
  /// - Throws: ``CurveError`` where there are too many items, or a comma stands in a number.
  package init(_ text: some StringProtocol) throws(CurveError) {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    var items: [Item] = []
    for (number, line) in lines.enumerated() {
      let parts = Substring(line).prefix { $0 != "#" }.split(separator: ",")
      try Self.checkCommas(parts, line: number + 1)
      // A comma at the end of a line leaves nothing behind it, and a line may be empty.
      items += parts.map { Item(text: $0.trimmingSpaces, line: number + 1) }.filter { !$0.text.isEmpty }
    }
    self.items = items
    guard items.count <= Self.mostItems else {
      let first = items[Self.mostItems]
      throw CurveError(
        String(first.text), "is one point too many; \(Self.mostItems) are the most.", line: first.line)
    }
  }
}

extension CurveText {
  /// Refuses a comma between digits of which one side has no colon: it stands in a number, not between points. Of two
  /// around digits alone, the second does, where a colon follows.
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
  /// The item as a point.
  ///
  /// - Parameter example: what a point may be: `TIME:SPEED, such as 1.2s:1/8`.
  /// - Throws: ``CurveError`` where it is none, or its time is none.
  package func point(like example: String) throws(CurveError) -> CurveText.Point {
    let isEased = text.hasPrefix("ease ")
    let rest = isEased ? text.dropFirst("ease ".count).trimmingSpaces : text
    guard let colon = rest.firstIndex(of: ":") else {
      throw CurveError(String(text), "is no point: write \(example).", line: line)
    }
    do {
      return CurveText.Point(
        time: try Duration(text: String(rest[..<colon].trimmingSpaces)),
        value: rest[rest.index(after: colon)...].trimmingSpaces, isEased: isEased)
    } catch {
      throw CurveError(String(text), "has no time in front of its colon: \(error).", line: line)
    }
  }
}

extension Substring {
  /// Without blanks at both ends.
  package var trimmingSpaces: Substring {
    var rest = drop { $0.isWhitespace }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return rest
  }
}
