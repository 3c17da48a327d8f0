import Platform
import Timebase

/// The logic of a session, without threads, files and clocks.
///
/// A pure value: commands, the frames' times and readings of the session's clock go in, actions come out. The
/// owner performs the actions in order and reports their outcome. The frames' own timestamps decide which of
/// them belong to a take, so it does not matter how late a trigger arrives.
struct SessionState {
  /// The phase of a session.
  enum Phase: Hashable {
    /// The newest frames wait in the ring for a trigger.
    case armed
    /// Frames go into a take.
    case recording(TakeWindow)
    /// The frames around a trigger are being collected in the ring.
    case gathering(TakeWindow)
    /// The stream has stopped, and the ring keeps its last frames: those of the window, or all.
    case reviewing(TakeWindow?)
    /// No frames come.
    case interrupted(InterruptionReason)
    /// The session is over.
    case ended
  }

  /// The reason for stopping the stream.
  enum Stop: Hashable {
    case end(CaptureError?)
    case configure(SessionConfiguration)
    case review
  }

  private(set) var plan: SessionPlan
  private(set) var phase = Phase.armed
  /// The number of the current take, or of the next one.
  var takeNumber = 1
  /// The number of takes that count as complete: neither continued in another nor cut short by an
  /// interruption.
  var completedTakes = 0
  /// The number of takes that have ended.
  var takeCount = 0

  /// The mapping between the frames' clock and the session's.
  var clock = TimestampMapper()
  /// The time between frames; zero if unknown.
  var interval = Duration.zero
  /// The capture time of the first frame since the stream was opened.
  var firstFrame: Instant?
  /// The time at which that frame was found in the ring.
  var firstFrameSeenAt: Instant?
  /// Whether a frame has come since the session began.
  var hasStarted = false
  /// The camera's configuration.
  var configuration: SessionConfiguration
  /// The configuration before a change that no frame has confirmed yet.
  var former: SessionConfiguration?

  /// The still that needs another mode; `nil` if there is none.
  var detour: StillModeChange?
  /// The change that has not been answered yet.
  var request: ConfigurationChange?

  /// The triggers that have not been answered yet.
  var waiting: [TriggerEvent] = []
  /// The times of triggers that extended the take.
  var extensions: [Instant] = []
  /// Whether a trigger may still come.
  var mayBeTriggered = true
  /// The indices in the plan of times that have fired and do not repeat.
  var firedTimes: Set<Int> = []
  /// The clock that relates times of day to the session's times.
  private let sessionClock: SessionClock
  /// The watches for the plan's times of day, by index.
  var wallWatches: [Int: TimeOfDayWatch] = [:]
  /// The time at which the session was armed for this take; `nil` until a frame has come.
  var armedAt: Instant?
  var beganAt = Instant(nanoseconds: 0)
  /// The end of the previous take, on the frames' clock.
  var previousEnd = Instant.distantPast
  /// The rest of the limit, for a take that continues in another one.
  var continuation: RecordingLimit?
  /// The length of the pre-roll in the ring.
  var held = Duration.zero
  /// The time before which frames were discarded, because no span reached back to them then.
  var keptFrom = Instant.distantPast
  /// Whether the ring was too small for the whole pre-roll.
  var isPreRollCut = false
  /// The trigger of the gathered or reviewed frames.
  var reviewTrigger: TriggerEvent?
  /// Whether the ring has no room for more gathered frames.
  var isGatheringFull = false

  var stopping: Stop?
  /// The time at which the session stops even if its take in progress is not over; `nil` unless a command requested a
  /// stop after the take.
  var stopDue: Instant?
  /// The time at which the stream ended.
  var stoppedAt = Instant(nanoseconds: 0)
  /// The capture and arrival times of the last frame in the former mode; `nil` if there was none.
  var lastFrame: (timestamp: Instant, arrival: Instant)?
  /// The time of the next search for the camera.
  var nextLook = Instant.distantFuture
  /// The number of times that the stream was reopened since a frame came.
  var restarts = 0
  /// Whether only `resume` reopens the stream, because it was not running when the driver failed.
  var waitsForResume = false
  /// The current interruption, which has been reported and ends with the next frame.
  var interruption: SessionStatus.Interruption?

  /// The additional time that a take may last beyond its limit if the camera's timestamps do not advance.
  static let patience = Duration.seconds(5)
  /// The time after a requested end in which frames captured before it are awaited.
  static let lateness = Duration.milliseconds(500)
  /// The interval between searches for the camera.
  static let lookInterval = Duration.milliseconds(250)
  /// The maximum number of restarts of a driver that fails while the camera is connected.
  static let mostRestarts = 3
  /// The maximum number of waiting triggers.
  static let mostWaiting = 1000

  init(_ plan: SessionPlan, configuration: SessionConfiguration, clock: SessionClock = .monotonic) {
    self.plan = plan
    self.configuration = configuration
    sessionClock = clock
    watchTimes(from: 0)
  }

  /// Adds times that begin a take.
  mutating func takeOver(_ times: [TriggerTime]) {
    let former = plan.times.count
    plan.times += times
    watchTimes(from: former)
  }

  /// Watches for the plan's times of day, from the time at `start` on.
  private mutating func watchTimes(from start: Int) {
    for (place, time) in plan.times.enumerated().dropFirst(start) {
      if case .timeOfDay(let time) = time { wallWatches[place] = TimeOfDayWatch(time, on: sessionClock) }
    }
  }

  /// Whether a take is in progress.
  var isRecording: Bool { if case .recording = phase { true } else { false } }
  /// Whether frames are being collected for a review.
  var isGathering: Bool { if case .gathering = phase { true } else { false } }
  /// Whether the session is in review.
  var isReviewing: Bool { if case .reviewing = phase { true } else { false } }
  /// Whether frames come, or are expected.
  var isCapturing: Bool { phase == .armed || isRecording || isGathering }
  /// Whether the session is over.
  var hasEnded: Bool { phase == .ended }
  /// Whether the session waits for a trigger or for the end of a review.
  var isWaiting: Bool {
    isReviewing || isGathering
      || phase == .armed && armedAt != nil && stopping == nil && !isComplete
  }
  /// Whether the session is interrupted.
  var isInterrupted: Bool { if case .interrupted = phase { true } else { false } }
  /// Whether only `resume` makes frames come again.
  var isWaitingForResume: Bool { isInterrupted && (plan.interruptionResponse == .wait || waitsForResume) }
  /// Whether the session waits for a person's decision.
  var isWaitingForPerson: Bool { isReviewing || isWaitingForResume }
  /// The configuration of the latest frames.
  var configurationInForce: SessionConfiguration { former ?? configuration }
  /// Whether all requested takes have been recorded.
  var isComplete: Bool { plan.takeCount.map { completedTakes >= $0 } == true }

  mutating func enter(_ phase: Phase) { self.phase = phase }

  /// Changes the default span of triggers.
  mutating func adopt(_ span: TakeSpan) {
    let former = plan.keptTime
    plan.span = span
    if plan.keptTime > former, let newest = clock.newest { keptFrom = newest - former }
  }
}

// MARK: The stream

extension SessionState {
  /// Handles the opening of the stream at `now`.
  ///
  /// - Parameter interval: The time between frames; zero if unknown.
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

  /// Handles a failure to reopen the stream.
  mutating func openingFailed(_ error: CaptureError, at now: Instant) -> [SessionAction] {
    if detour != nil, !isInterrupted { return detourFailed(error) }
    if detour == nil, let former, !(isInterrupted && InterruptionReason(error)?.isPassing == true) {
      // All or nothing: the camera continues in its former mode.
      adopt(former)
      return answerRequest(.refused(error)) + [.tell(.error(error)), .open(configuration)]
    }
    guard isInterrupted else { return interrupt(by: error) }
    if plan.interruptionResponse == .wait || waitsForResume { return [.tell(.error(error))] }
    guard let reason = InterruptionReason(error), reason.isPassing else { return end(error) }
    // A reconnected camera is inaccessible until udev has set its permissions.
    let isSettling = if case .camera(let error) = error { error.code == .noPermission } else { false }
    if reason == .driverError, !isSettling { restarts += 1 }
    guard restarts <= Self.mostRestarts else { return end(error) }
    nextLook = now + Self.lookInterval
    return []
  }

  /// Handles the end of the stream, after its last record has left the ring.
  ///
  /// - Parameter failure: The error that ended it; `nil` if it was stopped or ended in good order.
  mutating func streamEnded(_ failure: CaptureError?, at now: Instant) -> [SessionAction] {
    stoppedAt = now
    if stopDue != nil, stopping == nil { stopping = .end(nil) }
    if let newest = clock.newest { lastFrame = (newest, clock.arrival) }
    defer { stopping = nil }
    // Losing the camera after everything has been recorded is not a failure.
    let wasComplete = isComplete
    let (cut, isWhole) = cutTake(failure)
    if case .end(let reason) = stopping {
      return cut + end(reason ?? (isWhole || wasComplete ? nil : failure))
    }
    if isWhole, isComplete { return cut + end(nil) }
    // The frames captured until then are in memory, so they are kept for the review.
    if case .gathering(let window) = phase {
      enter(.reviewing(window))
      return cut + (failure.map { [.tell(.error($0))] } ?? []) + [.reportReviewing] + hearTriggers(at: now)
    }
    if let failure { return cut + streamFailed(failure) }
    switch stopping {
    case .configure(let next):
      adopt(next)
      detour?.streamStopped()
      return cut + [.open(next)]
    case .review:
      enter(.reviewing(nil))
      return cut + [.reportReviewing] + hearTriggers(at: now)
    case .end, nil: return cut + end(nil)
    }
  }

  /// Handles a failure of the stream.
  private mutating func streamFailed(_ failure: CaptureError) -> [SessionAction] {
    if detour != nil { return detourFailed(failure) }
    let reason = InterruptionReason(failure)
    let next: SessionConfiguration? = if case .configure(let next) = stopping { next } else { nil }
    if let former, reason != .unplugged {
      // Some drivers refuse a mode only when the stream begins; the former one continues.
      adopt(next ?? former)
      // The requester of the next mode still awaits its answer.
      let answer = next == nil ? answerRequest(.refused(failure)) : []
      return answer + [.tell(.error(failure)), .open(configuration)]
    }
    if let next { adopt(next) }
    return interrupt(by: failure)
  }

  /// Changes the configuration, from the next opening on. Until a frame confirms it, the former configuration
  /// is kept to return to.
  mutating func adopt(_ next: SessionConfiguration) {
    let confirmed = configurationInForce
    former = next == confirmed ? nil : confirmed
    configuration = next
  }

  /// Ends the current take at the end of the stream; it may continue in another one. Returns whether it has
  /// all its frames.
  private mutating func cutTake(_ failure: CaptureError?) -> ([SessionAction], isWhole: Bool) {
    guard case .recording(let window) = phase else { return ([], false) }
    let rest = window.rest(interval: interval)
    // A trigger may have ended an open-ended take.
    let isEnding = window.isOpenEnded && window.end != .open
    let isConfigured = if case .configure = stopping { !isEnding } else { false }
    let goesOn = isConfigured || plan.start == .firstFrame && plan.interruptionResponse != .end
    let isWhole = rest.isReached(interval: interval)
    continuation = goesOn && !isWhole ? rest : nil
    // If the camera is to be reconnected, only complete takes count.
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
      // A complete take needs no camera, and a camera that never captured has no take to continue.
      guard reason.isPassing, !isComplete, hasStarted || reason == .unplugged else {
        return end(failure)
      }
      // Nothing was running that could continue: the user decides when to try again.
      waitsForResume = waitsForResume || isReviewing && reason == .driverError
      if reason == .driverError, !waitsForResume { restarts += 1 }
      guard restarts <= Self.mostRestarts else { return end(failure) }
      nextLook = waitsForResume ? .distantFuture : stoppedAt
    }
    enter(.interrupted(reason))
    // A camera that was reopened but sent nothing is still interrupted, which has been reported.
    guard interruption?.reason != reason else { return waitsForResume ? [.tell(.error(failure))] : [] }
    interruption = SessionStatus.Interruption(reason: reason, failure: failure)
    return [.tell(.interrupted(reason, failure))]
  }

  /// Ends the session after its stream has ended.
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

  /// Stops the stream, and ends the session after it.
  mutating func stop(because failure: CaptureError? = nil) -> [SessionAction] {
    switch phase {
    case .ended: return []
    case .armed, .recording, .gathering:
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
  /// Creates the interruption that `error` causes; `nil` if none.
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
