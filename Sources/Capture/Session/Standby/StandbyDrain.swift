import Cameras
import FoundationEssentials
import Takes

/// The writer's work where takes wait for triggers.
///
/// Armed, it lets the oldest frames go and keeps the newest in the ring. Filming, it moves frames into the take. What
/// belongs to a take goes by the frames' own timestamps, so it does not matter how late a trigger is seen.
/// Knows no clock: each ``step(now:onEnd:)`` is told the time.
struct StandbyDrain: ~Copyable {
  private var ring: RingConsumer
  private let plan: StandbyPlan
  private let queue: TriggerQueue
  private let configuration: StreamConfiguration
  private let makeMaster: (Int) throws(CaptureError) -> MasterWriter

  private var time = TimestampMapper()
  /// Triggers that came after the end of a take that is still being written.
  private var waiting: [TriggerEvent] = []
  /// Lost frames whose end is known when the next record is.
  private var run: RingRecord?
  /// The take that is filmed; `nil` while armed.
  private var take: TakeInProgress?
  /// The master of the take to come, made before its trigger.
  private var nextMaster: MasterWriter?
  private var nextNumber = 1
  private var armedAt: Int64 = 0
  private var firedDeadlines = 0
  private var isPreRollCut = false
  private var heldNanoseconds: Int64 = 0
  /// Where the take before ended, on the frames' clock.
  private var previousEnd = Int64.min
  private var peak = 0
  private var trend = RingTrend()

  /// How much longer than the pre-roll frames are kept, in nanoseconds: a trigger is stamped a moment before it is seen.
  private static let slack: Int64 = 50_000_000
  /// How many frames are written before triggers are looked for again.
  private static let batch = 64

  /// - Parameter makeMaster: opens the master of a take, by its number.
  /// - Throws: what `makeMaster` does for the first one.
  init(
    ring: consuming RingConsumer, configuration: StreamConfiguration, plan: StandbyPlan, queue: TriggerQueue,
    makeMaster: @escaping (Int) throws(CaptureError) -> MasterWriter
  ) throws(CaptureError) {
    let master = try makeMaster(1)
    self.ring = ring
    self.configuration = configuration
    self.plan = plan
    self.queue = queue
    self.makeMaster = makeMaster
    nextMaster = .some(master)
  }

  /// Whether the take that was asked for last has ended.
  var isDone: Bool { take == nil && plan.takeCount.map { nextNumber > $0 } == true }

  /// Whether it waits for a trigger that cannot come any more.
  var isWaitingInVain: Bool {
    let deadlines = plan.times.filter { if case .deadline = $0 { true } else { false } }.count
    let hasDelay = plan.times.count > deadlines
    return take == nil && waiting.isEmpty && !queue.isLive && !hasDelay && firedDeadlines == deadlines
  }

  /// Whether the capture thread has closed the ring; asked before a step, all that it left is seen by that step.
  var isClosed: Bool { ring.isClosed }

  /// Does what there is to do at `now`, on `CLOCK_MONOTONIC` in nanoseconds; whether there may be more.
  ///
  /// - Parameter onEnd: is given each take that has come to its end.
  /// - Throws: ``CaptureError`` where the next take's master cannot be made.
  mutating func step(
    now: Int64, onEnd: (consuming TakeInProgress) -> Void
  ) throws(CaptureError) -> Bool {
    if armedAt == 0 { armedAt = now }
    // Triggers after the look at the ring: then each is later than all the frames that it could have seen go.
    lookAhead(at: now)
    hearTriggers(at: now)
    guard take != nil else {
      letGo()
      return false
    }
    let (isOver, mayHaveMore) = film(at: now)
    guard isOver else { return mayHaveMore }
    // A disk that failed has no room for the next one either: this take ends with the recording.
    guard !hasDiskFailed else { return false }
    if let ended = endTake() { onEnd(ended) }
    try arm(at: now)
    return true
  }

  /// Makes what has left the ring safe from a crash, and notes how full it is; to be called every 100 ms or so.
  mutating func checkpoint(at now: Int64) {
    take?.checkpoint()
    trend.enter(ring.fillBytes, at: now)
  }

  /// Ends the take that is filmed, if there is one.
  mutating func endTake() -> TakeInProgress? {
    guard var ended = take.take() else { return nil }
    // What of the run lies behind this take stays for the next.
    if let run { ended.enter(run: run, before: ring.peek()) }
    ended.end(ringPeakBytes: peak)
    peak = 0
    previousEnd = ended.window.nextStart
    return .some(ended)
  }

  private mutating func arm(at now: Int64) throws(CaptureError) {
    armedAt = now
    isPreRollCut = false
    nextNumber += 1
    if !isDone { nextMaster = .some(try makeMaster(nextNumber)) }
  }

  private mutating func lookAhead(at now: Int64) {
    peak = max(peak, ring.fillBytes)
    while let seen = ring.scan() {
      if seen.record.kind == .frame { time.see(seen.record.timestampNanoseconds, at: now) }
    }
  }

  // MARK: Triggers

  private mutating func hearTriggers(at now: Int64) {
    waiting += queue.take()
    hearTimes(at: now)
    while let event = waiting.first {
      guard handle(event, at: now) else { return }
      waiting.removeFirst()
    }
  }

  private mutating func hearTimes(at now: Int64) {
    var deadlines = 0
    for trigger in plan.times {
      switch trigger {
      case .delay(let delay):
        let due = armedAt + delay
        if take == nil, waiting.isEmpty, now >= due { waiting.append(TriggerEvent(.time, at: due)) }
      case .deadline(let due):
        guard now >= due else { continue }
        deadlines += 1
        if deadlines > firedDeadlines { waiting.append(TriggerEvent(.time, at: due)) }
      }
    }
    firedDeadlines = max(firedDeadlines, deadlines)
  }

  /// Does what a trigger asks for; `false` where it has to wait for the end of this take.
  private mutating func handle(_ event: TriggerEvent, at now: Int64) -> Bool {
    // Before the first frame nobody knows what its clock says.
    guard let newest = time.newest else { return false }
    let frameTime = time.frameTime(of: event.nanoseconds)
    guard take != nil else {
      begin(event, at: now, frameTime, notBefore: previousEnd <= newest ? previousEnd : .min)
      return true
    }
    switch take?.retrigger(event, at: frameTime) {
    case .comesAfter: return false
    case .ends: event.answer?(.ended(take: nextNumber))
    case .extends: event.answer?(.extended(take: nextNumber))
    case nil: break
    }
    return true
  }

  private mutating func begin(
    _ event: TriggerEvent, at now: Int64, _ frameTime: Int64, notBefore earliest: Int64
  ) {
    guard event.startsTake, let master = nextMaster.take() else {
      event.answer?(.refused)
      return
    }
    var facts = TakeFacts(
      configuration: configuration,
      startedAt: Date().addingTimeInterval(Double(event.nanoseconds - now) / 1e9),
      ringBytes: ring.capacity, ringLockErrno: ring.lockErrno)
    facts.trigger = Take.Trigger(kind: event.kind.rawValue)
    facts.trigger.time = event.nanoseconds
    facts.trigger.frameTime = frameTime
    facts.trigger.askedPreRoll = plan.preRoll
    facts.trigger.postRoll = plan.limit.nanoseconds
    facts.trigger.text = event.text
    facts.isPreRollCut = isPreRollCut
    // Armed, a ring fills up to the pre-roll and no further.
    trend = RingTrend()
    take = .some(
      TakeInProgress(
        number: nextNumber, beganAt: now,
        window: TakeWindow(
          around: frameTime, preRoll: plan.preRoll, notBefore: earliest, limit: plan.limit),
        master: master, facts: facts))
    event.answer?(.started(take: nextNumber))
  }

  // MARK: Frames

  /// Armed: lets go of what is older than the pre-roll, and of more where the ring would be full else.
  private mutating func letGo() {
    guard let newest = time.newest else { return }
    let oldestKept = newest - plan.preRoll - Self.slack
    while let oldest = ring.peek() {
      heldNanoseconds = min(newest - oldest.timestampNanoseconds, plan.preRoll)
      if heldNanoseconds == plan.preRoll { isPreRollCut = false }
      if oldest.timestampNanoseconds >= oldestKept {
        guard ring.capacity - ring.fillBytes < configuration.ringMargin(of: ring.capacity) else { return }
        isPreRollCut = true
      }
      _ = ring.pop { _, _ in }
      // A run reaches to the next record: only with that it is gone for good.
      run = oldest.kind == .frame ? nil : oldest
    }
  }

  /// Filming: moves frames into the take; whether it is over, and whether there may be more to move.
  private mutating func film(at now: Int64) -> (isOver: Bool, mayHaveMore: Bool) {
    for _ in 0..<Self.batch {
      guard let record = ring.peek() else { return (hasTimeStoodStill(at: now), false) }
      if take?.window.isOver(before: record.timestampNanoseconds) == true { return (true, true) }
      popOne()
      if take?.window.isComplete == true { return (true, true) }
    }
    return (false, true)
  }

  private mutating func popOne() {
    _ = ring.pop { record, payload in
      if let run { take?.enter(run: run, before: record) }
      run = record.kind == .frame ? nil : record
      if record.kind == .frame { take?.enter(frame: record, payload) }
    }
  }

  /// Whether frames come whose timestamps do not move, so that the take would never end.
  private borrowing func hasTimeStoodStill(at now: Int64) -> Bool {
    switch take {
    case .some(let take):
      guard case .time(let until) = take.window.end, let newest = time.newest else { return false }
      let isFlowing = now - time.arrival < 1_000_000_000
      let longest = until - take.window.trigger + RingDrain.patience
      return isFlowing && newest < until && now - take.beganAt > longest
    case nil: return false
    }
  }
}

extension StandbyDrain {
  /// Whether the disk has failed under the take.
  var hasDiskFailed: Bool {
    switch take {
    case .some(let take): take.writer.diskFailure != nil
    case nil: false
    }
  }

  /// Refuses the triggers that found no take, and all that may come.
  consuming func close() {
    queue.close()
    for event in waiting { event.answer?(.refused) }
  }

  /// How it stands at `now`.
  borrowing func progress(at now: Int64) -> RecordingProgress {
    let fill = Double(ring.fillBytes) / Double(ring.capacity)
    switch take {
    case .some(let take):
      let accounting = take.writer.accounting
      return RecordingProgress(
        stage: .filming(take: nextNumber), elapsedSeconds: Double(now - take.beganAt) / 1e9,
        framesWritten: accounting.written, framesLost: accounting.ledger.total,
        measuredFramesPerSecond: accounting.measuredFramesPerSecond, ringFill: fill,
        secondsUntilRingIsFull: trend.secondsUntilFull(ring.capacity),
        bytesWritten: take.writer.bytesWritten)
    case nil:
      return RecordingProgress(
        stage: .armed(take: nextNumber, heldNanoseconds: heldNanoseconds), elapsedSeconds: 0,
        framesWritten: 0,
        framesLost: 0, ringFill: fill, bytesWritten: 0)
    }
  }
}
