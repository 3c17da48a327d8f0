public import Platform

/// What begins a take, or keeps it going.
///
/// A source of another kind, such as motion or sound, needs a name here and something that calls
/// ``TriggerQueue/add(_:)``; nothing else knows where a trigger comes from.
public enum TriggerKind: String, Codable, Hashable, Sendable {
  /// Enter on the terminal, or a line on standard input.
  case enter
  /// Any key on the terminal.
  case key
  /// SIGUSR1.
  case signal
  /// `overcrank trigger`, through a Unix socket.
  case socket
  /// A line of text on standard input.
  case stdin
  /// A time.
  case time
}

/// A trigger that came.
public struct TriggerEvent: Sendable {
  /// Where it came from.
  public var kind: TriggerKind
  /// When, in nanoseconds on `CLOCK_MONOTONIC`.
  public var nanoseconds: Int64
  /// What its source said with it: a line of standard input.
  public var text: String?
  /// Whether it may begin a take; else it only ends one that has no end of its own.
  public var startsTake: Bool
  /// Is told once what came of it, on the writer's thread; must not wait for anything.
  public var answer: (@Sendable (TriggerOutcome) -> Void)?

  /// A trigger that came just now.
  public init(
    _ kind: TriggerKind, at nanoseconds: Int64 = MonotonicClock.now, text: String? = nil,
    startsTake: Bool = true,
    answer: (@Sendable (TriggerOutcome) -> Void)? = nil
  ) {
    self.kind = kind
    self.nanoseconds = nanoseconds
    self.text = text
    self.startsTake = startsTake
    self.answer = answer
  }
}

/// What came of a trigger; takes are counted from 1.
public enum TriggerOutcome: Hashable, Sendable {
  /// It began this take.
  case started(take: Int)
  /// It came in this take, which now goes on for as long as if it had begun here.
  case extended(take: Int)
  /// It ended this take, which had no end of its own.
  case ended(take: Int)
  /// There will be no further take.
  case refused

  /// The take that it is about; `nil` where it was refused.
  public var take: Int? {
    switch self {
    case .started(let take), .extended(let take), .ended(let take): take
    case .refused: nil
    }
  }
}
