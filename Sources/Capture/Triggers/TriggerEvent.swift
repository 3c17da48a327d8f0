public import Timebase

/// A kind of trigger. A ``TriggerSource`` names its own.
public struct TriggerKind: RawRepresentable, Codable, Hashable, Sendable {
  /// The kind's name in takes and events.
  public let rawValue: String

  /// Creates the kind with this name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A program that uses the library.
  public static let program = TriggerKind(rawValue: "program")
}

/// A trigger.
public struct TriggerEvent: Hashable, Sendable {
  /// The kind of the source.
  public var kind: TriggerKind
  /// The time of the trigger, on the session's clock.
  public var time: Instant
  /// The maximum error of ``time``, as far as the source can tell; `nil` if it cannot.
  public var uncertainty: Duration?
  /// The text from the source: a line of standard input.
  public var text: String?
  /// Whether it may begin a take; if not, it only ends an open-ended one.
  public var startsTake: Bool
  /// Whether it waits if no frame has come yet. A key that is pressed before the session is armed is meant
  /// for something else, and is refused.
  public var waitsForFrames: Bool
  /// Whether it ends an open-ended take.
  public var endsTake = true
  /// The frame that triggered; `nil` if none did.
  public var frame: Frame?
  /// The span of its take; `nil` for the plan's.
  public var span: TakeSpan?
  /// The moment around which its session placed the take, on the session's clock; `nil` before that.
  package var moment: Instant?
  /// The time from the beginning of the motion that another camera saw to ``time``; a take with a pre-roll includes it.
  private(set) var lead = Duration.zero
  /// The listener for the outcome.
  let listener: OutcomeListener<TriggerOutcome>?
  /// The listener for the reply, which names the frame.
  private var replyListener: OutcomeListener<TriggerReply>?

  /// A frame that triggered.
  public struct Frame: Hashable, Sendable {
    /// The camera's sequence number of the frame.
    public var sequence: UInt32
    /// The capture time, on the camera's clock.
    public var timestamp: Instant
    /// The strength of the trigger; for motion, the share of the region that changed, from 0 to 1.
    public var score: Double
    /// The beginning of the motion, on the camera's clock; a take with a pre-roll includes it.
    public var begin: Instant

    /// Creates a frame that triggered.
    public init(sequence: UInt32, timestamp: Instant, score: Double, begin: Instant) {
      self.sequence = sequence
      self.timestamp = timestamp
      self.score = score
      self.begin = begin
    }
  }

  /// Creates a trigger.
  ///
  /// - Parameters:
  ///   - kind: The kind of the source.
  ///   - time: The time on the session's clock: ``CaptureSession/now`` for an immediate trigger.
  ///   - uncertainty: The maximum error of `time`; `nil` if it is unknown.
  ///   - text: The line of text that came with it.
  ///   - startsTake: Whether it may begin a take, or only end one.
  ///   - waitsForFrames: Whether it waits for the first frame, or is refused before that.
  ///   - answer: Called once with the outcome, on the writer's thread; must not block.
  public init(
    _ kind: TriggerKind, at time: Instant, uncertainty: Duration? = nil, text: String? = nil,
    startsTake: Bool = true, waitsForFrames: Bool = true, answer: (@Sendable (TriggerOutcome) -> Void)? = nil
  ) {
    self.kind = kind
    self.time = time
    self.uncertainty = uncertainty
    self.text = text
    self.startsTake = startsTake
    self.waitsForFrames = waitsForFrames
    listener = answer.map(OutcomeListener.init)
  }

  /// The same trigger for another session that records the same moment; it has no frame there.
  package var relayed: TriggerEvent {
    var event = TriggerEvent(
      kind, at: moment ?? time, uncertainty: uncertainty, text: text, startsTake: startsTake)
    event.endsTake = endsTake
    event.span = span
    event.lead = frame.map { max(.zero, $0.timestamp - $0.begin) } ?? lead
    return event
  }

  /// Reports the outcome to the listener. A refusal is the whole reply, as it concerns no frame.
  func answer(_ answer: TriggerOutcome) {
    listener?.hear(answer)
    if answer == .refused { reply(TriggerReply(answer, at: time, in: nil)) }
  }

  /// Returns the trigger with a listener for the reply, which is called once, on the writer's thread, when the
  /// frame that the trigger fell into is known; it must not block.
  func replying(_ reply: @escaping @Sendable (TriggerReply) -> Void) -> TriggerEvent {
    var event = self
    event.replyListener = OutcomeListener(reply)
    return event
  }

  /// Whether a listener waits for the reply.
  var isReplyAwaited: Bool { replyListener != nil }

  /// Sends the reply to the listener.
  func reply(_ reply: TriggerReply) { replyListener?.hear(reply) }
}

/// The outcome of a trigger; takes are counted from 1.
public enum TriggerOutcome: Hashable, Sendable {
  /// It began this take.
  case started(take: Int)
  /// It extended this take, as if the take had begun now.
  case extended(take: Int)
  /// It ended this take, which was open-ended.
  case ended(take: Int)
  /// No further take will begin, or the session was not armed yet when the key was pressed.
  case refused

  /// Its name in JSON.
  var name: String {
    switch self {
    case .started: "started"
    case .extended: "extended"
    case .ended: "ended"
    case .refused: "refused"
    }
  }

  /// The number of the take; `nil` if the trigger was refused.
  public var take: Int? {
    switch self {
    case .started(let take), .extended(let take), .ended(let take): take
    case .refused: nil
    }
  }
}
