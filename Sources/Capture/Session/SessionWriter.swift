import CameraModel
import Cameras
import FoundationEssentials
import Platform
import Takes
import Timebase

/// The writer of a session: moves frames from the ring into takes, and performs what its
/// ``SessionState`` asks for.
///
/// Use from one thread. It reads no clock for its decisions: each ``step(now:)`` is told the time.
final class SessionWriter {
  var state: SessionState
  private var source: CaptureSource
  var settings: CaptureSettings
  private let commands: SessionCommands
  let events: SessionEventTeller
  private let taps: TapList<FrameTap>
  let opener: OutputOpener
  let clock: SessionClock
  let clockOfDay: @Sendable () -> Date

  /// What captures; `nil` while nothing does.
  private(set) var run: CaptureRun?
  /// The mode that `run` was opened with.
  private var runMode: Mode
  /// How the session stands, for other threads.
  let board: StatusBoard
  private(set) var take: TakeInProgress?
  /// The change of mode that the next take follows.
  private var modeChange: Take.ModeChange?
  /// The output of the next take, made before its trigger.
  private var nextOutput: OutputOpening?
  let closer = TakeCloser()
  let microphone: OpenMicrophone?
  let audioTaps: TapList<AudioTap>
  /// What is heard; `nil` while nothing is.
  var audio: AudioFeed?
  /// How much of what is heard is kept.
  var heardTime = Duration.zero
  /// How the session ends once its last take has its audio.
  private var pendingEnd: CaptureError??
  /// A run of lost frames; the next record shows where it ends.
  private var lostRun: RingRecord?
  /// What became of the stream's frames.
  private(set) var frames = StreamFrames()
  private(set) var newest: SessionStatus.LatestFrame?
  private(set) var pace = FramePace()
  /// What gathers for a review, or is reviewed; `nil` where nothing is.
  var review: ReviewTally?
  /// How many reviews have begun.
  var reviewCount = 0
  private var stills: [StillRequest] = []
  let controls: ControlMover
  /// How the stream set the controls.
  private var controlsInForce: [String: ControlInForce] = [:]
  /// When it had set them.
  private(set) var controlsOpenedAt = Instant.distantPast
  private(set) var trend = RingTrend()
  /// Whether frames wait for a busy disk.
  private(set) var waitsForDisk = false
  private var ringPeak = 0
  private var lastCheckpoint = Instant(nanoseconds: 0)
  private(set) var end: SessionEnd?
  private var restoreFailure: CameraError?
  /// Processor time of the capture threads that have ended.
  private(set) var captureTime = Duration.zero
  /// The most bytes that waited in any ring.
  private(set) var ringPeakOverall = 0

  /// How many records are moved before commands are read again.
  private static let batch = 64
  /// How often written frames are made safe and progress is reported.
  static let checkpointInterval = Duration.milliseconds(100)
  /// When the ramps of the take began, also where it goes on in another one.
  private var rampZero = Instant.distantPast
  init(
    _ session: SessionSetup, commands: SessionCommands, events: SessionEventTeller, taps: TapList<FrameTap>,
    audioTaps: TapList<AudioTap> = TapList<AudioTap>(),
    clockOfDay: (@Sendable () -> Date)? = nil
  ) {
    let clock = session.source.clock
    self.clock = clock
    self.clockOfDay = clockOfDay ?? { clock.date }
    state = SessionState(session.plan, configuration: session.configuration, clock: clock)
    runMode = session.configuration.mode
    board = StatusBoard(SessionStatus(configuration: session.configuration))
    source = session.source
    settings = session.settings
    opener = OutputOpener(session.makeOutput)
    controls = ControlMover(events, ramps: session.ramps, clock: clock)
    self.commands = commands
    self.events = events
    self.taps = taps
    self.audioTaps = audioTaps
    microphone = session.microphone
  }

  /// What the camera agreed to; `nil` while nothing captures.
  var configuration: StreamConfiguration? { run?.configuration }

  /// Opens the stream for the first time.
  ///
  /// - Throws: ``CaptureError`` where the camera cannot be opened, or the first take not be prepared.
  func begin(at now: Instant) throws(CaptureError) {
    // First, so that something has been heard when the first frame comes.
    try hear()
    do throws(CaptureError) { try beginStream(at: now) } catch {
      endAudio()
      throw error
    }
  }

  private func openSource(_ configuration: SessionConfiguration) throws(CaptureError) -> CaptureRun {
    try source.open(configuration, settings) { [commands] in commands.holdsStop }
  }

  private func beginStream(at now: Instant) throws(CaptureError) {
    let run = try openSource(state.configuration)
    try begin(run, at: now)
  }

  /// Begins with a stream that is open, and audio whose ring a test fills.
  func begin(_ run: CaptureRun, _ audio: AudioRun? = nil, at now: Instant) throws(CaptureError) {
    if let audio { self.audio = AudioFeed(audio) }
    try hear()
    self.run = run
    runMode = state.configuration.mode
    let first = opener.open(context(of: state.takeNumber, run))
    opener.join()
    if let error = first.failure {
      run.stop.set()
      _ = run.join()
      throw error
    }
    nextOutput = first
    attachControls(run, state.configuration)
    perform(
      state.streamOpened(interval: run.configuration.frameFormat.nominalInterval ?? .zero, at: now),
      at: now)
  }

  /// Does what is due at `now`, on the session's clock. Returns whether there may be more.
  func step(now: Instant) -> Bool {
    // Asked before the look: what was pushed before the close is seen by it.
    let closed = run?.ring.isClosed == true ? run : nil
    lookAhead(at: now)
    // Commands after the look at the ring: then each is later than all the frames that it could
    // have seen go.
    state.mayBeTriggered = commands.isLive || state.plan.times.isEmpty && commands.hasNoSources
    for command in commands.take() { perform(state.handle(command, at: now), at: now) }
    if !state.wallWatches.isEmpty {
      state.note(WallReading(wall: .seconds(clockOfDay().timeIntervalSince1970), monotonic: now))
    }
    perform(state.advance(to: now), at: now)
    // Nobody waits for the trigger of a take that could not be written.
    if let error = nextOutput?.failure { perform(state.stop(because: error), at: now) }
    let moved = run == nil ? Moved.nothingLeft : moveRecords(at: now)
    waitsForDisk = moved == .waitsForDisk
    moveAudio(at: now)
    if now - lastCheckpoint >= Self.checkpointInterval { checkpoint(at: now) }
    // Another stream may have been opened meanwhile, which has not ended.
    if moved == .nothingLeft, let closed, closed === run, !closed.isOver { closeRun(at: now) }
    publish()
    return moved == .more && !state.hasEnded
  }

  /// Waits for all that works beside the writer in real time, so that time on a virtual clock waits for it.
  func catchUp() {
    opener.join()
    closer.join()
    taps.catchUp()
  }

  /// Notes that the machine was suspended until just now.
  func noteSuspension(at now: Instant) { perform(state.wasSuspended(), at: now) }

  // MARK: Frames

  /// Looks at new records in the ring, and offers the newest frame to taps and stills.
  private func lookAhead(at now: Instant) {
    guard let run else { return }
    ringPeak = max(ringPeak, run.ring.fillBytes)
    var last: (record: RingRecord, payload: UnsafeRawBufferPointer)?
    while let seen = run.ring.scan() {
      frames.enter(seen.record)
      guard seen.record.kind == .frame else { continue }
      if state.isReviewed(seen.record) { review?.enter(seen.record) }
      newest = SessionStatus.LatestFrame(
        sequence: seen.record.sequence, timestamp: seen.record.timestamp, sent: frames.sent)
      perform(state.see(seen.record.timestamp, at: now), at: now)
      last = seen
    }
    guard let last else { return }
    publish()
    taps.offer(last.payload, last.record, run.configuration, at: now, waits: clock.isVirtual)
    guard !stills.isEmpty else { return }
    var configuration = run.configuration
    note(last.record.timestamp, in: &configuration)
    let frame = CapturedFrame(last.record, last.payload, configuration)
    for request in stills {
      // Whoever writes it counts on.
      events.tell(
        .photo(request, .captured(sequence: frame.sequence, frame), inProgress: stills.count), at: now)
      request.answer(.captured(sequence: frame.sequence, frame.configuration))
    }
    stills = []
  }

  private enum Moved { case more, nothingLeft, waitsForDisk }

  /// Moves records from the ring to where they belong.
  private func moveRecords(at now: Instant) -> Moved {
    for _ in 0..<Self.batch {
      // What came since the look waits for the next one: a frame is counted before it goes.
      guard let run, let (record, payload) = run.ring.peekScanned() else { return .nothingLeft }
      let isNearlyFull =
        run.ring.capacity - run.ring.fillBytes < run.configuration.ringMargin(of: run.ring.capacity)
      switch state.disposition(of: record, isRingNearlyFull: isNearlyFull) {
      case .wait: return .nothingLeft
      case .discard: pop(record)
      case .write:
        // What was lost takes no room on the disk.
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
        tellDiskFailure(at: now)
        if state.isTakeComplete { perform(state.takeIsOver(at: now), at: now) }
      case .endTake:
        // The part of the run after this take stays for the next one.
        flushLostRun(before: record, keeping: true)
        perform(state.takeIsOver(at: now), at: now)
      }
    }
    return .more
  }

  private func pop(_ record: RingRecord) {
    run?.ring.pop { _, _ in }
    if record.kind == .frame { frames.leave(to: .nowhere) }
    // A run of lost frames reaches to the next record, and is gone only with that.
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
      frames.leave(to: take?.writer.write(payload, record) == true ? .take : .disk)
    }
  }

  /// Enters the part of the last run of lost frames that belongs to the take.
  private func flushLostRun(before next: RingRecord?, keeping: Bool = false) {
    guard let run = lostRun else { return }
    if !keeping { lostRun = nil }
    if let part = state.part(of: run, before: next) { take?.writer.enterLost(part) }
  }

  /// Ends the session where the take can no longer be written.
  private func tellDiskFailure(at now: Instant) {
    if let error = take?.writer.openFailure {
      perform(state.stop(because: error), at: now)
    } else if take?.writer.diskFailure != nil {
      perform(state.diskFailed(), at: now)
    }
  }

  /// Moves audio to where it belongs, behind the pictures, and closes takes that have all of theirs.
  private func moveAudio(at now: Instant) {
    guard var audio = audio.take() else { return }
    let lag = state.clock.offset
    // A trigger is stamped a moment before it is seen, and audio comes later than pictures.
    let oldest = now - lag - state.plan.keptTime - .seconds(2)
    let complete = audio.move(
      into: &take, keeping: state.isReviewing || state.isGathering ? .all : .since(oldest), lag: lag, now: now
    )
    self.audio = audio
    for ended in complete { close(ended.take, failure: ended.failure) }
    if !audio.isEnding, let failure = pendingEnd.take() { finish(failure, at: now) }
  }

  /// Makes written frames safe, and reports progress.
  private func checkpoint(at now: Instant) {
    lastCheckpoint = now
    if take?.writer.isReady(forBytes: 0) == true { take?.writer.checkpoint() }
    tellDiskFailure(at: now)
    guard let run else { return }
    trend.enter(run.ring.fillBytes, at: now)
    if let newest { pace.note(newest) }
    let status = publish()
    if let number = take?.number, let losses = take?.newLosses(), losses > 0 {
      events.tell(.lost(take: number, frames: losses), at: now)
    }
    // Between takes there is something to tell only while the session waits for somebody.
    guard take != nil || state.isWaiting else { return }
    events.tell(.progress(status), at: now)
  }

  /// Joins the thread of a stream that has ended.
  private func closeRun(at now: Instant) {
    guard let run else { return }
    let (failure, restoreFailure) = run.join()
    self.restoreFailure = self.restoreFailure ?? restoreFailure
    captureTime += run.processorTime
    ringPeakOverall = max(ringPeakOverall, ringPeak)
    flushLostRun(before: nil)
    let actions = state.streamEnded(failure, at: now)
    // A camera that is gone gets its node back only once nobody has it open.
    if state.isInterrupted { controls.attach(nil, listens: false) }
    // Reviewed frames stay in the ring.
    if !state.isReviewing {
      frames.letAllGo()
      self.run = nil
    }
    publish()
    perform(actions, at: now)
  }

  /// What is known about take `number`.
  func context(of number: Int, _ run: CaptureRun) -> TakeContext {
    TakeContext(
      number: number, camera: source.name, mode: runMode, configuration: run.configuration,
      audio: audio?.run.input)
  }

  // MARK: Actions

  private func perform(_ actions: [SessionAction], at now: Instant) {
    guard !actions.isEmpty else { return }
    // First: whoever is told of a change finds it made.
    publish()
    for action in actions { perform(action, at: now) }
  }

  private func perform(_ action: SessionAction, at now: Instant) {
    switch action {
    case .beginTake(let start): begin(start, at: now)
    case .endTake(let end): endTake(end, at: now)
    case .answer(let event, let answer):
      event.answer(answer)
      events.tell(.triggered(event, answer), at: now)
    case .answerChange(let change, let outcome): change.answer(outcome)
    case .answerSpan(let change, let outcome): change.answer(outcome)
    case .changeSpan(let change): self.change(change)
    case .stopStream:
      controls.streamStops(at: now)
      run?.stop.set()
    case .open(let configuration): open(configuration, at: now)
    case .look: look(at: now)
    case .set(let change): controls.set(change)
    case .move(let target): controls.move(target)
    case .cancelMove(let id): controls.cancel(id)
    case .takeStill(let request):
      stills.append(request)
      // One that needs another mode has begun when the camera was set to that.
      let stages: [PhotoStage] = request.configuration == nil ? [.willBegin, .willCapture] : [.willCapture]
      for stage in stages { events.tell(.photo(request, stage, inProgress: stills.count), at: now) }
    case .save(let part, let number):
      save(part, as: number, inPlaceOf: nextOutput.take(), at: now)
    case .prepareTake(let number): prepareTake(number)
    case .show(let look): show(look)
    case .tellReviewing: events.tell(.reviewing(frames: review?.status.count ?? 0), at: now)
    case .tellStarted:
      guard let run else { return }
      let report = RingReport(run.ring, run.configuration, preRoll: state.plan.heldTime)
      events.tell(.started(run.configuration, report), at: now)
    case .tellModeChanged(let change):
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
    guard let run else { return }
    let output = nextOutput.take() ?? opener.open(context(of: start.number, run))
    let ago = ((start.trigger?.time ?? now) - now) / .seconds(1)
    var facts = TakeFacts(
      context: context(of: start.number, run), startedAt: clockOfDay().addingTimeInterval(ago),
      ringBytes: run.ring.capacity, ringLockErrno: run.ring.lockErrno)
    facts.modeChange = modeChange.take()
    if let trigger = start.trigger { facts.trigger = Take.Trigger(trigger, start, state.plan) }
    // While armed, the ring fills up to the pre-roll only; the trend begins anew.
    trend = RingTrend()
    ringPeak = run.ring.fillBytes
    take = TakeInProgress(start, output: output, facts: facts, waitsForDisk: clock.isVirtual)
    if state.continuation == nil { rampZero = start.frameTime + state.clock.offset }
    controls.startRamps(at: rampZero)
    events.tell(.takeStarted(take: start.number, trigger: start.trigger), at: now)
  }

  private func endTake(_ end: TakeEnd, at now: Instant) {
    guard var ended = take.take() else { return }
    ended.facts.ringPeakBytes = ringPeak
    ringPeakOverall = max(ringPeakOverall, ringPeak)
    ended.facts.trigger.extensions = end.extensions
    noteControls(in: &ended)
    if state.continuation == nil { controls.rewindRamps() }
    let losses = ended.newLosses()
    if losses > 0 { events.tell(.lost(take: ended.number, frames: losses), at: now) }
    // Its last samples are still to come.
    if audio != nil, ended.writer.accounting.written > 0 {
      audio?.finish(ended, failure: end.failure, interval: state.interval, now: now)
    } else {
      close(ended, failure: end.failure)
    }
  }

  /// Has controls be set and moved from now on.
  private func attachControls(_ run: CaptureRun, _ configuration: SessionConfiguration) {
    controlsInForce = run.configuration.controls
    controlsOpenedAt = clock.now
    let open = source.controls.map { OpenControls(open: $0, configuration: configuration) }
    controls.attach(open, listens: source.isShared)
  }

  func close(_ take: TakeInProgress, failure: CaptureError?) {
    closer.close(take, failure: failure) { [events, clock] number, result in
      events.tell(.takeEnded(take: number, result), at: clock.now)
    }
  }

  private func prepareTake(_ number: Int) {
    // What is older than any pre-roll is nobody's any more.
    controls.forgetSteps(before: clock.now - state.plan.keptTime - .seconds(60))
    guard let run, nextOutput == nil else { return }
    nextOutput = opener.open(context(of: number, run))
  }

  private func open(_ configuration: SessionConfiguration, at now: Instant) {
    run = nil
    (frames, newest, pace) = (StreamFrames(), nil, FramePace())
    discardNextOutput()
    lostRun = nil
    do throws(CaptureError) {
      let run = try openSource(configuration)
      if let former = state.former,
        let error = configuration.refusal(of: run.configuration, after: former, by: source.name)
      {
        run.stop.set()
        _ = run.join()
        throw error
      }
      self.run = run
      runMode = configuration.mode
      attachControls(run, configuration)
      let interval = run.configuration.frameFormat.nominalInterval ?? .zero
      perform(state.streamOpened(interval: interval, at: now), at: now)
    } catch {
      perform(state.openingFailed(error, at: now), at: now)
    }
  }

  private func look(at now: Instant) {
    guard let found = source.find() else { return }
    source = found
    open(state.configuration, at: now)
  }

  /// Lets go of an output that was prepared for a take that does not come.
  private func discardNextOutput() { if let next = nextOutput.take() { opener.discard(next) } }

  private func end(_ failure: CaptureError?, at now: Instant) {
    commands.close()
    discardNextOutput()
    for request in stills {
      perform(.tell(.photo(request, .failed(CaptureError.noStream.description), inProgress: 0)), at: now)
    }
    stills = []
    let controlFailure = controls.putBack(controlsInForce)
    restoreFailure = restoreFailure ?? controlFailure
    taps.close()
    if audio?.isEnding == true {
      pendingEnd = .some(failure)
    } else {
      finish(failure, at: now)
    }
  }

  /// Tells the end, once every take is closed.
  private func finish(_ failure: CaptureError?, at now: Instant) {
    endAudio()
    opener.join()
    closer.join()
    let end = SessionEnd(takeCount: state.takeCount, failure: failure, restoreFailure: restoreFailure)
    self.end = end
    events.tell(.ended(end), at: now)
  }
}
