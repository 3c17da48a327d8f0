import Platform
import CameraModel
import Cameras
import Takes
import Testing
import Timebase

@testable import Capture

/// Returns short descriptions of actions, with only the details that the tests check.
private func words(_ actions: [SessionAction]) -> [String] {
  actions.map { action in
    switch action {
    case .beginTake(let start): "begin \(start.number)"
    case .endTake(let end): "end take \(end.number)\(end.failure == nil ? "" : " failed")"
    case .answer(_, let answer): "answer \(answer)"
    case .answerChange(_, let outcome): "answer change \(outcome.word)"
    case .changeSpan: "change span"
    case .answerSpan(_, let outcome): "answer span \(outcome)"
    case .stopStream: "stop stream"
    case .open(let configuration): "open \(configuration.mode.width)"
    case .look: "look"
    case .set(let change): "set \(change.name)"
    case .move(let target): "move \(target.name)"
    case .cancelMove(let id): "cancel \(id)"
    case .takeStill(let request): "still \(request.id)"
    case .save(let part, let take): "save \(part.start.nanoseconds)-\(part.end.nanoseconds) as \(take)"
    case .prepareTake(let number): "prepare \(number)"
    case .show: "show"
    case .reportReviewing: "tell reviewing"
    case .reportStarted: "tell started"
    case .reportModeChanged(let change):
      "mode changed after \(change.gap.wholeNanoseconds)\(change.request?.isAwaited == true ? " as asked" : "")"
    case .tell(let kind): "tell \(SessionEvent(kind, at: 0).name)"
    case .end(let failure): failure == nil ? "end" : "end failed"
    }
  }
}

extension ConfigurationOutcome {
  fileprivate var word: String {
    switch self {
    case .changed: "changed"
    case .unchanged: "unchanged"
    case .refused: "refused"
    case .superseded: "superseded"
    case .sessionEnded: "ended"
    }
  }
}

@Suite("The state of a session")
struct SessionStateTests {
  private static let interval = Duration.nanoseconds(10)
  static func configuration(_ width: UInt32) -> SessionConfiguration {
    SessionConfiguration(
      mode: Mode(fourcc: "GREY", width: width, height: 16, interval: FrameInterval(1, 240)))
  }

  private static let unplugged = CaptureError.camera(OvercrankError(.disconnected, "gone"))
  private static let broken = CaptureError.camera(OvercrankError(.failed, "broken"))

  private func opened(_ plan: SessionPlan) -> SessionState {
    var state = SessionState(plan, configuration: Self.configuration(640))
    _ = state.streamOpened(interval: Self.interval, at: 0)
    return state
  }

  private func atOnce(
    _ limit: RecordingLimit = RecordingLimit(), _ response: SessionPlan.InterruptionResponse = .end
  ) -> SessionState {
    opened(SessionPlan(limit: limit, interruptionResponse: response))
  }

  private func triggered(
    pre: Duration = .zero, _ limit: RecordingLimit = RecordingLimit(duration: .nanoseconds(100)),
    takes: Int? = 1,
    _ response: SessionPlan.InterruptionResponse = .end
  ) -> SessionState {
    opened(
      SessionPlan(preRoll: pre, limit: limit, takeCount: takes, interruptionResponse: response))
  }

  private func record(_ time: Instant, _ kind: RingRecord.Kind = .frame) -> RingRecord {
    RingRecord(
      kind: kind, sequence: UInt32(time.nanoseconds / Self.interval.wholeNanoseconds),
      timestampNanoseconds: time.nanoseconds)
  }

  /// Feeds frames of `times` that arrive together, as the writer does. Returns the actions.
  private func record(_ state: inout SessionState, _ times: [Instant]) -> [String] {
    var actions: [SessionAction] = []
    for time in times { actions += state.see(time, at: time) }
    let now = times.last ?? 0
    actions += state.advance(to: now)
    for time in times {
      let record = record(time)
      switch state.disposition(of: record, isRingNearlyFull: false) {
      case .write:
        state.admitted(time)
        if state.isTakeComplete { actions += state.takeIsOver(at: now) }
      case .endTake: actions += state.takeIsOver(at: now)
      case .wait, .discard: break
      }
    }
    return words(actions)
  }

  @Test("takes over the times of a session that has ended, except those that have come")
  func takesOverTimes() {
    func armed(for times: [TriggerTime]) -> SessionState {
      var state = opened(
        SessionPlan(preRoll: .zero, limit: RecordingLimit(frames: 1), takeCount: nil, times: times))
      _ = state.see(10, at: 10)
      return state
    }
    var lost = armed(for: [.deadline(20), .deadline(60)])
    _ = lost.advance(to: 20)
    #expect(lost.isRecording && lost.pendingTimes == [.deadline(60)])
    var heir = armed(for: [])
    _ = heir.handle(.takeOver(lost.pendingTimes), at: 30)
    heir.mayBeTriggered = false
    _ = heir.advance(to: 40)
    #expect(!heir.canNeverTrigger && !heir.isRecording)
    _ = heir.see(60, at: 60)
    _ = heir.advance(to: 60)
    #expect(heir.isRecording && heir.pendingTimes.isEmpty)
  }

  @Test("begins a take with its first frame if there are no triggers")
  func firstFrame() {
    var state = atOnce(RecordingLimit(frames: 3))
    #expect(words(state.advance(to: 5)).isEmpty)
    #expect(state.disposition(of: record(0, .lostCorrupt), isRingNearlyFull: false) == .wait)
    #expect(record(&state, [10, 20]) == ["tell started", "begin 1"])
    #expect(record(&state, [30, 40]) == ["end take 1", "stop stream"])
    #expect(words(state.streamEnded(nil, at: 50)) == ["end"])
    #expect(state.hasEnded)
  }

  @Test("counts a time limit from the first frame, regardless of jitter", arguments: [-4, 0, 4])
  func timeLimit(_ jitter: Int64) {
    var state = atOnce(RecordingLimit(duration: .nanoseconds(100)))
    var written = 0
    for number in 0..<20 as Range<Int64> {
      let time = Instant(nanoseconds: number * 10 + (number == 10 ? jitter : 0))
      _ = state.see(time, at: time)
      _ = state.advance(to: time)
      guard state.disposition(of: record(time), isRingNearlyFull: false) == .write else { break }
      state.admitted(time)
      written += 1
    }
    #expect(written == 10)
  }

  @Test("on a stop, completes the take with the frames that remain from the stream")
  func stop() {
    var state = atOnce()
    #expect(record(&state, [10]) == ["tell started", "begin 1"])
    #expect(words(state.handle(.stop, at: 15)) == ["stop stream"])
    #expect(words(state.handle(.stop, at: 16)).isEmpty)
    #expect(state.disposition(of: record(20), isRingNearlyFull: false) == .write)
    #expect(words(state.streamEnded(nil, at: 30)) == ["end take 1", "end"])
  }

  @Test("starts a take at a trigger, extends it at a second one, and starts the next after its end")
  func triggers() {
    var state = triggered(takes: 2)
    _ = record(&state, [10, 20])
    #expect(words(state.handle(.trigger(TriggerEvent(.key, at: 20)), at: 20)).last == "begin 1")
    #expect(
      words(state.handle(.trigger(TriggerEvent(.key, at: 60)), at: 60)) == ["answer extended(take: 1)"])
    // The take continues until 160; a trigger at 170 waits for its end.
    #expect(words(state.handle(.trigger(TriggerEvent(.key, at: 170)), at: 170)).isEmpty)
    let told = record(&state, [30, 80, 150, 160])
    #expect(told == ["end take 1", "prepare 2", "tell armed"])
    #expect(words(state.advance(to: 171)) == ["answer started(take: 2)", "begin 2"])
  }

  @Test("ends a take without a limit at the next trigger")
  func openEnd() {
    var state = triggered(RecordingLimit())
    _ = record(&state, [10, 20])
    _ = state.handle(.trigger(TriggerEvent(.key, at: 20)), at: 20)
    #expect(words(state.handle(.trigger(TriggerEvent(.key, at: 45)), at: 45)) == ["answer ended(take: 1)"])
    #expect(record(&state, [30, 40, 50]) == ["end take 1", "stop stream"])
  }

  @Test("is armed, and its clock starts, with the first frame rather than with the stream")
  func armedByFirstFrame() {
    let plan = SessionPlan(
      preRoll: .zero, limit: RecordingLimit(duration: .nanoseconds(100)),
      times: [.delay(.nanoseconds(1000))])
    var state = opened(plan)
    #expect(words(state.advance(to: 5000)).isEmpty)
    #expect(!state.isWaiting)
    #expect(words(state.see(5, at: 6000)) == ["tell started", "tell armed"])
    #expect(state.isWaiting)
    #expect(words(state.advance(to: 6999)).isEmpty)
    #expect(words(state.advance(to: 7000)) == ["answer started(take: 1)", "begin 1"])
  }

  @Test("ignores keys typed before the first frame or during an interruption")
  func typedAhead() {
    func typed(_ time: Instant) -> SessionCommand {
      .trigger(TriggerEvent(.key, at: time, waitsForFrames: false))
    }
    var state = triggered(takes: nil, .reconnect)
    #expect(words(state.handle(typed(5), at: 5)) == ["answer refused"])
    #expect(record(&state, [10]) == ["tell started", "tell armed"])
    // Typed before the frame arrived, and read after it.
    #expect(words(state.handle(typed(9), at: 11)) == ["answer refused"])
    _ = state.streamEnded(Self.unplugged, at: 20)
    #expect(words(state.handle(typed(25), at: 25)) == ["answer refused"])
    _ = state.streamOpened(interval: Self.interval, at: 30)
    #expect(words(state.handle(typed(35), at: 35)) == ["answer refused"])
    #expect(record(&state, [40]) == ["tell interruption_ended", "tell armed"])
    #expect(words(state.handle(typed(45), at: 45)) == ["answer started(take: 1)", "begin 1"])
  }

  @Test("reports an interruption again only if its reason changes before the next frame")
  func changedReason() {
    var state = atOnce(RecordingLimit(), .reconnect)
    _ = record(&state, [10])
    #expect(
      words(state.streamEnded(Self.unplugged, at: 20)) == ["end take 1 failed", "tell interrupted"])
    _ = state.streamOpened(interval: Self.interval, at: 30)
    #expect(words(state.streamEnded(Self.broken, at: 40)) == ["tell interrupted"])
    #expect(state.interruption?.reason == .driverError)
    _ = state.streamOpened(interval: Self.interval, at: 50)
    #expect(words(state.streamEnded(Self.broken, at: 60)).isEmpty)
    _ = state.streamOpened(interval: Self.interval, at: 70)
    #expect(record(&state, [80]) == ["tell interruption_ended", "begin 2"])
  }

  @Test("records whether a pre-roll was cut by the first frame, by the previous take, or by the ring")
  func preRollCut() {
    func cut(_ actions: [SessionAction]) -> Take.PreRollCut? {
      for case .beginTake(let start) in actions { return start.preRollCut }
      Issue.record("no take has begun")
      return nil
    }
    func trigger(_ state: inout SessionState, at time: Instant) -> [SessionAction] {
      state.handle(.trigger(TriggerEvent(.key, at: time)), at: time)
    }
    var state = triggered(pre: .nanoseconds(50), takes: nil)
    _ = record(&state, [100, 110])
    #expect(cut(trigger(&state, at: 120)) == .start)
    _ = record(&state, [150, 220])
    #expect(cut(trigger(&state, at: 230)) == .previousTake)
    _ = record(&state, [250, 330, 400])
    #expect(cut(trigger(&state, at: 400)) == nil)
    _ = record(&state, [450, 500, 600])
    _ = state.disposition(of: record(590), isRingNearlyFull: true)
    #expect(cut(trigger(&state, at: 600)) == .ring)
    // Also if the camera has not captured for that long.
    state = triggered(pre: .nanoseconds(50), takes: nil)
    _ = record(&state, [100, 110, 120])
    _ = state.disposition(of: record(100), isRingNearlyFull: true)
    #expect(cut(trigger(&state, at: 120)) == .ring)
  }

  @Test("applies a new span from the next trigger on, and refuses one during a review")
  func span() {
    let change = SessionCommand.span(SpanChange(TakeSpan(preRoll: .nanoseconds(90), limit: RecordingLimit())))
    var state = triggered(pre: .nanoseconds(50), takes: nil)
    _ = record(&state, [100, 110, 210])
    #expect(words(state.handle(change, at: 210)) == ["change span"])
    state.adopt(TakeSpan(preRoll: .nanoseconds(90), limit: RecordingLimit(duration: .nanoseconds(30))))
    // Frames before 160 may already have been discarded.
    let actions = state.handle(.trigger(TriggerEvent(.key, at: 220)), at: 220)
    for case .beginTake(let start) in actions { #expect(start.preRollCut == .start) }
    #expect(words(actions) == ["answer started(take: 1)", "begin 1"])
    #expect(words(state.handle(change, at: 220)) == ["change span"])
    #expect(record(&state, [230, 240, 250]).contains("end take 1"))
    _ = record(&state, [300, 400])
    for case .beginTake(let start) in state.handle(.trigger(TriggerEvent(.key, at: 400)), at: 400) {
      #expect(start.preRollCut == nil)
    }
    var reviewed = triggered(pre: .nanoseconds(50), takes: nil)
    _ = record(&reviewed, [100, 110])
    _ = reviewed.handle(.review, at: 110)
    _ = reviewed.streamEnded(nil, at: 120)
    #expect(words(reviewed.handle(change, at: 130)) == ["answer span refused"])
    _ = reviewed.handle(.stop, at: 140)
    #expect(words(reviewed.handle(change, at: 150)) == ["answer span sessionEnded"])
  }

  @Test("keeps triggers until the first frame, and refuses too many")
  func early() {
    var state = triggered(takes: nil)
    var refused = 0
    for number in 0..<SessionState.mostWaiting + 7 {
      let actions = state.handle(
        .trigger(TriggerEvent(.stdin, at: Instant(nanoseconds: Int64(number)))), at: 0)
      refused += words(actions).count { $0 == "answer refused" }
    }
    #expect(refused == 7)
    #expect(
      record(&state, [10]).prefix(4) == ["tell started", "tell armed", "answer started(take: 1)", "begin 1"])
  }

  @Test("ends if nothing can trigger it any more, with an error if takes were requested")
  func inVain() {
    for (takes, end) in [(Int?(2), "end failed"), (nil, "end")] {
      var state = triggered(takes: takes)
      state.mayBeTriggered = false
      #expect(words(state.advance(to: 10)) == ["stop stream"])
      #expect(words(state.streamEnded(nil, at: 20)) == [end])
    }
  }

  @Test("keeps the frames and ends if the camera is unplugged")
  func unpluggedEnds() {
    var state = atOnce()
    _ = record(&state, [10])
    #expect(
      words(state.streamEnded(Self.unplugged, at: 20)) == ["end take 1 failed", "end failed"])
  }

  @Test("ends without an error if the camera is unplugged after a take's last frame")
  func unpluggedAtTheEnd() {
    for response in [SessionPlan.InterruptionResponse.end, .reconnect] {
      var state = atOnce(RecordingLimit(duration: .nanoseconds(30)), response)
      _ = record(&state, [10, 20, 31])
      #expect(words(state.streamEnded(Self.unplugged, at: 40)) == ["end take 1", "end"])
    }
  }

  @Test("ends instead of reconnecting if the camera is silent but still present")
  func silent() {
    var state = atOnce(RecordingLimit(), .reconnect)
    _ = record(&state, [10])
    #expect(words(state.streamEnded(.silence(.seconds(5)), at: 20)) == ["end take 1 failed", "end failed"])
  }

  @Test("starts no new take for less than half a frame of its limit")
  func remainder() {
    var state = atOnce(RecordingLimit(duration: .nanoseconds(42)), .reconnect)
    _ = record(&state, [10, 20, 30])
    #expect(words(state.streamEnded(Self.unplugged, at: 40)).last == "tell interrupted")
    _ = state.streamOpened(interval: Self.interval, at: 50)
    _ = record(&state, [5])
    #expect(words(state.streamEnded(Self.unplugged, at: 60)) == ["end take 2", "end"])
  }

  @Test("when it reconnects, records the rest of the limit as the next take, and then ends")
  func reconnectAtOnce() {
    var state = atOnce(RecordingLimit(frames: 5), .reconnect)
    _ = record(&state, [10, 20])
    #expect(
      words(state.streamEnded(Self.unplugged, at: 20)) == ["end take 1 failed", "tell interrupted"])
    #expect(words(state.advance(to: 20)) == ["look"])
    #expect(words(state.advance(to: 21)).isEmpty)
    #expect(words(state.advance(to: Instant(nanoseconds: 20) + SessionState.lookInterval)) == ["look"])
    let now = Instant(nanoseconds: 30) + SessionState.lookInterval
    #expect(words(state.streamOpened(interval: Self.interval, at: now)) == ["prepare 2"])
    #expect(state.interruption?.reason == .unplugged)
    #expect(record(&state, [7, 17]) == ["tell interruption_ended", "begin 2"])
    #expect(state.interruption == nil)
    #expect(record(&state, [27]) == ["end take 2", "stop stream"])
  }

  @Test("when it reconnects, waits for the next trigger, and does not count the interrupted take")
  func reconnectTriggered() {
    var state = triggered(takes: 1, .reconnect)
    _ = record(&state, [10])
    _ = state.handle(.trigger(TriggerEvent(.key, at: 10)), at: 10)
    #expect(
      words(state.streamEnded(Self.unplugged, at: 20)) == ["end take 1 failed", "tell interrupted"])
    #expect(words(state.advance(to: 20)) == ["look"])
    #expect(words(state.streamOpened(interval: Self.interval, at: 30)) == ["prepare 2"])
    #expect(record(&state, [7]) == ["tell interruption_ended", "tell armed"])
    #expect(
      words(state.handle(.trigger(TriggerEvent(.key, at: 7)), at: 7)) == [
        "answer started(take: 2)", "begin 2",
      ])
    #expect(record(&state, [100, 107]) == ["end take 2", "stop stream"])
  }

  @Test("restarts a failing driver three times, and more often only after a frame")
  func restarts() {
    var state = atOnce(RecordingLimit(), .reconnect)
    _ = record(&state, [10])
    for time in [100, 200, 300] as [Instant] {
      // No frame arrived in between, so it is a single interruption.
      let told = words(state.streamEnded(Self.broken, at: time))
      #expect(told == (time == 100 ? ["end take 1 failed", "tell interrupted"] : []))
      #expect(words(state.advance(to: time)) == ["look"])
      _ = state.streamOpened(interval: Self.interval, at: time)
    }
    #expect(words(state.streamEnded(Self.broken, at: 400)).last == "end failed")

    var mended = atOnce(RecordingLimit(), .reconnect)
    for time in [100, 200, 300, 400, 500] as [Instant] {
      _ = record(&mended, [time - .nanoseconds(1)])
      #expect(words(mended.streamEnded(Self.broken, at: time)).last == "tell interrupted")
      _ = mended.streamOpened(interval: Self.interval, at: time)
    }
  }

  /// What a session does before its driver fails.
  enum Course: CaseIterable { case beforeFrames, armed, recording, between, reviewed }

  /// Returns a session with triggers after its driver failed during this course, and the actions.
  private func failed(
    _ course: Course, _ error: CaptureError, _ response: SessionPlan.InterruptionResponse
  ) -> (state: SessionState, told: [String]) {
    var state = triggered(takes: nil, response)
    func trigger() { _ = state.handle(.trigger(TriggerEvent(.key, at: 20)), at: 20) }
    switch course {
    case .beforeFrames: break
    case .armed: _ = record(&state, [10, 20])
    case .recording:
      _ = record(&state, [10, 20])
      trigger()
    case .between:
      _ = record(&state, [10, 20])
      trigger()
      _ = record(&state, [30, 130])
    case .reviewed:
      _ = record(&state, [10, 20])
      _ = state.handle(.review, at: 20)
      _ = state.streamEnded(nil, at: 30)
      #expect(words(state.handle(.resume, at: 40)) == ["open 640"])
      let told = words(state.openingFailed(error, at: 200))
      return (state, told)
    }
    let told = words(state.streamEnded(error, at: 200))
    return (state, told)
  }

  @Test("handles a failing driver according to the plan and to what was running")
  func driverFailures() {
    for course in Course.allCases {
      let ended = failed(course, Self.broken, .end)
      #expect(ended.state.hasEnded && ended.told.last == "end failed", "\(course): \(ended.told)")
      var waiting = failed(course, Self.broken, .wait)
      #expect(waiting.state.isWaitingForResume, "\(course)")
      #expect(waiting.state.phase == .interrupted(.driverError), "\(course): \(waiting.told)")
      #expect(words(waiting.state.advance(to: Instant(nanoseconds: 1 << 50))).isEmpty, "\(course)")
      var again = failed(course, Self.broken, .reconnect)
      let next = words(again.state.advance(to: 200))
      switch course {
      // A camera that never captured has nothing to continue.
      case .beforeFrames: #expect(again.state.hasEnded && again.told == ["end failed"])
      // Nothing was running: the caller decides when to try again.
      case .reviewed: #expect(again.state.phase == .interrupted(.driverError) && next.isEmpty)
      case .armed, .recording, .between:
        #expect(again.state.phase == .interrupted(.driverError) && next == ["look"], "\(course)")
      }
      #expect(again.told.contains("tell interrupted") == (course != .beforeFrames), "\(course)")
      #expect(again.state.isWaitingForResume == (course == .reviewed), "\(course)")
      let gone = failed(course, Self.unplugged, .reconnect)
      #expect(!gone.state.isWaitingForResume, "\(course)")
      #expect(gone.state.phase == .interrupted(.unplugged), "\(course)")
    }
  }

  @Test("is also restarted three times while armed")
  func restartsArmed() {
    var (state, _) = failed(.armed, Self.broken, .reconnect)
    for time in [300, 400] as [Instant] {
      _ = state.streamOpened(interval: Self.interval, at: time)
      #expect(words(state.streamEnded(Self.broken, at: time)).isEmpty)
      #expect(words(state.advance(to: time)) == ["look"])
    }
    _ = state.streamOpened(interval: Self.interval, at: 500)
    #expect(words(state.streamEnded(Self.broken, at: 500)) == ["end failed"])
  }

  @Test("tries once at each resume if nothing was running, and is armed again at the first frame")
  func resumes() {
    var (state, told) = failed(.reviewed, Self.broken, .reconnect)
    #expect(told == ["tell interrupted"])
    for time in [300, 400, 500, 600, 700] as [Instant] {
      #expect(words(state.handle(.resume, at: time)) == ["look"])
      #expect(words(state.openingFailed(Self.broken, at: time)) == ["tell error"])
      #expect(words(state.advance(to: time + .seconds(9))).isEmpty)
    }
    // The camera opens, and fails before a frame.
    #expect(words(state.handle(.resume, at: 800)) == ["look"])
    _ = state.streamOpened(interval: Self.interval, at: 800)
    #expect(words(state.streamEnded(Self.broken, at: 810)) == ["tell error"])
    #expect(words(state.advance(to: Instant(nanoseconds: 1 << 50))).isEmpty)
    #expect(words(state.handle(.resume, at: 900)) == ["look"])
    _ = state.streamOpened(interval: Self.interval, at: 900)
    #expect(record(&state, [910]) == ["tell interruption_ended", "tell armed"])
    told = words(state.streamEnded(Self.broken, at: 920))
    #expect(told == ["tell interrupted"])
    #expect(words(state.advance(to: 920)) == ["look"])
  }

  @Test("continues only at a resume if the plan is to wait, and keeps waiting if that fails")
  func resume() {
    var state = triggered(takes: nil, .wait)
    _ = record(&state, [10])
    #expect(words(state.streamEnded(.silence(.milliseconds(1)), at: 20)) == ["tell interrupted"])
    #expect(state.phase == .interrupted(.silent))
    #expect(words(state.advance(to: Instant(nanoseconds: 1 << 50))).isEmpty)
    #expect(words(state.handle(.resume, at: 30)) == ["look"])
    #expect(words(state.openingFailed(Self.broken, at: 31)) == ["tell error"])
    #expect(state.phase == .interrupted(.silent))
    #expect(words(state.handle(.takeStill(StillRequest(id: 1)), at: 32)) == ["tell photo_failed"])
    #expect(words(state.handle(.stop, at: 33)) == ["end"])
  }

  @Test("has a reason for every kind of interruption")
  func reasons() {
    let codes: [(OvercrankError.Code, InterruptionReason?)] = [
      (.disconnected, .unplugged), (.noCamera, .unplugged), (.busy, .takenByAnotherProgram),
      (.failed, .driverError), (.noPermission, .driverError), (.noMode, nil), (.badValue, nil),
    ]
    for (code, reason) in codes { #expect(InterruptionReason(.camera(OvercrankError(code, ""))) == reason) }
    #expect(InterruptionReason(.silence(.milliseconds(1))) == .silent)
    #expect(InterruptionReason(.outOfTriggers) == nil)
  }

  @Test("reports a suspension, and continues with the next frame")
  func suspended() {
    var state = atOnce()
    _ = record(&state, [10])
    #expect(words(state.wasSuspended()) == ["tell interrupted"])
    #expect(words(state.wasSuspended()).isEmpty)
    #expect(record(&state, [20]) == ["tell interruption_ended"])
    #expect(state.isRecording)
  }

  @Test("at a change of mode, ends the take and starts another with the rest of its limit")
  func mode() {
    var state = atOnce(RecordingLimit(frames: 5))
    _ = record(&state, [10, 20])
    #expect(
      words(state.handle(.configure(ConfigurationChange(Self.configuration(320))), at: 25)) == ["stop stream"]
    )
    #expect(words(state.streamEnded(nil, at: 30)) == ["end take 1", "open 320"])
    #expect(words(state.streamOpened(interval: Self.interval, at: 90)) == ["prepare 2"])
    #expect(
      record(&state, [95, 105, 115]) == ["mode changed after 75", "begin 2", "end take 2", "stop stream"])
  }

  @Test("measures the gap between the frames' arrivals if a new mode restarts the clock")
  func gapOfNewClock() {
    var state = atOnce()
    _ = record(&state, [10, 20])
    _ = state.handle(.configure(ConfigurationChange(Self.configuration(320))), at: 25)
    _ = state.streamEnded(nil, at: 30)
    _ = state.streamOpened(interval: Self.interval, at: 90)
    #expect(words(state.see(7, at: 100)) == ["mode changed after 80"])
  }

  @Test("follows a change of mode that is reverted before the stream has stopped")
  func changedBack() {
    var state = triggered()
    _ = record(&state, [10, 20])
    #expect(
      words(state.handle(.configure(ConfigurationChange(Self.configuration(320))), at: 25)) == ["stop stream"]
    )
    #expect(words(state.handle(.configure(ConfigurationChange(Self.configuration(640))), at: 26)).isEmpty)
    #expect(words(state.streamEnded(nil, at: 30)) == ["open 640"])
    _ = state.streamOpened(interval: Self.interval, at: 40)
    #expect(record(&state, [45]) == ["tell armed"])
    #expect(state.configurationInForce == Self.configuration(640))
  }

  @Test("starts a take in the new mode if the trigger comes during the change")
  func triggerDuringChange() {
    var state = triggered()
    _ = record(&state, [10, 20])
    _ = state.handle(.configure(ConfigurationChange(Self.configuration(320))), at: 25)
    #expect(words(state.handle(.trigger(TriggerEvent(.program, at: 26)), at: 26)).isEmpty)
    #expect(words(state.streamEnded(nil, at: 30)) == ["open 320"])
    _ = state.streamOpened(interval: Self.interval, at: 90)
    #expect(
      record(&state, [95]) == [
        "mode changed after 75", "tell armed", "answer started(take: 1)", "begin 1",
      ])
  }

  @Test("does not continue a take that a trigger ended before a change of mode")
  func endedDuringChange() {
    var state = triggered(RecordingLimit(), takes: nil)
    _ = record(&state, [10, 20])
    _ = state.handle(.trigger(TriggerEvent(.program, at: 20)), at: 20)
    _ = record(&state, [30])
    _ = state.handle(.configure(ConfigurationChange(Self.configuration(320))), at: 35)
    #expect(
      words(state.handle(.trigger(TriggerEvent(.program, at: 36)), at: 36)) == ["answer ended(take: 1)"])
    #expect(words(state.streamEnded(nil, at: 40)) == ["end take 1", "open 320"])
    _ = state.streamOpened(interval: Self.interval, at: 90)
    #expect(record(&state, [95]) == ["mode changed after 65", "tell armed"])
    #expect(!state.isRecording)
  }

  @Test("returns to the old mode if the new one fails when its stream starts", arguments: [false, true])
  func refusedStream(_ isSilent: Bool) {
    var state = triggered(takes: nil, .reconnect)
    _ = record(&state, [10, 20])
    _ = state.handle(.configure(ConfigurationChange(Self.configuration(320))), at: 25)
    _ = state.streamEnded(nil, at: 30)
    _ = state.streamOpened(interval: Self.interval, at: 40)
    #expect(state.configurationInForce == Self.configuration(640))
    let failure = isSilent ? CaptureError.silence(.milliseconds(1)) : Self.broken
    #expect(words(state.streamEnded(failure, at: 50)) == ["tell error", "open 640"])
    _ = state.streamOpened(interval: Self.interval, at: 60)
    #expect(record(&state, [65]) == ["tell armed"])
    #expect(state.configuration == Self.configuration(640))
  }

  @Test("is interrupted, when it reconnects, if neither the new nor the old mode is available")
  func refusedBoth() {
    var state = atOnce(RecordingLimit(), .reconnect)
    _ = record(&state, [10, 20])
    _ = state.handle(.configure(ConfigurationChange(Self.configuration(320))), at: 25)
    #expect(words(state.streamEnded(nil, at: 30)) == ["end take 1", "open 320"])
    #expect(words(state.openingFailed(Self.broken, at: 31)) == ["tell error", "open 640"])
    #expect(words(state.openingFailed(Self.unplugged, at: 32)) == ["tell interrupted"])
    #expect(words(state.advance(to: 33)) == ["look"])
  }

  @Test("uses the new mode after the camera was unplugged during the change")
  func unpluggedDuringChange() {
    var state = atOnce(RecordingLimit(), .reconnect)
    _ = record(&state, [10, 20])
    _ = state.handle(.configure(ConfigurationChange(Self.configuration(320))), at: 25)
    #expect(
      words(state.streamEnded(Self.unplugged, at: 30)) == ["end take 1 failed", "tell interrupted"])
    #expect(state.configuration == Self.configuration(320))
    #expect(words(state.openingFailed(Self.unplugged, at: 40)).isEmpty)
    #expect(
      words(state.streamOpened(interval: Self.interval, at: 90)) == ["prepare 2"])
    #expect(record(&state, [95]) == ["tell interruption_ended", "mode changed after 75", "begin 2"])
  }

  @Test("returns to the old mode if the new one is refused")
  func refusedMode() {
    var state = triggered()
    _ = record(&state, [10, 20])
    _ = state.handle(.configure(ConfigurationChange(Self.configuration(320))), at: 25)
    #expect(words(state.streamEnded(nil, at: 30)) == ["open 320"])
    #expect(words(state.openingFailed(Self.broken, at: 31)) == ["tell error", "open 640"])
    #expect(words(state.streamOpened(interval: Self.interval, at: 90)) == ["prepare 1"])
    #expect(state.configuration == Self.configuration(640))
    #expect(words(state.handle(.configure(ConfigurationChange(Self.configuration(640))), at: 91)).isEmpty)
  }

  /// Returns a request for a still in a mode of `width`.
  private func still(_ width: UInt32, skipping skipped: Int = 1) -> SessionCommand {
    .takeStill(StillRequest(id: 1, in: Self.configuration(width), skipping: skipped, answer: nil))
  }

  @Test("changes to a still's mode and back, and starts the take of a trigger meanwhile afterwards")
  func stillInOtherMode() {
    var state = triggered()
    _ = record(&state, [10, 20])
    #expect(words(state.handle(still(320), at: 25)) == ["tell photo_will_begin", "stop stream"])
    #expect(words(state.see(26, at: 26)).isEmpty)
    #expect(words(state.streamEnded(nil, at: 30)) == ["open 320"])
    #expect(words(state.streamOpened(interval: Self.interval, at: 40)).isEmpty)
    #expect(record(&state, [45]) == ["mode changed after 19"])
    #expect(words(state.handle(.trigger(TriggerEvent(.program, at: 46)), at: 46)).isEmpty)
    #expect(words(state.handle(.review, at: 46)).isEmpty)
    #expect(words(state.handle(awaited(640), at: 46)) == ["answer change refused", "tell error"])
    #expect(words(state.handle(still(320), at: 46)) == ["tell photo_failed"])
    #expect(record(&state, [55]) == ["still 1", "stop stream"])
    #expect(words(state.see(65, at: 65)).isEmpty)
    #expect(words(state.streamEnded(nil, at: 70)) == ["open 640"])
    #expect(words(state.streamOpened(interval: Self.interval, at: 80)) == ["prepare 1"])
    #expect(
      record(&state, [85]) == [
        "mode changed after 20", "tell armed", "answer started(take: 1)", "begin 1",
      ])
    #expect(state.configuration == Self.configuration(640))
  }

  @Test("takes a still in the current mode without a change")
  func stillInSameMode() {
    var state = triggered()
    _ = record(&state, [10])
    #expect(words(state.handle(still(640), at: 25)) == ["tell photo_will_begin", "still 1"])
    #expect(record(&state, [30]).isEmpty)
  }

  @Test("refuses a still whose frame depends on others")
  func stillInStream() {
    let mode = Mode(fourcc: "H264", width: 640, height: 16, interval: FrameInterval(1, 240))
    var state = SessionState(
      SessionPlan(preRoll: .zero, limit: RecordingLimit(frames: 1)),
      configuration: SessionConfiguration(mode: mode))
    _ = state.streamOpened(interval: Self.interval, at: 0)
    _ = record(&state, [10])
    #expect(words(state.handle(.takeStill(StillRequest(id: 1)), at: 25)) == ["tell photo_failed"])
  }

  @Test("refuses a still in another mode during a take, an interruption or a review")
  func refusedStill() {
    var atOnce = atOnce()
    #expect(words(atOnce.handle(still(320), at: 5)) == ["tell photo_failed"])
    var recording = triggered()
    #expect(words(recording.handle(still(320), at: 5)) == ["tell photo_failed"])
    _ = record(&recording, [10, 20])
    _ = recording.handle(.trigger(TriggerEvent(.program, at: 20)), at: 20)
    #expect(recording.isRecording)
    let told = recording.handle(still(320), at: 25)
    guard case .tell(.photo(_, .failed(let reason), _)) = told.first, told.count == 1 else {
      Issue.record("\(words(told))")
      return
    }
    #expect(reason.contains("A take is being recorded"))
    #expect(record(&recording, [30]).isEmpty)

    var reviewing = triggered()
    _ = record(&reviewing, [10])
    _ = reviewing.handle(.review, at: 15)
    #expect(words(reviewing.handle(still(320), at: 16)) == ["tell photo_failed"])
    _ = reviewing.streamEnded(nil, at: 20)
    #expect(words(reviewing.handle(still(320), at: 25)) == ["tell photo_failed"])

    var interrupted = triggered(takes: nil, .reconnect)
    _ = record(&interrupted, [10])
    _ = interrupted.streamEnded(Self.unplugged, at: 20)
    #expect(words(interrupted.handle(still(320), at: 25)) == ["tell photo_failed"])
    _ = interrupted.handle(.stop, at: 30)
    #expect(words(interrupted.handle(still(320), at: 35)) == ["tell photo_failed"])
  }

  @Test(
    "continues in its own mode if the camera refuses the still's mode",
    arguments: [false, true])
  func refusedModeOfStill(_ isAtFirstFrame: Bool) {
    var state = triggered()
    _ = record(&state, [10, 20])
    _ = state.handle(still(320), at: 25)
    #expect(words(state.streamEnded(nil, at: 30)) == ["open 320"])
    if isAtFirstFrame {
      _ = state.streamOpened(interval: Self.interval, at: 31)
      #expect(words(state.streamEnded(Self.broken, at: 32)) == ["tell photo_failed", "open 640"])
    } else {
      #expect(words(state.openingFailed(Self.broken, at: 31)) == ["tell photo_failed", "open 640"])
    }
    #expect(words(state.streamOpened(interval: Self.interval, at: 40)) == ["prepare 1"])
    #expect(record(&state, [45]) == ["tell armed"])
    // The next still is possible again.
    #expect(words(state.handle(still(320), at: 50)) == ["tell photo_will_begin", "stop stream"])
  }

  @Test("reconnects in its own mode after the camera was lost in the still's mode")
  func lostDuringStill() {
    var state = triggered(takes: nil, .reconnect)
    _ = record(&state, [10, 20])
    _ = state.handle(still(320), at: 25)
    _ = state.streamEnded(nil, at: 30)
    _ = state.streamOpened(interval: Self.interval, at: 40)
    _ = record(&state, [45])
    #expect(words(state.streamEnded(Self.unplugged, at: 50)) == ["tell photo_failed", "tell interrupted"])
    #expect(state.configuration == Self.configuration(640))
    #expect(words(state.advance(to: 60)) == ["look"])
    #expect(words(state.streamOpened(interval: Self.interval, at: 70)) == ["prepare 1"])
    #expect(
      record(&state, [75]) == ["tell interruption_ended", "mode changed after 30", "tell armed"])
  }

  @Test("waits for its own mode if the camera is busy after a still")
  func homeTakenDuringStill() {
    let busy = CaptureError.camera(OvercrankError(.busy, "taken"))
    var state = triggered(takes: nil, .reconnect)
    _ = record(&state, [10, 20])
    _ = state.handle(still(320, skipping: 0), at: 25)
    _ = state.streamEnded(nil, at: 30)
    _ = state.streamOpened(interval: Self.interval, at: 40)
    #expect(record(&state, [45]) == ["mode changed after 25", "still 1", "stop stream"])
    #expect(words(state.streamEnded(nil, at: 50)) == ["open 640"])
    #expect(words(state.openingFailed(busy, at: 51)) == ["tell interrupted"])
    #expect(state.configuration == Self.configuration(640))
    _ = state.streamOpened(interval: Self.interval, at: 70)
    #expect(
      record(&state, [75]) == ["tell interruption_ended", "mode changed after 30", "tell armed"])
  }

  @Test("reports a still as failed if it is stopped on the way to it")
  func stoppedDuringStill() {
    var state = triggered()
    _ = record(&state, [10, 20])
    _ = state.handle(still(320), at: 25)
    _ = state.handle(.stop, at: 26)
    #expect(words(state.streamEnded(nil, at: 30)) == ["tell photo_failed", "end"])
  }

  /// Returns a change of mode that waits for its outcome.
  private func awaited(_ width: UInt32) -> SessionCommand {
    .configure(ConfigurationChange(Self.configuration(width)) { _ in })
  }

  @Test("does not report a change of mode as done at the first frame of the old mode")
  func changeBeforeFirstFrame() {
    var state = triggered()
    #expect(words(state.handle(awaited(320), at: 5)) == ["stop stream"])
    #expect(!record(&state, [10]).contains("answer change unchanged"))
    #expect(words(state.streamEnded(nil, at: 30)) == ["open 320"])
    #expect(
      words(state.openingFailed(Self.broken, at: 31)) == ["answer change refused", "tell error", "open 640"])
  }

  @Test("reports the outcome of each change of mode exactly once")
  func answeredChange() {
    var state = triggered()
    _ = record(&state, [10, 20])
    #expect(words(state.handle(awaited(640), at: 21)) == ["answer change unchanged"])
    #expect(words(state.handle(awaited(320), at: 25)) == ["stop stream"])
    #expect(words(state.handle(awaited(160), at: 26)) == ["answer change superseded"])
    #expect(words(state.streamEnded(nil, at: 30)) == ["open 160"])
    #expect(words(state.handle(awaited(160), at: 31)).isEmpty == false)
    _ = state.streamOpened(interval: Self.interval, at: 90)
    #expect(record(&state, [95]) == ["mode changed after 75 as asked", "tell armed"])
    #expect(words(state.handle(awaited(320), at: 96)) == ["stop stream"])
    #expect(words(state.streamEnded(nil, at: 97)) == ["open 320"])
    #expect(
      words(state.openingFailed(Self.broken, at: 98)) == ["answer change refused", "tell error", "open 160"])
    _ = state.streamOpened(interval: Self.interval, at: 99)
    #expect(record(&state, [105]) == ["tell armed"])
    _ = state.handle(awaited(320), at: 106)
    #expect(words(state.handle(.stop, at: 107)).isEmpty == false)
    #expect(words(state.handle(awaited(160), at: 108)) == ["answer change ended"])
    #expect(words(state.streamEnded(nil, at: 110)) == ["answer change ended", "end"])
    #expect(words(state.handle(awaited(160), at: 111)) == ["answer change ended"])
  }

  @Test("reports a mode as unchanged if it is reverted before the stream has stopped")
  func answeredChangeBack() {
    var state = triggered()
    _ = record(&state, [10, 20])
    _ = state.handle(awaited(320), at: 25)
    #expect(words(state.handle(awaited(640), at: 26)) == ["answer change superseded"])
    _ = state.streamEnded(nil, at: 30)
    _ = state.streamOpened(interval: Self.interval, at: 40)
    #expect(record(&state, [45]) == ["answer change unchanged", "tell armed"])
  }

  @Test("reports a mode as refused if its stream fails to start, but not while it waits for a camera")
  func answeredLate() {
    var state = triggered(takes: nil, .reconnect)
    _ = record(&state, [10, 20])
    _ = state.handle(awaited(320), at: 25)
    _ = state.streamEnded(nil, at: 30)
    _ = state.streamOpened(interval: Self.interval, at: 40)
    #expect(
      words(state.streamEnded(Self.broken, at: 50)) == ["answer change refused", "tell error", "open 640"])
    _ = state.streamOpened(interval: Self.interval, at: 60)
    _ = record(&state, [65])
    #expect(words(state.streamEnded(Self.unplugged, at: 70)) == ["tell interrupted"])
    #expect(words(state.handle(awaited(320), at: 75)).isEmpty)
    _ = state.streamOpened(interval: Self.interval, at: 90)
    #expect(
      record(&state, [95]) == ["tell interruption_ended", "mode changed after 30 as asked", "tell armed"])
  }

  @Test("keeps the pre-roll in the ring while armed, and everything in a review, whose parts become takes")
  func review() {
    var state = triggered(pre: .microseconds(1), takes: nil)
    _ = record(&state, [10, 60_000_000])
    #expect(state.disposition(of: record(10), isRingNearlyFull: false) == .discard)
    #expect(state.disposition(of: record(59_999_000), isRingNearlyFull: false) == .wait)
    #expect(state.disposition(of: record(59_999_000), isRingNearlyFull: true) == .discard)
    #expect(words(state.handle(.save(TakePart(start: 1, end: 2)), at: 60_000_000)).isEmpty)
    #expect(words(state.handle(.review, at: 60_000_000)) == ["stop stream"])
    #expect(words(state.streamEnded(nil, at: 60_000_001)) == ["tell reviewing"])
    #expect(state.phase == .reviewing(nil))
    #expect(state.disposition(of: record(10), isRingNearlyFull: true) == .wait)
    #expect(words(state.handle(.save(TakePart(start: 1, end: 2)), at: 0)) == ["save 1-2 as 1"])
    #expect(words(state.handle(.save(TakePart(start: 3, end: 9)), at: 0)) == ["save 3-9 as 2"])
    #expect(words(state.handle(.resume, at: 0)) == ["open 640"])
  }

  /// Returns a trigger at `time` for a review of the frames from 20 before it to 30 after it.
  private func reviewed(at time: Instant, limit: RecordingLimit = RecordingLimit(duration: .nanoseconds(30)))
    -> TriggerEvent
  {
    var event = TriggerEvent(.key, at: time)
    event.span = TakeSpan(preRoll: .nanoseconds(20), limit: limit, outcome: .review)
    return event
  }

  @Test(
    "gathers the frames around a review's trigger in the ring, and stops the stream after the last one")
  func gathers() {
    var state = triggered(pre: .microseconds(1), takes: nil)
    _ = record(&state, [10, 60, 100])
    #expect(words(state.handle(.trigger(reviewed(at: 100)), at: 100)) == ["answer started(take: 1)"])
    #expect(state.isGathering && state.isCapturing && !state.isRecording)
    #expect(state.disposition(of: record(70), isRingNearlyFull: false) == .discard)
    #expect(state.disposition(of: record(80), isRingNearlyFull: false) == .wait)
    // Another trigger has no take to extend.
    #expect(words(state.handle(.trigger(TriggerEvent(.key, at: 110)), at: 110)) == ["answer refused"])
    #expect(record(&state, [120, 129]).isEmpty)
    #expect(record(&state, [130]) == ["stop stream"])
    #expect(record(&state, [131]).isEmpty)
    #expect(words(state.streamEnded(nil, at: 140)) == ["tell reviewing"])
    guard case .reviewing(let window?) = state.phase else {
      Issue.record("the phase is not a review")
      return
    }
    let kept = [79, 80, 100, 129, 130].filter { !window.isBefore($0) && !window.isOver(before: $0) }
    #expect(kept == [80, 100, 129])
    // A trigger during the review is refused too; it does not wait until the session is armed again.
    #expect(words(state.handle(.trigger(TriggerEvent(.socket, at: 145)), at: 145)) == ["answer refused"])
    #expect(words(state.handle(.save(TakePart(start: 80, end: 101)), at: 150)) == ["save 80-101 as 1"])
    #expect(words(state.handle(.resume, at: 160)) == ["open 640"])
  }

  @Test("can end the gathering at any time, and keeps the frames if the ring is full or the camera is lost")
  func gatheringEnds() {
    for how in ["command", "full", "unplugged"] {
      var state = triggered(pre: .microseconds(1), takes: nil)
      _ = record(&state, [10, 100])
      _ = state.handle(.trigger(reviewed(at: 100, limit: RecordingLimit())), at: 100)
      #expect(record(&state, [200]).isEmpty)
      switch how {
      case "command":
        #expect(words(state.handle(.endTake, at: 200)).isEmpty)
        #expect(record(&state, [210]) == ["stop stream"])
      case "full":
        #expect(state.disposition(of: record(100), isRingNearlyFull: true) == .wait)
        #expect(record(&state, [210]) == ["stop stream"])
      default: break
      }
      let failure: CaptureError? = how == "unplugged" ? .camera(OvercrankError(.disconnected, "gone")) : nil
      let told = words(state.streamEnded(failure, at: 220))
      #expect(told == (how == "unplugged" ? ["tell error", "tell reviewing"] : ["tell reviewing"]))
      #expect(state.isReviewing)
    }
  }

  @Test("uses a trigger's own span, and can end its take while the session continues")
  func ownSpan() {
    var state = triggered(pre: .zero, takes: nil)
    _ = record(&state, [10, 100])
    var event = TriggerEvent(.program, at: 100)
    event.span = TakeSpan(preRoll: .zero, limit: RecordingLimit())
    #expect(words(state.handle(.trigger(event), at: 100)) == ["answer started(take: 1)", "begin 1"])
    _ = record(&state, [110, 900])
    #expect(state.disposition(of: record(900), isRingNearlyFull: false) == .write)
    #expect(words(state.handle(.endTake, at: 900)).isEmpty)
    #expect(state.disposition(of: record(900), isRingNearlyFull: false) == .write)
    #expect(state.disposition(of: record(901), isRingNearlyFull: false) == .endTake)
    #expect(words(state.takeIsOver(at: 902)).first == "end take 1")
    #expect(state.phase == .armed)
  }

  @Test("ends at a moment with all frames captured before it, also with those that come later")
  func stopAtMoment() {
    var state = atOnce()
    #expect(record(&state, [10, 20]) == ["tell started", "begin 1"])
    #expect(words(state.handle(.finish(at: 35, stops: true), at: 35)).isEmpty)
    #expect(record(&state, [30]).isEmpty)
    #expect(record(&state, [40, 50]) == ["end take 1", "stop stream"])
    #expect(words(state.streamEnded(nil, at: 60)) == ["end"])
  }

  @Test("that is to end at a moment ends half a second later if no frames come, and at once if asked again")
  func stopWithoutFrames() {
    for isAskedAgain in [false, true] {
      var state = atOnce()
      _ = record(&state, [10])
      let end = SessionCommand.finish(at: 35, stops: true)
      #expect(words(state.handle(end, at: 35)).isEmpty)
      #expect(words(state.advance(to: 400_000_000)).isEmpty)
      if isAskedAgain {
        #expect(words(state.handle(end, at: 400_000_000)) == ["stop stream"])
      } else {
        #expect(words(state.advance(to: 500_000_035)) == ["stop stream"])
      }
      // What was captured before that moment belongs to the take, whenever the disk is ready for it.
      #expect(state.disposition(of: record(30), isRingNearlyFull: false) == .write)
      #expect(state.disposition(of: record(40), isRingNearlyFull: false) == .endTake)
      #expect(words(state.streamEnded(nil, at: 500_000_040)) == ["end take 1", "end"])
    }
  }

  @Test("that is to end at a moment does not wait for a camera that is lost before it")
  func stopWithoutCamera() {
    var state = atOnce(RecordingLimit(), .reconnect)
    _ = record(&state, [10])
    _ = state.handle(.finish(at: 35, stops: true), at: 35)
    let end = words(state.streamEnded(Self.unplugged, at: 40))
    #expect(end.first?.hasPrefix("end take 1") == true)
    #expect(end.last?.hasPrefix("end") == true)
    #expect(state.hasEnded)
  }

  @Test("ends without a failure if the camera is lost right after the last frame")
  func lostAfterTheLastFrame() {
    var state = opened(SessionPlan(limit: RecordingLimit(frames: 2)))
    #expect(record(&state, [10, 20]) == ["tell started", "begin 1", "end take 1", "stop stream"])
    #expect(words(state.streamEnded(Self.unplugged, at: 30)) == ["end"])
  }

  @Test("reaches back to the beginning of the motion that another camera saw")
  func leadOfMotion() {
    var seen = TriggerEvent(.program, at: 105)
    seen.frame = TriggerEvent.Frame(sequence: 10, timestamp: 100, score: 1, begin: 60)
    seen.moment = 100
    var state = triggered(pre: .nanoseconds(20))
    _ = record(&state, [10, 110])
    _ = state.handle(.trigger(seen.relayed), at: 110)
    #expect(state.disposition(of: record(50), isRingNearlyFull: false) == .discard)
    #expect(state.disposition(of: record(60), isRingNearlyFull: false) == .write)
  }

  @Test("completes a take at a moment, and goes on")
  func finishTake() {
    var state = triggered(RecordingLimit(), takes: nil)
    _ = record(&state, [10, 20])
    _ = state.handle(.trigger(TriggerEvent(.enter, at: 20)), at: 20)
    _ = state.handle(.finish(at: 35, stops: false), at: 35)
    #expect(record(&state, [30, 40]).first == "end take 1")
    #expect(state.phase == .armed)
  }

  @Test("ends a take by its limit even if the frames' clock stands still")
  func stuckClock() {
    var state = atOnce(RecordingLimit(duration: .nanoseconds(100)))
    #expect(record(&state, [10]) == ["tell started", "begin 1"])
    let late = Instant(nanoseconds: 200) + SessionState.patience
    var time: Instant = 20
    while time < late {
      _ = state.see(11, at: time)
      time += .milliseconds(500)
    }
    _ = state.see(11, at: late)
    #expect(words(state.advance(to: late)) == ["end take 1", "stop stream"])
  }

  @Test("ignores or refuses all commands once it has ended")
  func ended() {
    var state = triggered()
    _ = state.handle(.stop, at: 0)
    #expect(words(state.streamEnded(nil, at: 1)) == ["end"])
    let commands: [SessionCommand] = [
      .stop, .resume, .review, .configure(ConfigurationChange(Self.configuration(1))),
      .save(TakePart(start: 0, end: 1)), .set(ControlChange(id: 1, name: "gain", value: 1, isRequired: true)),
    ]
    for command in commands { #expect(words(state.handle(command, at: 2)).isEmpty, "\(command)") }
    #expect(words(state.handle(.trigger(TriggerEvent(.key, at: 0)), at: 2)) == ["answer refused"])
    #expect(words(state.handle(.takeStill(StillRequest(id: 1)), at: 2)) == ["tell photo_failed"])
    #expect(words(state.advance(to: 3)).isEmpty)
  }
}
