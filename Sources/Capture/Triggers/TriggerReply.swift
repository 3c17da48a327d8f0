import FoundationEssentials
public import Timebase

/// A recording's reply to a trigger from its socket or from a datagram: one line of JSON.
public struct TriggerReply: Hashable, Sendable {
  /// The outcome of the trigger.
  public var outcome: TriggerOutcome
  /// The time of the trigger, on the session's clock.
  public var time: Instant
  /// The camera's number of the frame that the trigger fell into: the latest one captured at or before it;
  /// `nil` if there was none, or the trigger was refused.
  public var sequence: UInt32?

  init(_ outcome: TriggerOutcome, at time: Instant, in sequence: UInt32?) {
    self.outcome = outcome
    self.time = time
    self.sequence = sequence
  }
}

extension TriggerReply: Codable {
  enum CodingKeys: String, CodingKey {
    case outcome, take, sequence
    case time = "time_ns"
  }

  /// Reads a reply.
  public init(from decoder: any Decoder) throws {
    let keys = try decoder.container(keyedBy: CodingKeys.self)
    time = try keys.decode(Instant.self, forKey: .time)
    sequence = try keys.decodeIfPresent(UInt32.self, forKey: .sequence)
    func take() throws -> Int { try keys.decode(Int.self, forKey: .take) }
    switch try keys.decode(String.self, forKey: .outcome) {
    case "started": outcome = .started(take: try take())
    case "extended": outcome = .extended(take: try take())
    case "ended": outcome = .ended(take: try take())
    case "refused": outcome = .refused
    case let other:
      throw DecodingError.dataCorruptedError(
        forKey: .outcome, in: keys, debugDescription: "\"\(other)\" is not an outcome of a trigger")
    }
  }

  /// Encodes the reply; unknown values are `null`.
  public func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(outcome.name, forKey: .outcome)
    try keys.encode(outcome.take, forKey: .take)
    try keys.encode(time, forKey: .time)
    try keys.encode(sequence, forKey: .sequence)
  }
}
