import CameraModel
import Cameras
import FoundationEssentials
import Platform
import Takes
import Timebase

/// The writer of a session: it moves frames from the ring into takes, and performs the actions of its
/// ``SessionState``.
///
/// Use from one thread. Its decisions do not depend on a clock: the caller passes the time to ``step(now:)``.
final class SessionWriter {
  var state: SessionState
  private let commands: SessionCommands
  let events: EventBroadcaster
  private let taps: TapList<FrameTap>
  let clock: SessionClock
  let clockOfDay: @Sendable () -> Date

  var stream: SessionStream
  private(set) var gauge = StreamGauge()
  /// The session's status, for other threads.
  let board: StatusBoard
  private(set) var take: TakeInProgress?
  /// The change of mode that the next take follows.
  private var modeChange: Take.ModeChange?
  var outputs: TakeOutputs
  var audio: SessionAudio
  /// The end of the session, postponed until its last take has its audio.
  private var pendingEnd: CaptureError??
  /// The frames that triggers fall into.
  private(set) var triggerFrames = TriggerFrames()
  /// A run of lost frames; the next record shows its end.
  private var lostRun: RingRecord?
  var reviews = SessionReviews()
  private var stills: [StillRequest] = []
  var controls: SessionControls
  /// Whether frames wait for a busy disk.
  private(set) var waitsForDisk = false
  private var lastCheckpoint = Instant(nanoseconds: 0)
  private(set) var end: SessionEnd?

  /// The number of records moved before commands are read again.
  private static let batch = 64
  /// The interval at which written frames are made crash-safe and progress is reported.
  static let checkpointInterval = Duration.milliseconds(100)

  init(
    _ session: SessionSetup, commands: SessionCommands, events: EventBroadcaster, taps: TapList<FrameTap>,
    audioTaps: TapList<AudioTap> = TapList<AudioTap>(),
    clockOfDay: (@Sendable () -> Date)? = nil
  ) {
    let clock = session.source.clock
    self.clock = clock
    self.clockOfDay = clockOfDay ?? { clock.date }
    state = SessionState(session.plan, configuration: session.configuration, clock: clock)
    board = StatusBoard(SessionStatus(configuration: session.configuration))
    stream = SessionStream(session.source, session.settings, session.configuration.mode)
    outputs = TakeOutputs(session.makeOutput) { number, result in
      events.tell(.takeEnded(take: number, result), at: clock.now)
    }
    controls = SessionControls(ControlMover(events, ramps: session.ramps, clock: clock))
    self.commands = commands
    self.events = events
    self.taps = taps
    audio = SessionAudio(session.microphone, taps: audioTaps)
  }

  /// The running stream; `nil` if there is none.
  var run: CaptureRun? { stream.run }

  /// Opens the stream for the first time.
  ///
  /// - Throws: ``CaptureError`` if the camera cannot be opened, or the first take cannot be prepared.
  func begin(at now: Instant) throws(CaptureError) {
    // The microphone starts first, so that audio exists when the first frame comes.
    try hear()
    do throws(CaptureError) {
      try openStream(state.configuration)
      try prepareFirstTake(at: now)
    } catch {
      audio.end()
      throw error
    }
  }

  /// Begins with an open stream, and audio whose ring a test fills.
  func begin(_ run: CaptureRun, _ audio: AudioRun? = nil, at now: Instant) throws(CaptureError) {
    if let audio { self.audio.begin(audio) }
    try hear()
    stream.begin(run, state.configuration.mode)
    try prepareFirstTake(at: now)
  }

  private func openStream(_ configuration: SessionConfiguration) throws(CaptureError) {
    try stream.open(configuration, after: state.former) { [commands] in commands.holdsStop }
  }

  private func prepareFirstTake(at now: Instant) throws(CaptureError) {
    prepareTake(state.takeNumber)
    outputs.joinOpening()
    if let error = outputs.failure {
      stream.stop()
      _ = stream.join()
      throw error
    }
    streamOpened(state.configuration, at: now)
  }

  private func streamOpened(_ configuration: SessionConfiguration, at now: Instant) {
    guard let run else { return }
    controls.attach(stream.source, configuration, inForce: run.configuration.controls, at: clock.now)
    let interval = run.configuration.frameFormat.nominalInterval ?? .zero
    perform(state.streamOpened(interval: interval, at: now), at: now)
  }

  /// Performs what is due at `now`, on the session's clock. Returns whether there may be more.
  func step(now: Instant) -> Bool {
    // Checked before the scan, which then sees everything pushed before the close.
    let closed = run?.ring.isClosed == true ? run : nil
    lookAhead(at: now)
    // Commands are taken after the scan, so each is later than all the frames that its sender could have
    // seen.
    state.mayBeTriggered = commands.isLive || state.plan.times.isEmpty && commands.hasNoSources
    for command in commands.take() { perform(state.handle(command, at: now), at: now) }
    if !state.wallWatches.isEmpty {
      state.note(WallReading(wall: .seconds(clockOfDay().timeIntervalSince1970), monotonic: now))
    }
    perform(state.advance(to: now), at: now)
    triggerFrames.advance(to: now)
    // Stops at once if the output cannot be opened, instead of waiting for its trigger.
    if let error = outputs.failure { perform(state.stop(because: error), at: now) }
    let moved = run == nil ? Moved.nothingLeft : moveRecords(at: now)
    waitsForDisk = moved == .waitsForDisk
    moveAudio(at: now)
    if now - lastCheckpoint >= Self.checkpointInterval { checkpoint(at: now) }
    // Another stream may have been opened meanwhile, and that one has not ended.
    if moved == .nothingLeft, let closed, closed === run, !closed.isOver { closeRun(at: now) }
    publish()
    return moved == .more && !state.hasEnded
  }

  /// Waits for all background work that runs in real time, so that virtual time does not overtake it.
  func catchUp() {
    outputs.joinOpening()
    outputs.joinClosing()
    taps.catchUp()
  }

  /// Records that the machine was suspended until just now.
  func noteSuspension(at now: Instant) { perform(state.wasSuspended(), at: now) }

  // MARK: Frames

  /// Scans new records in the ring, and offers the newest frame to taps and stills.
  private func lookAhead(at now: Instant) {
    guard let run else { return }
    gauge.look(fillBytes: run.ring.fillBytes)
    var last: (record: RingRecord, payload: UnsafeRawBufferPointer)?
    while let seen = run.ring.scan() {
      gauge.enter(seen.record)
      guard seen.record.kind == .frame else { continue }
      reviews.enter(seen.record, state)
      triggerFrames.see(seen.record)
      take?.see(seen.record)
      perform(state.see(seen.record.timestamp, at: now), at: now)
      last = seen
    }
    guard let last else { return }
    publish()
    taps.offer(last.payload, last.record, run.configuration, at: now, waits: clock.isVirtual)
    guard !stills.isEmpty else { return }
    var configuration = run.configuration
    controls.note(last.record.timestamp, in: &configuration, clock: state.clock)
    let frame = CapturedFrame(last.record, last.payload, configuration)
    for request in stills {
      // The client that writes the still counts it from here on.
      events.tell(
        .photo(request, .captured(sequence: frame.sequence, frame), inProgress: stills.count), at: now)
      request.answer(.captured(sequence: frame.sequence, frame.configuration))
    }
    stills = []
  }

  private enum Moved { case more, nothingLeft, waitsForDisk }

  /// Moves records from the ring to their destination.
  private func moveRecords(at now: Instant) -> Moved {
    for _ in 0..<Self.batch {
      // Records pushed since the scan wait for the next one, because a frame must be counted before it
      // leaves.
      guard let run, let (record, payload) = run.ring.peekScanned() else { return .nothingLeft }
      let isNearlyFull =
        run.ring.capacity - run.ring.fillBytes < run.configuration.ringMargin(of: run.ring.capacity)
      switch state.disposition(of: record, isRingNearlyFull: isNearlyFull) {
      case .wait: return .nothingLeft
      case .discard: pop(record)
      case .write where take?.skips(payload, record) == true:
        pop(record)
        // A loss before the take's first frame is not part of the take.
        lostRun = nil
      case .write:
        // Loss records take no space on the disk.
        guard record.kind != .frame || take?.writer.isReady(forBytes: payload.count) != false else {
          return .waitsForDisk
        }
        guard
          record.kind != .frame
            || take?.writer.hasRoom(for: payload, record, lasting: state.interval) != false
        else {
          take?.facts.isFull = true
          state.takeIsFull(before: record.timestamp)
          continue
        }
        write(record)
        reportDiskFailure(at: now)
        if state.isTakeComplete { perform(state.takeIsOver(at: now), at: now) }
      case .endTake:
        // The part of the run after this take is kept for the next one.
        flushLostRun(before: record, keeping: true)
        perform(state.takeIsOver(at: now), at: now)
      }
    }
    return .more
  }

  private func pop(_ record: RingRecord) {
    run?.ring.pop { _, _ in }
    if record.kind == .frame { gauge.leave(to: .nowhere) }
    // A run of lost frames extends to the next record, so it is pending until then.
    lostRun = record.kind == .frame ? nil : record
  }

  private func write(_ record: RingRecord) {
    flushLostRun(before: record)
    run?.ring.pop { record, payload in
      guard record.kind == .frame else {
        lostRun = record
        return
      }
      state.admitted(record.timestamp)
      gauge.leave(to: take?.writer.write(payload, record) == true ? .take : .disk)
    }
  }

  /// Records the part of the last run of lost frames that belongs to the take.
  private func flushLostRun(before next: RingRecord?, keeping: Bool = false) {
    guard let run = lostRun else { return }
    if !keeping { lostRun = nil }
    if let part = state.part(of: run, before: next) { take?.writer.enterLost(part) }
  }

  /// Ends the session if the take can no longer be written.
  private func reportDiskFailure(at now: Instant) {
    if let error = take?.writer.openFailure {
      perform(state.stop(because: error), at: now)
    } else if take?.writer.diskFailure != nil {
      perform(state.diskFailed(), at: now)
    }
  }

  /// Moves audio to its destination, behind the pictures, and closes takes with complete audio.
  private func moveAudio(at now: Instant) {
    let lag = state.clock.offset
    // A trigger arrives shortly after its timestamp, and audio arrives later than pictures.
    let oldest = now - lag - state.plan.keptTime - .seconds(2)
    let complete = audio.move(
      into: &take, keeping: state.isReviewing || state.isGathering ? .all : .since(oldest), lag: lag, now: now
    )
    for ended in complete { outputs.close(ended.take, failure: ended.failure) }
    if !audio.isEnding, let failure = pendingEnd.take() { finish(failure, at: now) }
  }

  /// Makes written frames crash-safe, and reports progress.
  private func checkpoint(at now: Instant) {
    lastCheckpoint = now
    if take?.writer.isReady(forBytes: 0) == true { take?.writer.checkpoint() }
    reportDiskFailure(at: now)
    guard let run else { return }
    gauge.sample(fillBytes: run.ring.fillBytes, at: now)
    let status = publish()
    if let number = take?.number, let losses = take?.newLosses(), losses > 0 {
      events.tell(.lost(take: number, frames: losses), at: now)
    }
    // Between takes, progress is reported only while the session waits for a trigger or in a review.
    guard take != nil || state.isWaiting else { return }
    events.tell(.progress(status), at: now)
  }

  /// Joins the thread of a stream that has ended.
  private func closeRun(at now: Instant) {
    let failure = stream.join()
    flushLostRun(before: nil)
    let actions = state.streamEnded(failure, at: now)
    // The node of a lost camera is freed only when no program has it open.
    if state.isInterrupted { controls.detach() }
    // Reviewed frames stay in the ring.
    if !state.isReviewing {
      gauge.ringGoes()
      stream.close()
    }
    publish()
    perform(actions, at: now)
  }

  // MARK: Actions

  private func perform(_ actions: [SessionAction], at now: Instant) {
    guard !actions.isEmpty else { return }
    // Publishes first, so that the recipients of a report find the status updated.
    publish()
    for action in actions { perform(action, at: now) }
  }

  private func perform(_ action: SessionAction, at now: Instant) {
    switch action {
    case .beginTake(let start): begin(start, at: now)
    case .endTake(let end): endTake(end, at: now)
    case .answer(let event, let answer):
      event.answer(answer)
      var event = event
      event.moment = state.clock.moment(of: event)
      events.tell(.triggered(event, answer), at: now)
      if answer != .refused {
        triggerFrames.answer(event, answer, at: state.clock.frameTime(of: event), now: now)
      }
    case .answerChange(let change, let outcome): change.answer(outcome)
    case .answerSpan(let change, let outcome): change.answer(outcome)
    case .changeSpan(let change): self.change(change)
    case .stopStream:
      controls.mover.streamStops(at: now)
      stream.stop()
    case .open(let configuration): open(configuration, at: now)
    case .look: look(at: now)
    case .set(let change): controls.mover.set(change)
    case .move(let target): controls.mover.move(target)
    case .cancelMove(let id): controls.mover.cancel(id)
    case .takeStill(let request):
      stills.append(request)
      // A still in another mode reported `willBegin` before the camera changed its mode.
      let stages: [PhotoStage] = request.configuration == nil ? [.willBegin, .willCapture] : [.willCapture]
      for stage in stages { events.tell(.photo(request, stage, inProgress: stills.count), at: now) }
    case .save(let part, let number): save(part, as: number, at: now)
    case .prepareTake(let number): prepareTake(number)
    case .show(let look): show(look)
    case .reportReviewing: events.tell(.reviewing(frames: reviews.status?.count ?? 0), at: now)
    case .reportStarted:
      guard let run else { return }
      let report = RingReport(run.ring, run.configuration, preRoll: state.plan.heldTime)
      events.tell(.started(run.configuration, report), at: now)
    case .reportModeChanged(let change):
      guard let run else { return }
      modeChange = Take.ModeChange(from: change.former, gap: change.gap)
      events.tell(.modeChanged(run.configuration, gap: change.gap), at: now)
      change.request?.answer(.changed(run.configuration, gap: change.gap))
    case .tell(let kind):
      events.tell(kind, at: now)
      if case .photo(let request, .failed(let reason), _) = kind { request.answer(.failed(reason)) }
    case .end(let failure): end(failure, at: now)
    }
  }

  private func begin(_ start: TakeStart, at now: Instant) {
    guard let run, let context = stream.context(of: start.number, audio.input) else { return }
    let output = outputs.takeNext(context)
    let ago = ((start.trigger?.time ?? now) - now) / .seconds(1)
    var facts = TakeFacts(
      context: context, startedAt: clockOfDay().addingTimeInterval(ago),
      ringBytes: run.ring.capacity, ringLockErrno: run.ring.lockErrno)
    facts.modeChange = modeChange.take()
    if let trigger = start.trigger {
      facts.trigger = Take.Trigger(
        trigger, start, state.plan, fellInto: triggerFrames.sequence(at: start.frameTime))
    }
    gauge.takeBegins(fillBytes: run.ring.fillBytes)
    take = TakeInProgress(start, output: output, facts: facts, waitsForDisk: clock.isVirtual)
    controls.startRamps(at: state.continuation == nil ? start.frameTime + state.clock.offset : nil)
    events.tell(.takeStarted(take: start.number, trigger: start.trigger), at: now)
  }

  private func endTake(_ end: TakeEnd, at now: Instant) {
    guard var ended = take.take() else { return }
    ended.facts.ringPeakBytes = gauge.ringPeak
    ended.facts.trigger.extensions = end.extensions
    controls.note(in: &ended, clock: state.clock, interval: state.interval)
    if state.continuation == nil { controls.mover.rewindRamps() }
    let losses = ended.newLosses()
    if losses > 0 { events.tell(.lost(take: ended.number, frames: losses), at: now) }
    // The last samples have not arrived yet.
    guard !audio.finish(ended, failure: end.failure, interval: state.interval, now: now) else { return }
    outputs.close(ended, failure: end.failure)
  }

  private func prepareTake(_ number: Int) {
    // Changes older than any pre-roll are no longer needed.
    controls.mover.forgetSteps(before: clock.now - state.plan.keptTime - .seconds(60))
    if let context = stream.context(of: number, audio.input) { outputs.prepare(context) }
  }

  private func open(_ configuration: SessionConfiguration, at now: Instant) {
    gauge.streamBegins()
    outputs.discardNext()
    lostRun = nil
    do throws(CaptureError) {
      try openStream(configuration)
      streamOpened(configuration, at: now)
    } catch {
      perform(state.openingFailed(error, at: now), at: now)
    }
  }

  private func look(at now: Instant) {
    if stream.find() { open(state.configuration, at: now) }
  }

  private func end(_ failure: CaptureError?, at now: Instant) {
    commands.close()
    triggerFrames.finish()
    outputs.discardNext()
    for request in stills {
      perform(.tell(.photo(request, .failed(CaptureError.noStream.description), inProgress: 0)), at: now)
    }
    stills = []
    stream.note(controls.putBack())
    taps.close()
    if audio.isEnding {
      pendingEnd = .some(failure)
    } else {
      finish(failure, at: now)
    }
  }

  /// Reports the end, once every take is closed.
  private func finish(_ failure: CaptureError?, at now: Instant) {
    audio.end()
    outputs.joinOpening()
    outputs.joinClosing()
    var end = SessionEnd(takeCount: state.takeCount, failure: failure, restoreFailure: stream.restoreFailure)
    end.pendingTimes = state.pendingTimes
    self.end = end
    events.tell(.ended(end), at: now)
  }
}
