public import Timebase

/// A delay or a time of day.
struct TimeTrigger: TriggerSource {
  static let kind = TriggerKind.time
  static let usage =
    "time=10s: ten seconds pass. time=14:30:00: the clock shows this time"
  static let example = "time=10s"

  /// The time.
  let when: TriggerTime
  let description: String
  let prompt: String

  init(argument: String?) throws(QuantityError) {
    guard let argument else {
      throw QuantityError("time", expected: "a time; write time=10s or time=14:30:00")
    }
    when = try TriggerTime(text: argument)
    description = "time=\(argument)"
    prompt =
      switch when {
      case .delay(let delay): "wait \(delay.inSeconds.decimal(places: 3)) s"
      case .deadline, .timeOfDay: "wait until \(argument)"
      }
  }

  var time: TriggerTime? { when }

  /// Returns `nil`: the session itself watches the clock.
  func open(to session: CaptureSession) -> (any Sendable)? { nil }
}

extension TriggerKind {
  /// A delay or a time of day.
  public static let time = TriggerKind(rawValue: "time")
}

/// A time that begins a take.
public enum TriggerTime: Hashable, Sendable {
  /// A delay after the session is armed, for each take.
  case delay(Duration)
  /// A time on the session's clock, once.
  case deadline(Instant)
  /// The next occurrence of a time of day, once.
  case timeOfDay(TimeOfDay)

  /// Reads a duration, `10s`, or a time of day, `14:30` or `14:30:00`: its next occurrence, in local time.
  ///
  /// - Throws: `QuantityError` if `text` is neither.
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
