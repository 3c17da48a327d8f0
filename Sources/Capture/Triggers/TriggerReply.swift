import FoundationEssentials

/// What a recording answers to `overcrank trigger`: one line of JSON.
public struct TriggerReply: Codable, Hashable, Sendable {
  /// What came of the trigger.
  public enum Outcome: String, Codable, Hashable, Sendable {
    /// It began a take.
    case started
    /// It came in a take, which goes on for as long as if it had begun there.
    case extended
    /// It ended a take that had no end of its own.
    case ended
    /// There will be no further take.
    case refused
  }

  /// What came of the trigger.
  public var outcome: Outcome
  /// The take, counted from 1; `nil` where there is none.
  public var take: Int?
  /// When the trigger came, in nanoseconds on `CLOCK_MONOTONIC`.
  public var time: Int64

  enum CodingKeys: String, CodingKey {
    case outcome, take
    case time = "time_ns"
  }

  init(_ answer: TriggerAnswer, at time: Int64) {
    self.time = time
    switch answer {
    case .started(let take): (outcome, self.take) = (.started, take)
    case .extended(let take): (outcome, self.take) = (.extended, take)
    case .ended(let take): (outcome, self.take) = (.ended, take)
    case .refused: (outcome, take) = (.refused, nil)
    }
  }

  /// Writes the reply; what is unknown is `null`.
  public func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(outcome, forKey: .outcome)
    try keys.encode(take, forKey: .take)
    try keys.encode(time, forKey: .time)
  }
}
