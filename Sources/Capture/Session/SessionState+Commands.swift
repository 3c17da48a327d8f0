import Cameras
import Takes
import Timebase

// MARK: Commands

extension SessionState {
  /// Handles `command`, received at `now`. Returns the actions that it requires.
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
    case .takeOver(let times):
      takeOver(times)
      return []
    case .endTake: return endTakeNow()
    case .finish(let time, let stops): return finish(at: time, stops: stops)
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

  /// Ends the take, or the frames gathered for a review, with the newest frame.
  private mutating func endTakeNow() -> [SessionAction] {
    guard let newest = clock.newest else { return [] }
    switch phase {
    case .recording(var window):
      window.close(before: newest + .nanoseconds(1))
      enter(.recording(window))
    case .gathering(var window):
      window.close(before: newest + .nanoseconds(1))
      enter(.gathering(window))
    case .armed, .reviewing, .interrupted, .ended: break
    }
    return []
  }

  /// Ends the take, or the frames gathered for a review, after the frames captured up to `time`.
  private mutating func finish(at time: Instant, stops: Bool) -> [SessionAction] {
    let end = clock.frameTime(of: time) + .nanoseconds(1)
    switch phase {
    case .recording(var window) where stopDue == nil:
      window.close(noLaterThan: end)
      enter(.recording(window))
      if stops { stopDue = time + Self.lateness }
      return []
    case .gathering(var window) where !stops:
      window.close(noLaterThan: end)
      enter(.gathering(window))
      return []
    default: return stops ? stop() : []
    }
  }

  private mutating func resume() -> [SessionAction] {
    switch phase {
    case .interrupted: return [.look]
    case .reviewing: return [.open(configuration)]
    case .armed, .recording, .gathering, .ended: return []
    }
  }

  private mutating func configure(_ change: ConfigurationChange) -> [SessionAction] {
    let next = change.configuration
    switch phase {
    case .armed, .recording:
      guard detour == nil else {
        return answer(change, .refused(.stillUnderWay)) + [.tell(.error(.stillUnderWay))]
      }
      switch stopping {
      case .end: return answer(change, .sessionEnded)
      // The latest request replaces earlier ones.
      case .configure:
        stopping = .configure(next)
        return hold(change)
      case .review:
        adopt(next)
        return hold(change)
      case nil:
        // The current configuration may still be unconfirmed by a frame.
        guard next != configuration else {
          return former == nil ? answer(change, .unchanged) : hold(change)
        }
        stopping = .configure(next)
        return hold(change) + [.stopStream]
      }
    // The stream is not running: the change takes effect when it starts.
    case .reviewing, .interrupted:
      adopt(next)
      return hold(change)
    case .gathering: return answer(change, .refused(.noStream))
    case .ended: return answer(change, .sessionEnded)
    }
  }

  /// Holds `change` until a frame comes, in place of an earlier one.
  private mutating func hold(_ change: ConfigurationChange) -> [SessionAction] {
    defer { request = change }
    return answerRequest(.superseded)
  }

  /// Answers the held change.
  mutating func answerRequest(_ outcome: ConfigurationOutcome) -> [SessionAction] {
    defer { request = nil }
    return request.map { answer($0, outcome) } ?? []
  }

  private func answer(_ change: ConfigurationChange, _ outcome: ConfigurationOutcome) -> [SessionAction] {
    change.isAwaited ? [.answerChange(change, outcome)] : []
  }

  private func change(_ change: SpanChange) -> [SessionAction] {
    switch phase {
    case .armed, .recording, .interrupted: [.changeSpan(change)]
    // The frames in memory keep the span that they were triggered with.
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
  /// Answers the triggers that can be answered now.
  mutating func hearTriggers(at now: Instant) -> [SessionAction] {
    var actions: [SessionAction] = []
    while let event = waiting.first, let answers = answer(event, at: now) {
      waiting.removeFirst()
      actions += answers
    }
    return actions
  }

  /// Returns whether frames had come by `time`, so that the sender of a trigger could know of them.
  private func haveFramesCome(by time: Instant) -> Bool {
    switch phase {
    case .armed, .recording, .gathering: firstFrameSeenAt.map { $0 <= time } == true
    case .reviewing, .interrupted, .ended: false
    }
  }

  /// Answers a trigger; `nil` if it must wait for the first frame or for the end of this take.
  private mutating func answer(_ event: TriggerEvent, at now: Instant) -> [SessionAction]? {
    // The stream is stopped until the review ends: a trigger that waited would refer to a moment long past.
    if isReviewing { return [.answer(event, .refused)] }
    // The frames' clock is unknown before the first frame.
    guard let newest = clock.newest else { return nil }
    let frameTime = clock.frameTime(of: event)
    switch phase {
    // A trigger from a lost frame is past.
    case .interrupted: return event.frame == nil ? nil : [.answer(event, .refused)]
    case .reviewing, .ended: return [.answer(event, .refused)]
    case .armed:
      // The take needs its own mode, so a trigger from a frame of the still's mode is refused.
      if detour != nil { return event.frame == nil ? nil : [.answer(event, .refused)] }
      // The take waits for the mode that was requested before it.
      if case .configure = stopping { return nil }
      guard event.startsTake, !isComplete, plan.start == .trigger, stopping == nil else {
        return [.answer(event, .refused)]
      }
      // Some drivers' clocks go back between takes.
      let earliest = previousEnd <= newest ? previousEnd : .distantPast
      let span = event.span ?? plan.span
      let window = TakeWindow(
        around: frameTime, preRoll: span.preRoll, begin: event.frame?.begin ?? frameTime - event.lead,
        notBefore: earliest,
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
    case .recording(let window) where window.isOpenEnded && !event.endsTake:
      return window.isOver(before: frameTime) ? nil : [.answer(event, .extended(take: takeNumber))]
    case .recording(var window):
      switch window.retrigger(at: frameTime) {
      case .comesAfter: return nil
      case .ends:
        enter(.recording(window))
        return [.answer(event, .ended(take: takeNumber))]
      case .extends:
        enter(.recording(window))
        extensions.append(event.time)
        return [.answer(event, .extended(take: takeNumber))]
      }
    }
  }

  /// Returns the reason why the pre-roll of a trigger at `time` is incomplete; `nil` if it is complete.
  private func preRollCut(
    of preRoll: Duration, at time: Instant, notBefore earliest: Instant
  ) -> Take.PreRollCut? {
    // The frames that a full ring discarded are later than any other cut.
    if isPreRollCut { return .ring }
    // A difference of one frame is not a cut.
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
    enter(.recording(window))
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

  /// Whether no take can begin any more.
  var canNeverTrigger: Bool {
    guard phase == .armed, plan.start == .trigger, continuation == nil, waiting.isEmpty, !mayBeTriggered
    else { return false }
    return firedTimes.count == plan.times.count
  }

  /// The times of the plan that can still begin a take.
  var pendingTimes: [TriggerTime] {
    plan.times.enumerated().filter { !firedTimes.contains($0.offset) }.map(\.element)
  }

  /// Adds triggers for the plan's times that have come.
  mutating func hearTimes(at now: Instant) {
    guard let armedAt else { return }
    for (place, time) in plan.times.enumerated() {
      switch time {
      case .delay(let delay):
        let due = armedAt + delay
        if phase == .armed, waiting.isEmpty, now >= due {
          waiting.append(TriggerEvent(.time, at: due, uncertainty: .zero))
        }
      case .deadline(let due):
        if now >= due, firedTimes.insert(place).inserted {
          waiting.append(TriggerEvent(.time, at: due, uncertainty: .zero))
        }
      case .timeOfDay:
        guard let came = wallWatches[place]?.came, firedTimes.insert(place).inserted else { continue }
        waiting.append(TriggerEvent(.time, at: came))
      }
    }
  }

  /// Updates the watches for times of day with a reading of the clocks.
  mutating func note(_ reading: WallReading) {
    for place in wallWatches.keys { wallWatches[place]?.look(reading) }
  }
}
