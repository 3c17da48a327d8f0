import Cameras
import Takes
import Timebase

extension SessionWriter {
  /// How long the writer sleeps when there is nothing to do.
  ///
  /// The capture thread must not wake the writer, because that would be a system call per frame. So
  /// the writer looks for frames itself: often enough that the ring hardly fills meanwhile, but not
  /// more often, because a look costs more than the frame that it finds. While armed, a trigger is
  /// seen up to one nap later.
  var nap: Duration {
    // Somebody may be leafing through the frames.
    if state.isReviewing { return .milliseconds(2) }
    guard let run, !run.isOver else { return .milliseconds(20) }
    guard state.isFilming else { return .milliseconds(5) }
    let frames = run.ring.capacity / RingLayout.recordBytes(payload: run.configuration.plausibleFrame)
    let interval = min(run.configuration.frameFormat.nominalInterval ?? .zero, .seconds(1))
    return min(max(interval * frames / 16, .milliseconds(1)), .milliseconds(20))
  }

  /// The progress of the session at `now`.
  func progress(at now: Instant) -> RecordingProgress {
    let fill = run.map { Double($0.ring.fillBytes) / Double($0.ring.capacity) } ?? 0
    guard let take else {
      return RecordingProgress(
        stage: standingStage, duration: .zero,
        framesWritten: 0, framesLost: state.isGathering ? lostInReview() : 0, ringFill: fill, bytesWritten: 0)
    }
    let accounting = take.writer.accounting
    let times = accounting.timestamps
    return RecordingProgress(
      stage: .filming(take: take.number),
      duration: times.first.flatMap { first in times.last.map { max(.zero, $0 - first) } } ?? .zero,
      framesWritten: accounting.written, framesLost: accounting.ledger.total,
      measuredFramesPerSecond: accounting.measuredFramesPerSecond, ringFill: fill,
      timeUntilRingIsFull: run.flatMap { trend.timeUntilFull($0.ring.capacity) },
      bytesWritten: take.writer.bytesWritten, limitFill: take.writer.limitFill)
  }

  /// What the session does while no take is recorded.
  private var standingStage: RecordingProgress.Stage {
    switch state.phase {
    case .gathering(let window):
      let from = max(window.start, state.firstFrame ?? window.start)
      return .gathering(
        take: state.takeNumber, held: max(.zero, (state.clock.newest ?? from) - from))
    default: return .armed(take: state.takeNumber, held: state.held)
    }
  }

  /// Notes how the camera's controls stood at `time`, on the frames' clock: some may have been set since the stream began.
  func note(_ time: Instant, in configuration: inout StreamConfiguration) {
    for (name, value) in controls.values(at: time + state.clock.offset, since: controlsOpenedAt) {
      configuration.controls[name]?.value = value
    }
  }

  /// Notes how the camera's controls stood at the first frame of `take`, and what was set from then to its last, on the
  /// frames' clock.
  func noteControls(in take: inout TakeInProgress) {
    let times = take.writer.accounting.timestamps
    guard let first = times.first, let last = times.last else { return }
    note(first, in: &take.facts.context.configuration)
    take.facts.controlChanges = controls.steps().compactMap { step in
      var step = step
      step.time = state.clock.exactFrameTime(of: step.time)
      return (first...max(first, last + state.interval)).contains(step.time) ? step : nil
    }
  }

  /// Writes a part of the reviewed frames as a take.
  ///
  /// - Parameter prepared: the output that was opened while the session stood by; `nil` where none was.
  func save(_ part: TakePart, as number: Int, inPlaceOf prepared: OutputOpening?, at now: Instant) {
    // It may have gone with its folder since, and a new one would do as well.
    if let prepared { opener.discard(prepared) }
    guard let run else { return }
    // `now` by the calendar, before the disk is waited for.
    let date = clockOfDay()
    let start = TakeStart(
      number: number, trigger: nil, frameTime: part.start, preRollCut: nil)
    do throws(CaptureError) {
      // Nothing captures during a review: only commands wait for the disk.
      let opening = opener.open(context(of: number, run))
      opener.join()
      if let error = opening.failure { throw error }
      let age = (now - part.start - state.clock.offset) / .seconds(1)
      var facts = TakeFacts(
        context: context(of: number, run), startedAt: date.addingTimeInterval(-max(0, age)),
        ringBytes: run.ring.capacity, ringLockErrno: run.ring.lockErrno)
      if case .reviewing(let window?) = state.phase, let event = state.reviewTrigger,
        (part.start..<part.end).contains(window.trigger)
      {
        let start = TakeStart(number: number, trigger: event, frameTime: window.trigger, preRollCut: nil)
        facts.trigger = Take.Trigger(event, start, state.plan)
        facts.moment = facts.startedAt.addingTimeInterval((window.trigger - part.start) / .seconds(1))
      }
      var take = TakeInProgress(start, output: opening, facts: facts, waitsForDisk: clock.isVirtual)
      // Its audio follows all of its frames.
      take.writer.holdAudio()
      run.ring.forEach { record, payload in
        guard !take.facts.isFull, (part.start..<part.end).contains(record.timestamp) else { return }
        if record.kind == .frame {
          guard take.writer.hasRoom(for: payload, record, lasting: state.interval) else {
            take.facts.isFull = true
            return
          }
          take.writer.write(payload, record)
        } else {
          take.writer.enterLost(record)
        }
      }
      audio?.save(into: &take, until: part.end, lag: state.clock.offset)
      noteControls(in: &take)
      events.tell(.takeStarted(take: number, trigger: nil), at: now)
      close(take, failure: nil)
    } catch {
      // Whoever asked for it has its end told, as with one that begins.
      events.tell(.takeStarted(take: number, trigger: nil), at: now)
      events.tell(.takeEnded(take: number, .failure(error)), at: now)
    }
  }
}

extension FrameTally {
  /// Enters what `record` tells, which follows those entered before.
  mutating func enter(_ record: RingRecord) {
    guard let stage = record.kind.lossStage else { return enterFrame(sequence: record.sequence) }
    enterLost(sequence: record.sequence, count: record.count, at: stage)
  }
}

extension CapturedFrame {
  init(_ record: RingRecord, _ payload: UnsafeRawBufferPointer, _ configuration: StreamConfiguration) {
    bytes = Array(payload)
    sequence = record.sequence
    timestamp = record.timestamp
    self.configuration = configuration
  }
}

extension Take.Trigger {
  /// What triggered the take that begins with `start`.
  init(_ event: TriggerEvent, _ start: TakeStart, _ plan: SessionPlan) {
    self.init(kind: event.kind.rawValue)
    let span = event.span ?? plan.span
    time = event.time
    frameTime = start.frameTime
    askedPreRoll = span.preRoll
    preRollCut = start.preRollCut
    postRoll = span.limit.duration
    text = event.text
    sequence = event.frame?.sequence
    score = event.frame?.score
  }
}
