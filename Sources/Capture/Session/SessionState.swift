import Cameras
import Platform
import Timebase

/// The logic of a session, without threads, files and clocks.
///
/// A pure value: commands, the frames' times and readings of the session's clock go in, actions come
/// out. The owner performs the actions in order and reports their outcome. The frames' own timestamps
/// decide which of them belong to a take, so it does not matter how late a trigger is seen.
struct SessionState {
  /// What the session does.
  enum Phase: Hashable {
    /// The newest frames wait in the ring for a trigger.
    case armed
    /// Frames go into a take.
    case filming(TakeWindow)
    /// The frames around a trigger are awaited, and stay in the ring.
    case gathering(TakeWindow)
    /// The stream has stopped, and the ring keeps its last frames: those of the window, or all.
    case reviewing(TakeWindow?)
    /// No frames come.
    case interrupted(InterruptionReason)
    /// The session is over.
    case ended
  }

  /// Why the stream is being stopped.
  enum Stop: Hashable {
    case end(CaptureError?)
    case configure(SessionConfiguration)
    case review
  }

  private(set) var plan: SessionPlan
  private(set) var phase = Phase.armed
  /// The number of the current take, or of the next one.
  var takeNumber = 1
  /// How many takes have ended, but for those that go on in another or were cut by an interruption.
  var completedTakes = 0
  /// How many takes have ended.
  var takeCount = 0

  /// Converts between the frames' clock and the session's.
  var clock = TimestampMapper()
  /// The time between frames; zero where it is not known.
  var interval = Duration.zero
  /// The first frame since the stream was opened.
  var firstFrame: Instant?
  /// When that was found in the ring.
  var firstFrameSeenAt: Instant?
  /// Whether a frame has come since the session began.
  var hasStarted = false
  /// What the camera is set to.
  var configuration: SessionConfiguration
  /// What it was set to before a change that it has not confirmed yet.
  var former: SessionConfiguration?

  /// The still for which the camera is set to another mode and back; `nil` while there is none.
  var detour: StillDetour?
  /// The change that has no answer yet.
  var request: ConfigurationChange?

  /// Triggers that have no answer yet.
  var waiting: [TriggerEvent] = []
  /// When further triggers extended the take.
  var extensions: [Instant] = []
  /// Whether a trigger may still come.
  var mayBeTriggered = true
  /// The places in the plan of the times that have come and do not come again.
  var firedTimes: Set<Int> = []
  /// The watches for the plan's times of day, by their places.
  var wallWatches: [Int: TimeOfDayWatch] = [:]
  /// When the session began to stand by for this take; `nil` until a frame has come.
  var armedAt: Instant?
  var beganAt = Instant(nanoseconds: 0)
  /// Where the take before ended, on the frames' clock.
  var previousEnd = Instant.distantPast
  /// The rest of the limit, for a take that goes on in another one.
  var continuation: RecordingLimit?
  /// How much of the pre-roll the ring holds.
  var held = Duration.zero
  /// Frames before this were not kept, as no trigger could ask for them by then.
  var keptFrom = Instant.distantPast
  /// Whether the ring was too small for the whole pre-roll.
  var isPreRollCut = false
  /// What triggered what is gathered or reviewed.
  var reviewTrigger: TriggerEvent?
  /// Whether the ring has no room for more of what is gathered.
  var isGatheringFull = false

  var stopping: Stop?
  /// When the stream ended.
  var stoppedAt = Instant(nanoseconds: 0)
  /// When the last frame of the former mode was captured, and when it was seen; `nil` where none was.
  var lastFrame: (timestamp: Instant, arrival: Instant)?
  /// When the camera is looked for next.
  var nextLook = Instant.distantFuture
  /// How often the stream was opened again since a frame came.
  var restarts = 0
  /// Whether only `resume` opens the stream again, as nothing was running when the driver failed.
  var waitsForResume = false
  /// Why no frames come; told, and over with the next frame.
  var interruption: SessionStatus.Interruption?

  /// How much longer than its limit a take may last by the clock if the camera's own timestamps do
  /// not move.
  static let patience = Duration.seconds(5)
  /// How often the camera is looked for.
  static let lookInterval = Duration.milliseconds(250)
  /// How often a driver that fails while the camera is there is started again.
  static let mostRestarts = 3
  /// How many triggers may wait for the end of a take; more are refused.
  static let mostWaiting = 1000

  init(_ plan: SessionPlan, configuration: SessionConfiguration, clock: SessionClock = .monotonic) {
    self.plan = plan
    self.configuration = configuration
    for (place, time) in plan.times.enumerated() {
      if case .timeOfDay(let time) = time { wallWatches[place] = TimeOfDayWatch(time, on: clock) }
    }
  }

  /// Whether a take is in progress.
  var isFilming: Bool { if case .filming = phase { true } else { false } }
  /// Whether frames stay in the ring for a review.
  var isGathering: Bool { if case .gathering = phase { true } else { false } }
  /// Whether the ring is reviewed.
  var isReviewing: Bool { if case .reviewing = phase { true } else { false } }
  /// Whether frames come, or are on their way.
  var isCapturing: Bool { phase == .armed || isFilming || isGathering }
  /// Whether the session is over.
  var hasEnded: Bool { phase == .ended }
  /// Whether the session waits for somebody: for a trigger, or for what is to be saved of a review.
  var isWaiting: Bool {
    isReviewing || isGathering
      || phase == .armed && armedAt != nil && stopping == nil && !isComplete
  }
  /// Whether no frames come.
  var isInterrupted: Bool { if case .interrupted = phase { true } else { false } }
  /// Whether nothing but `resume` has frames come again.
  var isWaitingForResume: Bool { isInterrupted && (plan.interruptionResponse == .wait || waitsForResume) }
  /// Whether no frames come until somebody says what is next.
  var isWaitingForPerson: Bool { isReviewing || isWaitingForResume }
  /// The configuration that frames last came in.
  var configurationInForce: SessionConfiguration { former ?? configuration }
  /// Whether all requested takes have been recorded.
  var isComplete: Bool { plan.takeCount.map { completedTakes >= $0 } == true }

  mutating func enter(_ phase: Phase) { self.phase = phase }

  /// Has triggers that say nothing else mean `span` from now on.
  mutating func adopt(_ span: TakeSpan) {
    let former = plan.keptTime
    plan.span = span
    if plan.keptTime > former, let newest = clock.newest { keptFrom = newest - former }
  }
}

// MARK: The stream

extension SessionState {
  /// The stream was opened at `now`.
  ///
  /// - Parameter interval: the time between frames; zero where it is not known.
  mutating func streamOpened(interval: Duration, at now: Instant) -> [SessionAction] {
    self.interval = interval
    clock = TimestampMapper()
    firstFrame = nil
    firstFrameSeenAt = nil
    held = .zero
    keptFrom = .distantPast
    previousEnd = .distantPast
    nextLook = .distantFuture
    return arm(at: now)
  }

  /// The stream could not be opened again.
  mutating func openingFailed(_ error: CaptureError, at now: Instant) -> [SessionAction] {
    if detour != nil, !isInterrupted { return detourFailed(error) }
    if detour == nil, let former, !(isInterrupted && InterruptionReason(error)?.isPassing == true) {
      // All or nothing: the camera goes on as it was.
      adopt(former)
      return answerRequest(.refused(error)) + [.tell(.error(error)), .open(configuration)]
    }
    guard isInterrupted else { return interrupt(by: error) }
    if plan.interruptionResponse == .wait || waitsForResume { return [.tell(.error(error))] }
    guard let reason = InterruptionReason(error), reason.isPassing else { return end(error) }
    // A camera that was plugged in again has no permissions until udev has set them.
    let isSettling = if case .camera(let error) = error { error.code == .noPermission } else { false }
    if reason == .driverError, !isSettling { restarts += 1 }
    guard restarts <= Self.mostRestarts else { return end(error) }
    nextLook = now + Self.lookInterval
    return []
  }

  /// The stream has ended, and the ring holds nothing more of it.
  ///
  /// - Parameter failure: why it ended; `nil` if it was stopped or ended in good order.
  mutating func streamEnded(_ failure: CaptureError?, at now: Instant) -> [SessionAction] {
    stoppedAt = now
    if let newest = clock.newest { lastFrame = (newest, clock.arrival) }
    defer { stopping = nil }
    let (cut, isWhole) = cutTake(failure)
    if case .end(let reason) = stopping { return cut + end(reason ?? (isWhole ? nil : failure)) }
    // A camera that goes when everything has been recorded is no failure.
    if isWhole, isComplete { return cut + end(nil) }
    // What was captured until then is in memory: nobody is served by letting it go.
    if case .gathering(let window) = phase {
      enter(.reviewing(window))
      return cut + (failure.map { [.tell(.error($0))] } ?? []) + [.tellReviewing] + hearTriggers(at: now)
    }
    if let failure { return cut + streamFailed(failure) }
    switch stopping {
    case .configure(let next):
      adopt(next)
      detour?.streamStopped()
      return cut + [.open(next)]
    case .review:
      enter(.reviewing(nil))
      return cut + [.tellReviewing] + hearTriggers(at: now)
    case .end, nil: return cut + end(nil)
    }
  }

  /// The stream failed by itself.
  private mutating func streamFailed(_ failure: CaptureError) -> [SessionAction] {
    if detour != nil { return detourFailed(failure) }
    let reason = InterruptionReason(failure)
    let next: SessionConfiguration? = if case .configure(let next) = stopping { next } else { nil }
    if let former, reason != .unplugged {
      // Some drivers refuse a mode no sooner than when the stream begins; the former one goes on.
      adopt(next ?? former)
      // Whoever asked for the next one is still to be answered.
      let answer = next == nil ? answerRequest(.refused(failure)) : []
      return answer + [.tell(.error(failure)), .open(configuration)]
    }
    if let next { adopt(next) }
    return interrupt(by: failure)
  }

  /// Sets the camera to `next` from the next opening on. Until a frame has come, the configuration
  /// before it is kept, to go back to.
  mutating func adopt(_ next: SessionConfiguration) {
    let confirmed = configurationInForce
    former = next == confirmed ? nil : confirmed
    configuration = next
  }

  /// Ends the current take at the end of the stream; it may go on in another one. Tells whether it has
  /// all its frames.
  private mutating func cutTake(_ failure: CaptureError?) -> ([SessionAction], isWhole: Bool) {
    guard case .filming(let window) = phase else { return ([], false) }
    let rest = window.rest(interval: interval)
    // A trigger may have ended a take that had no end of its own.
    let isEnding = window.isOpenEnded && window.end != .open
    let isConfigured = if case .configure = stopping { !isEnding } else { false }
    let goesOn = isConfigured || plan.start == .firstFrame && plan.interruptionResponse != .end
    let isWhole = rest.isReached(interval: interval)
    continuation = goesOn && !isWhole ? rest : nil
    // Whoever asked for so many takes, and for the camera to be waited for, wants so many whole ones.
    let isCut = failure?.isInterruption == true && plan.interruptionResponse != .end && !isWhole && !isEnding
    if continuation == nil, !isCut { completedTakes += 1 }
    return ([endTake(isWhole ? nil : failure)], isWhole)
  }

  mutating func interrupt(by failure: CaptureError?) -> [SessionAction] {
    guard let failure, let reason = InterruptionReason(failure) else { return end(failure) }
    switch plan.interruptionResponse {
    case .end: return end(failure)
    case .wait: break
    case .reconnect:
      // A complete take needs no camera, and a camera that never captured has no take to go on with.
      guard reason.isPassing, !isComplete, hasStarted || reason == .unplugged else {
        return end(failure)
      }
      // Nothing was running that could go on: whoever began it says when to try again.
      waitsForResume = waitsForResume || isReviewing && reason == .driverError
      if reason == .driverError, !waitsForResume { restarts += 1 }
      guard restarts <= Self.mostRestarts else { return end(failure) }
      nextLook = waitsForResume ? .distantFuture : stoppedAt
    }
    enter(.interrupted(reason))
    // A camera that was opened again and sent nothing is still interrupted, as was told.
    guard interruption?.reason != reason else { return waitsForResume ? [.tell(.error(failure))] : [] }
    interruption = SessionStatus.Interruption(reason: reason, failure: failure)
    return [.tell(.interrupted(reason, failure))]
  }

  /// Ends the session, whose stream has ended.
  mutating func end(_ failure: CaptureError?) -> [SessionAction] {
    let refused = giveUpStill(because: failure ?? .noStream) + waiting.map { .answer($0, .refused) }
    waiting = []
    interruption = nil
    enter(.ended)
    let isEmpty = plan.start == .firstFrame && takeCount == 0
    return refused + answerRequest(failure.map { .refused($0) } ?? .sessionEnded) + [
      .end(failure ?? (isEmpty ? .empty : nil))
    ]
  }

  /// Ends the session as soon as the stream has ended.
  mutating func stop(because failure: CaptureError? = nil) -> [SessionAction] {
    switch phase {
    case .ended: return []
    case .armed, .filming, .gathering:
      if case .end = stopping { return [] }
      stopping = .end(failure)
      return [.stopStream]
    case .reviewing, .interrupted: return end(failure)
    }
  }
}

extension CaptureError {
  /// Whether a session can survive this error.
  package var isInterruption: Bool { InterruptionReason(self) != nil }
}

extension InterruptionReason {
  /// The interruption that `error` means; `nil` if it is none.
  init?(_ error: CaptureError) {
    switch error {
    case .silence, .damage: self = .silent
    case .camera(let error):
      switch error.code {
      case .disconnected, .noCamera: self = .unplugged
      case .busy: self = .takenByAnotherProgram
      case .failed, .noPermission: self = .driverError
      default: return nil
      }
    default: return nil
    }
  }

  /// Whether the camera may come back by itself. A silent camera does not.
  var isPassing: Bool { self != .silent }
}
