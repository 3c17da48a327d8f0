/// When takes begin and end, and what follows an interruption.
public struct SessionPlan: Hashable, Sendable {
  /// What begins a take.
  public enum Start: Hashable, Sendable {
    /// The first frame that comes.
    case firstFrame
    /// A trigger.
    case trigger
  }

  /// What follows an interruption.
  public enum InterruptionResponse: Hashable, Sendable {
    /// The session ends.
    case end
    /// The session looks for the camera, and goes on when it is back.
    case reconnect
    /// The session waits for ``SessionCommand/resume``.
    case wait
  }

  /// What becomes of the frames around a trigger.
  public enum Outcome: Hashable, Sendable {
    /// They are written as a take.
    case take
    /// They stay in memory: the stream stops, and the session is reviewed. Nothing is on the disk then.
    case review
  }

  /// What begins a take.
  public var start: Start
  /// How much of the time before its trigger belongs to a take.
  public var preRoll: Duration
  /// How long after the moment that it tells of a trigger may come: so much longer than the pre-roll
  /// frames are kept.
  public var triggerDelay = SessionPlan.usualTriggerDelay
  /// The longest pre-roll that a trigger with a ``TriggerEvent/span`` of its own may ask for.
  public var longestPreRoll = Duration.zero
  /// What becomes of the frames around a trigger that says nothing else; the ring holds pre-roll and limit then.
  public var outcome = Outcome.take
  /// When a take is complete, counted from its last trigger. Without a limit, the next trigger ends
  /// the take.
  public var limit: RecordingLimit
  /// How many takes are recorded; `nil` for as many as are triggered. One that an interruption cuts,
  /// which the session gets over, does not count.
  public var takeCount: Int?
  /// The times that trigger a take.
  public var times: [TriggerTime]
  /// What follows an interruption.
  public var interruptionResponse: InterruptionResponse

  /// A plan for takes around triggers.
  public init(
    preRoll: Duration, limit: RecordingLimit, takeCount: Int? = 1, times: [TriggerTime] = [],
    interruptionResponse: InterruptionResponse = .end
  ) {
    start = .trigger
    self.preRoll = preRoll
    self.limit = limit
    self.takeCount = takeCount
    self.times = times
    self.interruptionResponse = interruptionResponse
  }

  /// A plan for one take from the first frame on.
  ///
  /// With ``InterruptionResponse/reconnect`` each interruption ends one take and begins the next;
  /// the limit holds for all of them together.
  public init(limit: RecordingLimit, interruptionResponse: InterruptionResponse = .end) {
    self.init(preRoll: .zero, limit: limit, interruptionResponse: interruptionResponse)
    start = .firstFrame
  }
}

extension SessionPlan {
  /// The span of a trigger that says nothing else.
  var span: TakeSpan {
    get { TakeSpan(preRoll: preRoll, limit: limit, outcome: outcome) }
    set { (preRoll, limit, outcome) = (newValue.preRoll, newValue.limit, newValue.outcome) }
  }

  /// How much of the time before a trigger is kept.
  var keptTime: Duration { max(preRoll, longestPreRoll) }

  /// How much time the ring must hold.
  var heldTime: Duration { outcome == .review ? keptTime + (limit.duration ?? .zero) : keptTime }

  /// A trigger is stamped a moment before it is seen.
  public static let usualTriggerDelay = Duration.milliseconds(50)

  /// Whether nothing but a trigger or a stop ends a take.
  public var isOpenEnded: Bool { limit == RecordingLimit() }
}

/// What of the time around a trigger belongs together, and what becomes of it.
public struct TakeSpan: Hashable, Sendable {
  /// How much of the time before the trigger; the ring has no more than the plan says.
  public var preRoll: Duration
  /// When it is complete, counted from the trigger.
  public var limit: RecordingLimit
  /// What becomes of it.
  public var outcome: SessionPlan.Outcome

  /// A span of these parts.
  public init(preRoll: Duration, limit: RecordingLimit, outcome: SessionPlan.Outcome = .take) {
    self.preRoll = preRoll
    self.limit = limit
    self.outcome = outcome
  }
}

/// When a take is complete.
public struct RecordingLimit: Hashable, Sendable {
  /// After this many frames in the master.
  public var frames: Int?
  /// After this much time by the frames' own timestamps.
  public var duration: Duration?

  /// A limit; without any, the recording goes on until it is stopped.
  public init(frames: Int? = nil, duration: Duration? = nil) {
    self.frames = frames
    self.duration = duration
  }

  /// What remains after a take of `frames` frames that lasted `duration`.
  func remaining(afterFrames frames: Int, duration: Duration) -> RecordingLimit {
    RecordingLimit(
      frames: self.frames.map { max(0, $0 - frames) },
      duration: self.duration.map { max(.zero, $0 - duration) })
  }

  /// Whether nothing is left to record: no frame, or less time than half of one.
  ///
  /// - Parameter interval: the time between frames.
  func isReached(interval: Duration) -> Bool {
    frames == 0 || duration.map { $0 <= interval / 2 } == true
  }
}
