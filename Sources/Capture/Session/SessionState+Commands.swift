import Cameras
import Takes
import Timebase

// MARK: Commands

extension SessionState {
  /// What `command`, seen at `now`, asks for.
  mutating func handle(_ command: SessionCommand, at now: Instant) -> [SessionAction] {
    if hasEnded {
      switch command {
      case .trigger(let event): return [.answer(event, .refused)]
      case .configure(let change): return answer(change, .sessionEnded)
      case .span(let change): return [.answerSpan(change, .sessionEnded)]
      case .takeStill(let request): return refuse(request, because: CaptureError.noStream.description)
      case .look(let look): return [.show(look)]
      default: return []
      }
    }
    switch command {
    case .trigger(let event):
      guard waiting.count < Self.mostWaiting, event.waitsForFrames || haveFramesCome(by: event.time) else {
        return [.answer(event, .refused)]
      }
      waiting.append(event)
      return hearTriggers(at: now)
    case .endTake: return endTakeNow()
    case .stop: return stop()
    case .resume: return resume()
    case .set(let change): return [.set(change)]
    case .move(let target): return [.move(target)]
    case .cancelMove(let id): return [.cancelMove(id)]
    case .takeStill(let request): return takeStill(request)
    case .configure(let next): return configure(next)
    case .span(let change): return self.change(change)
    case .review: return review()
    case .save(let part): return save(part)
    case .look(let look): return [.show(look)]
    }
  }

  /// Has the take, or what is gathered, be over with the newest frame.
  private mutating func endTakeNow() -> [SessionAction] {
    guard let newest = clock.newest else { return [] }
    switch phase {
    case .filming(var window):
      window.close(before: newest + .nanoseconds(1))
      enter(.filming(window))
    case .gathering(var window):
      window.close(before: newest + .nanoseconds(1))
      enter(.gathering(window))
    case .armed, .reviewing, .interrupted, .ended: break
    }
    return []
  }

  private mutating func resume() -> [SessionAction] {
    switch phase {
    case .interrupted: return [.look]
    case .reviewing: return [.open(configuration)]
    case .armed, .filming, .gathering, .ended: return []
    }
  }

  private mutating func configure(_ change: ConfigurationChange) -> [SessionAction] {
    let next = change.configuration
    switch phase {
    case .armed, .filming:
      guard detour == nil else {
        return answer(change, .refused(.stillUnderWay)) + [.tell(.error(.stillUnderWay))]
      }
      switch stopping {
      case .end: return answer(change, .sessionEnded)
      // The last that was asked for counts.
      case .configure:
        stopping = .configure(next)
        return hold(change)
      case .review:
        adopt(next)
        return hold(change)
      case nil:
        // What it is set to already may still have to show that it can be had.
        guard next != configuration else {
          return former == nil ? answer(change, .unchanged) : hold(change)
        }
        stopping = .configure(next)
        return hold(change) + [.stopStream]
      }
    // Nothing films: it is set when something does.
    case .reviewing, .interrupted:
      adopt(next)
      return hold(change)
    case .gathering: return answer(change, .refused(.noStream))
    case .ended: return answer(change, .sessionEnded)
    }
  }

  /// Leaves `change` to be answered once a frame has come, in place of one that waits for that.
  private mutating func hold(_ change: ConfigurationChange) -> [SessionAction] {
    defer { request = change }
    return answerRequest(.superseded)
  }

  /// Tells whoever waits for a change what came of it.
  mutating func answerRequest(_ outcome: ConfigurationOutcome) -> [SessionAction] {
    defer { request = nil }
    return request.map { answer($0, outcome) } ?? []
  }

  private func answer(_ change: ConfigurationChange, _ outcome: ConfigurationOutcome) -> [SessionAction] {
    change.isAwaited ? [.answerChange(change, outcome)] : []
  }

  private func change(_ change: SpanChange) -> [SessionAction] {
    switch phase {
    case .armed, .filming, .interrupted: [.changeSpan(change)]
    // What is in memory is told, and written, by the span that it was triggered with.
    case .gathering, .reviewing: [.answerSpan(change, .refused)]
    case .ended: [.answerSpan(change, .sessionEnded)]
    }
  }

  private mutating func review() -> [SessionAction] {
    guard phase == .armed, stopping == nil, detour == nil else { return [] }
    stopping = .review
    return [.stopStream]
  }

  private mutating func save(_ part: TakePart) -> [SessionAction] {
    guard isReviewing, part.start < part.end else { return [] }
    defer {
      takeNumber += 1
      takeCount += 1
      completedTakes += 1
    }
    return [.save(part, take: takeNumber)]
  }
}

// MARK: Triggers

extension SessionState {
  /// Answers the triggers that can be answered by now.
  mutating func hearTriggers(at now: Instant) -> [SessionAction] {
    var actions: [SessionAction] = []
    while let event = waiting.first, let answers = answer(event, at: now) {
      waiting.removeFirst()
      actions += answers
    }
    return actions
  }

  /// Whether frames have come since a moment before `time`, so that whoever acts then may know of them.
  private func haveFramesCome(by time: Instant) -> Bool {
    switch phase {
    case .armed, .filming, .gathering: firstFrameSeenAt.map { $0 <= time } == true
    case .reviewing, .interrupted, .ended: false
    }
  }

  /// What a trigger asks for; `nil` where it has to wait: for the first frame, or for the end of
  /// this take.
  private mutating func answer(_ event: TriggerEvent, at now: Instant) -> [SessionAction]? {
    // Nothing films until whoever looks at the review lets it go: a trigger that waited would be of a moment long past.
    if isReviewing { return [.answer(event, .refused)] }
    // Before the first frame nobody knows what its clock says.
    guard let newest = clock.newest else { return nil }
    let frameTime = clock.frameTime(of: event)
    switch phase {
    // What was seen in frames that are gone is past.
    case .interrupted: return event.frame == nil ? nil : [.answer(event, .refused)]
    case .reviewing, .ended: return [.answer(event, .refused)]
    case .armed:
      // The take is to be in its own mode, of which no frame has been seen meanwhile.
      if detour != nil { return event.frame == nil ? nil : [.answer(event, .refused)] }
      // The take is to be in the mode that was asked for before it.
      if case .configure = stopping { return nil }
      guard event.startsTake, !isComplete, plan.start == .trigger, stopping == nil else {
        return [.answer(event, .refused)]
      }
      // Some drivers' clocks go back between takes.
      let earliest = previousEnd <= newest ? previousEnd : .distantPast
      let span = event.span ?? plan.span
      let window = TakeWindow(
        around: frameTime, preRoll: span.preRoll, begin: event.frame?.begin, notBefore: earliest,
        limit: span.limit)
      if span.outcome == .review {
        isGatheringFull = false
        reviewTrigger = event
        beganAt = now
        enter(.gathering(window))
        return [.answer(event, .started(take: takeNumber))]
      }
      return [.answer(event, .started(take: takeNumber))]
        + begin(
          window, by: event, at: now, frameTime,
          cutBy: preRollCut(of: span.preRoll, at: frameTime, notBefore: earliest))
    case .gathering: return [.answer(event, .refused)]
    case .filming(let window) where window.isOpenEnded && !event.endsTake:
      return window.isOver(before: frameTime) ? nil : [.answer(event, .extended(take: takeNumber))]
    case .filming(var window):
      switch window.retrigger(at: frameTime) {
      case .comesAfter: return nil
      case .ends:
        enter(.filming(window))
        return [.answer(event, .ended(take: takeNumber))]
      case .extends:
        enter(.filming(window))
        extensions.append(event.time)
        return [.answer(event, .extended(take: takeNumber))]
      }
    }
  }

  /// Why the whole pre-roll of a trigger at `time` cannot be had; `nil` where it can.
  private func preRollCut(
    of preRoll: Duration, at time: Instant, notBefore earliest: Instant
  ) -> Take.PreRollCut? {
    // The ring lets frames go that came after all else that could cut it.
    if isPreRollCut { return .ring }
    // A frame more or less is no cut.
    let latest = time - preRoll + interval
    if earliest > latest { return .previousTake }
    if let firstFrame, max(firstFrame, keptFrom) > latest { return .start }
    return nil
  }

  private mutating func begin(
    _ window: TakeWindow, by event: TriggerEvent?, at now: Instant, _ frameTime: Instant,
    cutBy preRollCut: Take.PreRollCut? = nil
  ) -> [SessionAction] {
    let start = TakeStart(
      number: takeNumber, trigger: event, frameTime: frameTime, preRollCut: preRollCut)
    beganAt = now
    extensions = []
    enter(.filming(window))
    return [.beginTake(start)]
  }

  /// Begins the take that needs no trigger, once a frame has come.
  mutating func beginFromFirstFrame(at now: Instant) -> [SessionAction] {
    guard let firstFrame, phase == .armed, stopping == nil, plan.start == .firstFrame || continuation != nil
    else { return [] }
    let window = TakeWindow(
      fromFirstFrame: firstFrame, interval: interval, limit: continuation ?? plan.limit)
    return begin(window, by: nil, at: now, firstFrame)
  }

  /// Whether nothing can begin a take any more.
  var isWaitingInVain: Bool {
    guard phase == .armed, plan.start == .trigger, continuation == nil, waiting.isEmpty, !mayBeTriggered
    else { return false }
    return firedTimes.count == plan.times.count
  }

  /// Triggers by the times of the plan that have come.
  mutating func hearTimes(at now: Instant) {
    guard let armedAt else { return }
    for (place, time) in plan.times.enumerated() {
      switch time {
      case .delay(let delay):
        let due = armedAt + delay
        if phase == .armed, waiting.isEmpty, now >= due { waiting.append(TriggerEvent(.time, at: due)) }
      case .deadline(let due):
        if now >= due, firedTimes.insert(place).inserted { waiting.append(TriggerEvent(.time, at: due)) }
      case .timeOfDay:
        guard let came = wallWatches[place]?.came, firedTimes.insert(place).inserted else { continue }
        waiting.append(TriggerEvent(.time, at: came))
      }
    }
  }

  /// Looks at the clock on the wall, for times of day.
  mutating func note(_ reading: WallReading) {
    for place in wallWatches.keys { wallWatches[place]?.look(reading) }
  }
}
