import ArgumentParser
import Foundation

/// A day in the local calendar: `2026-11-22`, `today` or `yesterday`.
struct DayArgument {
  /// The day as written, in lower case.
  let text: String
  /// Its first moment.
  let start: Date
  /// The first moment of the next day.
  let end: Date

  init(_ text: String, now: Date = Date()) throws {
    let calendar = Calendar.current
    guard let day = Self.day(text, calendar, now), let end = calendar.date(byAdding: .day, value: 1, to: day)
    else {
      throw ValidationError("\"\(text)\" is not a day. Write 2026-11-22, today or yesterday.")
    }
    self.text = text.lowercased()
    start = day
    self.end = end
  }

  private static func day(_ text: String, _ calendar: Calendar, _ now: Date) -> Date? {
    switch text.lowercased() {
    case "today": return calendar.startOfDay(for: now)
    case "yesterday": return calendar.date(byAdding: .day, value: -1, to: calendar.startOfDay(for: now))
    default:
      guard let match = text.wholeMatch(of: /(\d{4})-(\d{2})-(\d{2})/), let year = Int(match.output.1),
        let month = Int(match.output.2), let day = Int(match.output.3)
      else { return nil }
      let parts = DateComponents(year: year, month: month, day: day)
      guard parts.isValidDate(in: calendar) else { return nil }
      return calendar.date(from: parts)
    }
  }
}
