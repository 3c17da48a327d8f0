import FoundationEssentials
import Media

extension String {
  /// The time in a generated name such as `overcrank-20190101T125900.999`, which is local, in UTC as ISO 8601;
  /// `nil` if there is none.
  var stampedDate: String? {
    firstMatch(of: /(?:^|\D)(\d{8})[T_-](\d{6})(?!\d)/).flatMap {
      Date.text(of: String($0.output.1 + $0.output.2), in: .current)
    }
  }
}

extension PhotoTags.Moment {
  /// The moment in UTC as ISO 8601, to the second; `nil` if it is not a time.
  var date: String? {
    let zone = offset.wholeMatch(of: /([+-])(\d\d):(\d\d)/).flatMap { parts -> TimeZone? in
      guard let hours = Int(parts.output.2), let minutes = Int(parts.output.3) else { return nil }
      return TimeZone(secondsFromGMT: (parts.output.1 == "-" ? -60 : 60) * (hours * 60 + minutes))
    }
    guard time.wholeMatch(of: /\d{4}:\d\d:\d\d \d\d:\d\d:\d\d/) != nil else { return nil }
    return Date.text(of: time.filter(\.isNumber), in: zone ?? .current)
  }
}

extension Date {
  /// Returns the time of the digits of year, month, day, hour, minute and second, in UTC as ISO 8601; `nil` if
  /// there is no such time.
  fileprivate static func text(of digits: String, in zone: TimeZone) -> String? {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let numbers = digits.compactMap(\.wholeNumberValue)
    guard numbers.count == 14 else { return nil }
    func number(_ range: Range<Int>) -> Int { numbers[range].reduce(0) { $0 * 10 + $1 } }
    let parts = DateComponents(
      year: number(0..<4), month: number(4..<6), day: number(6..<8), hour: number(8..<10),
      minute: number(10..<12), second: number(12..<14))
    guard (1...12).contains(number(4..<6)), (1...31).contains(number(6..<8)), number(8..<10) < 24,
      number(10..<12) < 60, number(12..<14) < 61, let date = calendar.date(from: parts)
    else { return nil }
    return date.formatted(.iso8601)
  }
}
