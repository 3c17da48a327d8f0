public import Timebase

/// A time that begins a take by itself.
public enum TriggerTime: Hashable, Sendable {
  /// So long after the camera stood by, each time anew.
  case delay(Duration)
  /// Once, at this time of the session's clock.
  case deadline(Instant)
  /// Once, when the clock on the wall shows this next.
  case timeOfDay(TimeOfDay)

  /// Reads a duration, `10s`, or a time of day, `14:30` or `14:30:00`: the next one, by local time.
  ///
  /// - Throws: `QuantityError` where `text` is neither.
  public init(text: String) throws(QuantityError) {
    // 14:30 is a time of day here, not a duration.
    if !text.contains(":"), let duration = try? Duration(text: text) {
      self = .delay(duration)
      return
    }
    guard let time = TimeOfDay(text: text) else {
      throw QuantityError(text, expected: "a duration such as 10s, or a time of day such as 14:30:00")
    }
    self = .timeOfDay(time)
  }
}
