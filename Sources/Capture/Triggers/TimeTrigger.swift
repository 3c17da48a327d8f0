import Timebase

/// A time.
struct TimeTrigger: TriggerSource {
  static let kind = TriggerKind.time
  static let usage =
    "time=10s: ten seconds pass. time=14:30:00: the clock shows this time"

  /// When that is.
  let when: TriggerTime
  let description: String
  let prompt: String

  init(argument: String?) throws(QuantityError) {
    guard let argument else { throw QuantityError("time", expected: "a time: time=10s or time=14:30:00") }
    when = try TriggerTime(text: argument)
    description = "time=\(argument)"
    prompt =
      switch when {
      case .delay(let delay): "wait \(delay.inSeconds.decimal(places: 3)) s"
      case .deadline, .timeOfDay: "wait until \(argument)"
      }
  }

  var time: TriggerTime? { when }

  /// Nothing: the session looks at the clock by itself.
  func open(to session: CaptureSession) -> (any Sendable)? { nil }
}

extension TriggerKind {
  /// A time.
  public static let time = TriggerKind(rawValue: "time")
}
