import Glibc
import Platform
public import Timebase

/// A time that begins a take by itself.
public enum TriggerTime: Hashable, Sendable {
  /// So long after the camera stood by, each time anew.
  case delay(Duration)
  /// Once, at this time of `CLOCK_MONOTONIC`.
  case deadline(Instant)

  /// Reads a duration, `10s`, or a time of day, `14:30` or `14:30:00`: the next one, by local time.
  ///
  /// - Throws: `QuantityError` where `text` is neither.
  public init(text: String) throws(QuantityError) {
    // 14:30 is a time of day here, not a duration.
    if !text.contains(":"), let duration = try? Duration(text: text) {
      self = .delay(duration)
      return
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int32($0) }
    guard (2...3).contains(parts.count), let hour = parts[0], let minute = parts[1],
      let second = parts.count == 3 ? parts[2] : 0,
      (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second)
    else {
      throw QuantityError(text, expected: "a duration such as 10s, or a time of day such as 14:30:00")
    }
    self = .deadline(MonotonicClock.now + Self.duration(until: hour, minute, second))
  }

  /// How long it takes from now until the clock on the wall shows this next.
  private static func duration(until hour: Int32, _ minute: Int32, _ second: Int32) -> Duration {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    var day = tm()
    withUnsafePointer(to: now.tv_sec) { _ = localtime_r($0, &day) }
    (day.tm_hour, day.tm_min, day.tm_sec) = (hour, minute, second)
    // Whether that is in summer time is for the calendar to say; so is what follows the last day of a month.
    day.tm_isdst = -1
    var tomorrow = day
    tomorrow.tm_mday += 1
    var then = mktime(&day)
    if then <= now.tv_sec { then = mktime(&tomorrow) }
    return .seconds(then - now.tv_sec) - .nanoseconds(now.tv_nsec)
  }
}
