import Cameras
import Timebase

/// What becomes of the oldest record in the ring.
enum RecordDisposition: Hashable {
  /// It stays in the ring.
  case wait
  /// It leaves the ring and goes nowhere.
  case discard
  /// It belongs to the take.
  case write
  /// The take is over before it.
  case endTake
}

extension SessionState {
  /// A frame that was captured at `timestamp` was found in the ring at `now`; the newest last.
  mutating func see(_ timestamp: Instant, at now: Instant) -> [SessionAction] {
    notice(timestamp, at: now) + takeStillOfDetour()
  }

  private mutating func notice(_ timestamp: Instant, at now: Instant) -> [SessionAction] {
    clock.see(timestamp, at: now)
    restarts = 0
    waitsForResume = false
    let isFirst = firstFrame == nil
    guard isFirst || interruption != nil else { return [] }
    var actions: [SessionAction] = []
    if !hasStarted { actions.append(.tellStarted) }
    hasStarted = true
    if let interruption { actions.append(.tell(.interruptionEnded(interruption.reason))) }
    interruption = nil
    guard isFirst else { return actions }
    firstFrame = timestamp
    firstFrameSeenAt = now
    // A request that is still to be set waits for a frame of its own.
    let isNextPending = if case .configure = stopping { true } else { false }
    if let former {
      let answered = isNextPending ? nil : request
      actions.append(
        .tellModeChanged(
          ModeSwitch(former: former.mode, gap: gap(before: timestamp, at: now), request: answered)))
      if !isNextPending { request = nil }
    } else if !isNextPending {
      actions += answerRequest(.unchanged)
    }
    former = nil
    if !isNextPending { detour?.frameCame() }
    if detour?.isOver == true { detour = nil }
    return actions + standBy(at: now)
  }

  /// How long no frame came before the first of a new mode.
  private func gap(before timestamp: Instant, at now: Instant) -> Duration {
    guard let lastFrame else { return now - stoppedAt }
    let byFrames = timestamp - lastFrame.timestamp
    // Some drivers' clocks begin anew with each stream.
    return byFrames > .zero ? byFrames : now - lastFrame.arrival
  }

  /// Does what is due at `now`, after all frames and commands that came until then.
  mutating func advance(to now: Instant) -> [SessionAction] {
    switch phase {
    case .ended, .reviewing: return []
    case .interrupted:
      guard now >= nextLook else { return [] }
      nextLook = now + Self.lookInterval
      return [.look]
    case .gathering(let window):
      guard stopping == nil, let newest = clock.newest else { return [] }
      guard isGatheringFull || window.isOver(before: newest) || hasTimeStoodStill(in: window, at: now)
      else { return [] }
      stopping = .review
      return [.stopStream]
    case .armed, .filming: break
    }
    hearTimes(at: now)
    var actions = beginFromFirstFrame(at: now) + hearTriggers(at: now)
    if isWaitingInVain {
      actions += stop(because: plan.takeCount == nil ? nil : .outOfTriggers)
    }
    if hasTimeStoodStill(at: now) { actions += takeIsOver(at: now) }
    return actions
  }

  /// What becomes of `record`, the oldest in the ring.
  ///
  /// - Parameter isRingNearlyFull: whether the ring has no more room than for a moment.
  mutating func disposition(of record: RingRecord, isRingNearlyFull: Bool) -> RecordDisposition {
    switch phase {
    case .filming(let window):
      if window.isComplete || window.isOver(before: record.timestamp) { return .endTake }
      return record.kind == .frame && window.isBefore(record.timestamp) ? .discard : .write
    case .armed:
      // Whatever came before the first frame belongs to the take that it begins.
      guard plan.start == .trigger, continuation == nil else { return .wait }
      return hasLeftPreRoll(record, isRingNearlyFull: isRingNearlyFull) ? .discard : .wait
    case .gathering(let window):
      if record.kind == .frame, window.isBefore(record.timestamp) { return .discard }
      if isRingNearlyFull { isGatheringFull = true }
      return .wait
    case .reviewing: return .wait
    case .interrupted, .ended: return .discard
    }
  }

  private mutating func hasLeftPreRoll(_ record: RingRecord, isRingNearlyFull: Bool) -> Bool {
    guard let newest = clock.newest else { return false }
    held = min(newest - record.timestamp, plan.keptTime)
    if held == plan.keptTime { isPreRollCut = false }
    guard record.timestamp >= newest - plan.keptTime - plan.triggerDelay else { return true }
    guard isRingNearlyFull else { return false }
    isPreRollCut = true
    return true
  }

  /// A frame of the take, captured at `timestamp`, has left the ring.
  mutating func admitted(_ timestamp: Instant) {
    guard case .filming(var window) = phase else { return }
    window.admit(timestamp)
    enter(.filming(window))
  }

  /// The take may become no larger: it is over before the frame captured at `timestamp`.
  mutating func takeIsFull(before timestamp: Instant) {
    guard case .filming(var window) = phase else { return }
    window.close(before: timestamp)
    enter(.filming(window))
  }

  /// Whether the take needs no further frame.
  var isTakeComplete: Bool {
    if case .filming(let window) = phase { window.isComplete } else { false }
  }

  /// The part of a run of lost frames that belongs to the take; `nil` where none does.
  func part(of run: RingRecord, before next: RingRecord?) -> RingRecord? {
    guard case .filming(let window) = phase else { return nil }
    return window.part(of: run, before: next, interval: interval)
  }

  /// The take has all its frames.
  mutating func takeIsOver(at now: Instant) -> [SessionAction] {
    guard case .filming(let window) = phase else { return [] }
    previousEnd = window.nextStart
    continuation = nil
    completedTakes += 1
    return [endTake(nil)] + arm(at: now)
  }

  /// Closes the take that is filmed.
  mutating func endTake(_ failure: CaptureError?) -> SessionAction {
    enter(.armed)
    defer {
      takeNumber += 1
      takeCount += 1
    }
    return .endTake(TakeEnd(number: takeNumber, extensions: extensions, failure: failure))
  }

  /// Waits for the next take, unless there is to be none.
  mutating func arm(at now: Instant) -> [SessionAction] {
    enter(.armed)
    armedAt = nil
    isPreRollCut = false
    guard stopping == nil else { return [] }
    guard !isComplete else { return stop() }
    // No take begins in the still's mode.
    guard detour?.isAway != true else { return [] }
    return [.prepareTake(takeNumber)] + standBy(at: now)
  }

  /// Stands by for a trigger, once frames come that a take can begin with.
  private mutating func standBy(at now: Instant) -> [SessionAction] {
    guard firstFrame != nil, phase == .armed, stopping == nil, plan.start == .trigger, continuation == nil,
      detour == nil
    else { return [] }
    armedAt = now
    return [.tell(.armed(take: takeNumber))]
  }

  /// The disk has failed under the take: it ends with the session, as the next would find no room.
  mutating func diskFailed() -> [SessionAction] { stop() }

  /// The machine was suspended for a while, until just now.
  mutating func wasSuspended() -> [SessionAction] {
    guard isCapturing, interruption == nil else { return [] }
    interruption = SessionStatus.Interruption(reason: .suspended)
    return [.tell(.interrupted(.suspended, nil))]
  }

  /// Whether frames come whose timestamps do not move, so that the take would never end.
  private func hasTimeStoodStill(at now: Instant) -> Bool {
    guard case .filming(let window) = phase else { return false }
    return hasTimeStoodStill(in: window, at: now)
  }

  private func hasTimeStoodStill(in window: TakeWindow, at now: Instant) -> Bool {
    guard case .time(let until) = window.end, let newest = clock.newest else { return false }
    let isFlowing = now - clock.arrival < .seconds(1)
    let longest = until - window.trigger + Self.patience
    return isFlowing && newest < until && now - beganAt > longest
  }
}
