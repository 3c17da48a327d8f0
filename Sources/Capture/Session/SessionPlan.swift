/// A plan of takes: their start and end, and the response to an interruption.
public struct SessionPlan: Hashable, Sendable {
  /// The start of a take.
  public enum Start: Hashable, Sendable {
    /// With the first frame.
    case firstFrame
    /// With a trigger.
    case trigger
  }

  /// The response to an interruption.
  public enum InterruptionResponse: Hashable, Sendable {
    /// End the session.
    case end
    /// Look for the camera, and continue when it is back.
    case reconnect
    /// Wait for ``SessionCommand/resume``.
    case wait
  }

  /// The use of the frames around a trigger.
  public enum Outcome: Hashable, Sendable {
    /// Write them as a take.
    case take
    /// Keep them in memory: the stream stops for a review, and nothing is written to the disk.
    case review
  }

  /// The start of a take.
  public var start: Start
  /// The length of a take before its trigger.
  public var preRoll: Duration
  /// The maximum delay from the moment of a trigger to its arrival; frames are kept for this time in addition
  /// to the pre-roll.
  public var triggerDelay = SessionPlan.usualTriggerDelay
  /// The longest pre-roll of a trigger with its own ``TriggerEvent/span``.
  public var longestPreRoll = Duration.zero
  /// The default use of the frames around a trigger; for a review, the ring holds the pre-roll and the limit.
  public var outcome = Outcome.take
  /// The end of a take, counted from its last trigger. Without a limit, the next trigger ends the take.
  public var limit: RecordingLimit
  /// The number of takes to record; `nil` if unlimited. A take cut short by an interruption that the session
  /// survives does not count.
  public var takeCount: Int?
  /// The times that trigger a take.
  public var times: [TriggerTime]
  /// The response to an interruption.
  public var interruptionResponse: InterruptionResponse

  /// Creates a plan for takes around triggers.
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

  /// Creates a plan for one take from the first frame on.
  ///
  /// With ``InterruptionResponse/reconnect``, each interruption ends one take and begins the next; the limit
  /// applies to all of them together.
  public init(limit: RecordingLimit, interruptionResponse: InterruptionResponse = .end) {
    self.init(preRoll: .zero, limit: limit, interruptionResponse: interruptionResponse)
    start = .firstFrame
  }
}

extension SessionPlan {
  /// The default span of triggers.
  var span: TakeSpan {
    get { TakeSpan(preRoll: preRoll, limit: limit, outcome: outcome) }
    set { (preRoll, limit, outcome) = (newValue.preRoll, newValue.limit, newValue.outcome) }
  }

  /// The length of time before a trigger that is kept.
  var keptTime: Duration { max(preRoll, longestPreRoll) }

  /// The length of time that the ring must hold.
  var heldTime: Duration { outcome == .review ? keptTime + (limit.duration ?? .zero) : keptTime }

  /// The usual delay from a trigger's timestamp to its arrival.
  public static let usualTriggerDelay = Duration.milliseconds(50)

  /// Whether only a trigger or a stop ends a take.
  public var isOpenEnded: Bool { limit == RecordingLimit() }
}

/// The time around a trigger that belongs to a take, and its use.
public struct TakeSpan: Hashable, Sendable {
  /// The length before the trigger; the ring holds no more than the plan's.
  public var preRoll: Duration
  /// The end, counted from the trigger.
  public var limit: RecordingLimit
  /// The use of the frames.
  public var outcome: SessionPlan.Outcome

  /// Creates a span.
  public init(preRoll: Duration, limit: RecordingLimit, outcome: SessionPlan.Outcome = .take) {
    self.preRoll = preRoll
    self.limit = limit
    self.outcome = outcome
  }
}

/// The limit of a take.
public struct RecordingLimit: Hashable, Sendable {
  /// The number of frames in the master; `nil` if unlimited.
  public var frames: Int?
  /// The length by the frames' own timestamps; `nil` if unlimited.
  public var duration: Duration?

  /// Creates a limit; without arguments, the recording continues until it is stopped.
  public init(frames: Int? = nil, duration: Duration? = nil) {
    self.frames = frames
    self.duration = duration
  }

  /// Returns the rest of the limit after a take of `frames` frames that lasted `duration`.
  func remaining(afterFrames frames: Int, duration: Duration) -> RecordingLimit {
    RecordingLimit(
      frames: self.frames.map { max(0, $0 - frames) },
      duration: self.duration.map { max(.zero, $0 - duration) })
  }

  /// Returns whether nothing is left to record: no frame, or at most half a frame's time.
  ///
  /// - Parameter interval: The time between frames.
  func isReached(interval: Duration) -> Bool {
    frames == 0 || duration.map { $0 <= interval / 2 } == true
  }
}
