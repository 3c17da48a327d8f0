import Timebase

/// The disposition of the oldest record in the ring.
enum RecordDisposition: Hashable {
  /// Keep it in the ring.
  case wait
  /// Remove it from the ring and discard it.
  case discard
  /// Write it to the take.
  case write
  /// End the take before it.
  case endTake
}

extension SessionState {
  /// Handles a frame captured at `timestamp` and found in the ring at `now`, in order.
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
    if !hasStarted { actions.append(.reportStarted) }
    hasStarted = true
    if let interruption { actions.append(.tell(.interruptionEnded(interruption.reason))) }
    interruption = nil
    guard isFirst else { return actions }
    firstFrame = timestamp
    firstFrameSeenAt = now
    // A pending request waits for its own first frame.
    let isNextPending = if case .configure = stopping { true } else { false }
    if let former {
      let answered = isNextPending ? nil : request
      actions.append(
        .reportModeChanged(
          ModeSwitch(former: former.mode, gap: gap(before: timestamp, at: now), request: answered)))
      if !isNextPending { request = nil }
    } else if !isNextPending {
      actions += answerRequest(.unchanged)
    }
    former = nil
    if !isNextPending { detour?.frameArrived() }
    if detour?.isOver == true { detour = nil }
    return actions + standBy(at: now)
  }

  /// Returns the time without frames before the first frame of a new mode.
  private func gap(before timestamp: Instant, at now: Instant) -> Duration {
    guard let lastFrame else { return now - stoppedAt }
    let byFrames = timestamp - lastFrame.timestamp
    // Some drivers' clocks restart with each stream.
    return byFrames > .zero ? byFrames : now - lastFrame.arrival
  }

  /// Performs what is due at `now`, after all frames and commands up to then.
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
    case .armed, .recording: break
    }
    hearTimes(at: now)
    var actions = beginFromFirstFrame(at: now) + hearTriggers(at: now)
    if canNeverTrigger {
      actions += stop(because: plan.takeCount == nil ? nil : .outOfTriggers)
    }
    if hasTimeStoodStill(at: now) { actions += takeIsOver(at: now) }
    if let stopDue, now >= stopDue { actions += stop() }
    return actions
  }

  /// Returns the disposition of `record`, the oldest in the ring.
  ///
  /// - Parameter isRingNearlyFull: Whether the ring's free space is below its margin.
  mutating func disposition(of record: RingRecord, isRingNearlyFull: Bool) -> RecordDisposition {
    switch phase {
    case .recording(let window):
      if window.isComplete || window.isOver(before: record.timestamp) { return .endTake }
      return record.kind == .frame && window.isBefore(record.timestamp) ? .discard : .write
    case .armed:
      // Records before the first frame belong to the take that it begins.
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

  /// Adds a frame captured at `timestamp`, which has left the ring, to the take.
  mutating func admitted(_ timestamp: Instant) {
    guard case .recording(var window) = phase else { return }
    window.admit(timestamp)
    enter(.recording(window))
  }

  /// Ends the take before the frame captured at `timestamp`, because its file has reached its size limit.
  mutating func takeIsFull(before timestamp: Instant) {
    guard case .recording(var window) = phase else { return }
    window.close(before: timestamp)
    enter(.recording(window))
  }

  /// Whether the take needs no further frame.
  var isTakeComplete: Bool {
    if case .recording(let window) = phase { window.isComplete } else { false }
  }

  /// Returns the part of a run of lost frames that belongs to the take; `nil` if none does.
  func part(of run: RingRecord, before next: RingRecord?) -> RingRecord? {
    guard case .recording(let window) = phase else { return nil }
    return window.part(of: run, before: next, interval: interval)
  }

  /// Ends a take that has all its frames.
  mutating func takeIsOver(at now: Instant) -> [SessionAction] {
    guard case .recording(let window) = phase else { return [] }
    previousEnd = window.nextStart
    continuation = nil
    completedTakes += 1
    return [endTake(nil)] + arm(at: now)
  }

  /// Closes the take in progress.
  mutating func endTake(_ failure: CaptureError?) -> SessionAction {
    enter(.armed)
    defer {
      takeNumber += 1
      takeCount += 1
    }
    return .endTake(TakeEnd(number: takeNumber, extensions: extensions, failure: failure))
  }

  /// Waits for the next take, unless the session is complete or stopping.
  mutating func arm(at now: Instant) -> [SessionAction] {
    enter(.armed)
    armedAt = nil
    isPreRollCut = false
    guard stopping == nil else { return [] }
    guard !isComplete, stopDue == nil else { return stop() }
    // No take begins in the still's mode.
    guard detour?.isAway != true else { return [] }
    return [.prepareTake(takeNumber)] + standBy(at: now)
  }

  /// Reports the session as armed, once frames come that a take can begin with.
  private mutating func standBy(at now: Instant) -> [SessionAction] {
    guard firstFrame != nil, phase == .armed, stopping == nil, plan.start == .trigger, continuation == nil,
      detour == nil
    else { return [] }
    armedAt = now
    return [.tell(.armed(take: takeNumber))]
  }

  /// Ends the take and the session after a failure of the disk, because the next take would fail too.
  mutating func diskFailed() -> [SessionAction] { stop() }

  /// Records that the machine was suspended until just now.
  mutating func wasSuspended() -> [SessionAction] {
    guard isCapturing, interruption == nil else { return [] }
    interruption = SessionStatus.Interruption(reason: .suspended)
    return [.tell(.interrupted(.suspended, nil))]
  }

  /// Returns whether frames come whose timestamps do not advance, so that the take would never end.
  private func hasTimeStoodStill(at now: Instant) -> Bool {
    guard case .recording(let window) = phase else { return false }
    return hasTimeStoodStill(in: window, at: now)
  }

  private func hasTimeStoodStill(in window: TakeWindow, at now: Instant) -> Bool {
    guard case .time(let until) = window.end, let newest = clock.newest else { return false }
    let isFlowing = now - clock.arrival < .seconds(1)
    let longest = until - window.trigger + Self.patience
    return isFlowing && newest < until && now - beganAt > longest
  }
}
