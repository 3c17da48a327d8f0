import Timebase

/// The latest frames of a stream, which show the frame that a trigger fell into: the last one captured at or
/// before it.
///
/// A frame arrives some time after its capture, so a reply that names the frame waits for the first one after
/// the trigger.
struct TriggerFrames {
  /// A reply that waits for its frame.
  private struct Waiting {
    var event: TriggerEvent
    var outcome: TriggerOutcome
    /// The time of the trigger, on the frames' clock.
    var time: Instant
    var sequence: UInt32?
    /// The time at which the reply is sent without further frames, on the session's clock.
    var deadline: Instant
  }

  private var recent: [(sequence: UInt32, timestamp: Instant)] = []
  private var waiting: [Waiting] = []

  /// The number of frames that are kept at least: more than the slowest source's delay at any rate.
  private static let leastKept = 1024
  /// The maximum time that a reply waits for a frame.
  static let patience = Duration.seconds(1)

  /// Adds a frame, in order, and sends the replies that waited for it.
  mutating func see(_ frame: RingRecord) {
    // Some drivers' clocks restart with each stream.
    if let last = recent.last, frame.timestamp < last.timestamp { recent = [] }
    if recent.count >= 2 * Self.leastKept { recent.removeFirst(Self.leastKept) }
    recent.append((frame.sequence, frame.timestamp))
    guard !waiting.isEmpty else { return }
    for index in waiting.indices where frame.timestamp <= waiting[index].time {
      waiting[index].sequence = frame.sequence
    }
    send { frame.timestamp > $0.time }
  }

  /// Returns the camera's number of the latest frame captured at or before `time`; `nil` if there is none.
  func sequence(at time: Instant) -> UInt32? { recent.last { $0.timestamp <= time }?.sequence }

  /// Sends the reply to `event` once its frame is known.
  ///
  /// - Parameter time: The time of the trigger, on the frames' clock.
  mutating func answer(_ event: TriggerEvent, _ outcome: TriggerOutcome, at time: Instant, now: Instant) {
    guard event.isReplyAwaited else { return }
    waiting.append(
      Waiting(
        event: event, outcome: outcome, time: time, sequence: event.frame?.sequence ?? sequence(at: time),
        deadline: now + Self.patience))
    if let newest = recent.last { send { newest.timestamp > $0.time } }
  }

  /// Sends the replies that have waited too long.
  mutating func advance(to now: Instant) {
    if !waiting.isEmpty { send { now >= $0.deadline } }
  }

  /// Sends all replies, because no more frames come.
  mutating func finish() { send { _ in true } }

  private mutating func send(where isDue: (Waiting) -> Bool) {
    waiting.removeAll { reply in
      guard isDue(reply) else { return false }
      reply.event.reply(TriggerReply(reply.outcome, at: reply.event.time, in: reply.sequence))
      return true
    }
  }
}
