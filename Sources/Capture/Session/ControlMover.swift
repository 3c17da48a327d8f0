import CameraModel
import Cameras
import Platform
import Synchronization
import Takes
import Timebase

/// Sets and moves controls while a camera captures, on a thread and through a descriptor of its own: a
/// driver may take its time. It also hears what others change.
///
/// A control that moves takes sixty steps a second, or as many as the driver keeps up with: each step
/// goes to where the control is to be by then, so that none waits for another.
final class ControlMover: Sendable {
  private struct State {
    /// What is to be set; the newest of each control.
    var waiting: [ControlChange] = []
    /// Targets that are to be gone to from wherever the control stands.
    var targets: [UInt32: ControlTarget] = [:]
    var courses: [UInt32: (name: String, course: ControlCourse)] = [:]
    /// What was set, and by whomever.
    var steps: [Take.ControlChange] = []
    /// The last step of each control before those, by its name.
    var formerSteps: [String: Take.ControlChange] = [:]
    /// The controls that were set, with their values before, in order.
    var touched: [(id: UInt32, name: String, before: Int64?)] = []
    /// Opens the controls; another one after the camera has come back.
    var open: OpenControls?
    var generation = 0
    /// When the stream was stopped: it puts its controls back then, which is nobody else's change.
    var streamEnd: Instant?
    var isClosed = false
    var thread: NamedThread?
  }

  private let state = Mutex(State())
  private let events: SessionEventTeller
  private let ramps: [ControlRamp]
  private let clock: SessionClock

  /// How often controls are looked after where nothing moves.
  private static let idle = Duration.milliseconds(20)
  private static let beat = Duration.seconds(1) / ControlCourse.stepsPerSecond

  init(_ events: SessionEventTeller, ramps: [ControlRamp], clock: SessionClock = .monotonic) {
    self.events = events
    self.ramps = ramps
    self.clock = clock
  }

  // MARK: The session's side

  /// From now on the controls are those that `open` opens.
  ///
  /// - Parameter listens: whether others may change them too.
  func attach(_ open: OpenControls?, listens: Bool) {
    state.withLock { state in
      state.open = open
      state.generation += 1
      state.courses = [:]
      state.streamEnd = nil
    }
    if listens, open != nil { begin() }
  }

  /// Leaves the controls to the stream, which is stopped at `time` and puts them back, until others are attached.
  func streamStops(at time: Instant) {
    let ids = ramps.map(\.id)
    state.withLock { state in
      state.courses = [:]
      state.waiting.removeAll { ids.contains($0.id) }
      state.streamEnd = state.streamEnd ?? time
    }
  }

  /// Sets a control soon; in place of a value of the same control that still waits.
  func set(_ change: ControlChange) {
    state.withLock { state in
      state.courses[change.id] = nil
      state.targets[change.id] = nil
      if let place = state.waiting.firstIndex(where: { $0.id == change.id }) {
        state.waiting[place] = change
      } else {
        state.waiting.append(change)
      }
    }
    begin()
  }

  /// Moves a control from where it stands, in place of what it is about to do.
  func move(_ target: ControlTarget) {
    state.withLock { state in
      state.courses[target.id] = nil
      state.targets[target.id] = target
    }
    begin()
  }

  /// Leaves the control `id` where it is.
  func cancel(_ id: UInt32) {
    state.withLock { state in
      state.courses[id] = nil
      state.targets[id] = nil
    }
  }

  /// Begins the session's ramps, whose zero is at `time`.
  func startRamps(at time: Instant) {
    guard !ramps.isEmpty else { return }
    state.withLock { state in
      for ramp in ramps { state.courses[ramp.id] = (ramp.name, .ramp(ramp, start: time)) }
    }
    begin()
  }

  /// Puts the session's ramps back to where they begin, for the next take.
  func rewindRamps() {
    guard state.withLock({ $0.streamEnd == nil }) else { return }
    for ramp in ramps {
      set(ControlChange(id: ramp.id, name: ramp.name, value: ramp.startValue, isRequired: false))
    }
  }

  /// What was set, with times of the session's clock.
  func steps() -> [Take.ControlChange] { state.withLock { $0.steps } }

  /// The value of each control that was set since `start`, as it stood at `time`; both on the session's clock.
  func values(at time: Instant, since start: Instant) -> [String: Int64] {
    state.withLock { state in
      var values: [String: Int64] = [:]
      for step in Array(state.formerSteps.values) + state.steps where start <= step.time && step.time <= time
      {
        values[step.name] = step.value
      }
      return values
    }
  }

  /// Forgets what was set before `time`, but for where that left each control.
  func forgetSteps(before time: Instant) {
    state.withLock { state in
      for step in state.steps where step.time < time { state.formerSteps[step.name] = step }
      state.steps.removeAll { $0.time < time }
    }
  }

  /// Ends all of it, and puts the controls back; why one could not be.
  ///
  /// - Parameter inForce: the controls that the stream set, which know what was before that.
  func putBack(_ inForce: [String: ControlInForce]) -> OvercrankError? {
    let (thread, open) = state.withLock { state in
      state.isClosed = true
      defer { state.thread = nil }
      return (state.thread, state.open)
    }
    thread?.join()
    let touched = state.withLock { $0.touched }
    guard !touched.isEmpty, let open else { return nil }
    var failure: OvercrankError?
    do throws(OvercrankError) {
      let port = try open()
      for (id, name, before) in touched.reversed() {
        guard let value = inForce[name]?.from ?? before, port.control(id)?.control.value != value else {
          continue
        }
        do throws(OvercrankError) { _ = try port.set(id, to: value) } catch { failure = failure ?? error }
      }
    } catch {
      failure = error
    }
    return failure
  }

  // MARK: The thread

  private func begin() {
    state.withLock { state in
      guard state.thread == nil, !state.isClosed else { return }
      // It ends with `putBack`, which its owner calls at the session's end.
      state.thread = NamedThread(name: "overcrank-control", in: clock) { self.run() }
    }
  }

  private func run() {
    var port: ControlPort?
    var generation = -1
    var last: [UInt32: Int64] = [:]
    while true {
      let start = clock.now
      let (isClosed, open, wanted, changes, targets) = state.withLock { state in
        defer {
          state.waiting = []
          state.targets = [:]
        }
        return (state.isClosed, state.open, state.generation, state.waiting, state.targets)
      }
      guard !isClosed else { return }
      let hasWork = !changes.isEmpty || !targets.isEmpty || state.withLock { !$0.courses.isEmpty }
      if wanted != generation || port == nil && hasWork {
        (port, generation, last) = (nil, wanted, [:])
        do throws(OvercrankError) {
          port = try open?()
          if open == nil, hasWork {
            throw OvercrankError(.noControl, "The camera has no controls that can be set now.")
          }
        } catch {
          // Whoever only listens does without.
          if hasWork { tell(error) }
        }
      }
      guard let port else {
        state.withLock { if $0.generation == wanted { $0.courses = [:] } }
        clock.wait(until: start + Self.idle)
        continue
      }
      for change in changes { make(change, port, &last) }
      for target in targets.values { begin(target, port) }
      let courses = state.withLock { $0.courses }
      for (id, movement) in courses { step(id, movement, port, &last) }
      let isMoving = state.withLock { !$0.courses.isEmpty || !$0.waiting.isEmpty }
      // Where the driver took longer than a beat, the next step is due at once.
      if let change = port.nextChange(until: start + (isMoving ? Self.beat : Self.idle), on: clock) {
        note(change)
      }
    }
  }

  private func make(_ change: ControlChange, _ port: ControlPort, _ last: inout [UInt32: Int64]) {
    guard let outcome = port.make(change) else { return }
    if let failure = outcome.failure { return tell(failure) }
    last[change.id] = change.value
    touch(change.id, change.name, before: outcome.before)
    record(change.name, outcome.after ?? change.value, at: clock.now)
    events.tell(.controlChanged(outcome), at: clock.now)
  }

  private func begin(_ target: ControlTarget, _ port: ControlPort) {
    guard let value = port.control(target.id)?.control.value else {
      return tell(
        OvercrankError(.noControl, "\(target.name) cannot move: the camera does not tell where it stands."))
    }
    state.withLock { state in
      // A newer target has come meanwhile.
      guard state.targets[target.id] == nil else { return }
      state.courses[target.id] = (
        target.name,
        .target(target.value, rate: target.rate, value: value, start: clock.now)
      )
    }
  }

  private func step(
    _ id: UInt32, _ movement: (name: String, course: ControlCourse), _ port: ControlPort,
    _ last: inout [UInt32: Int64]
  ) {
    let now = clock.now
    let value = movement.course.value(at: now)
    func isCurrent(_ state: State) -> Bool { state.courses[id]?.course == movement.course && !state.isClosed }
    if last[id] != value, state.withLock({ isCurrent($0) }) {
      let before = last[id] == nil ? port.control(id)?.control.value : nil
      do throws(OvercrankError) {
        let made = try port.set(id, to: value)
        touch(id, movement.name, before: before)
        last[id] = value
        record(movement.name, made ?? value, at: clock.now)
        let change = ControlChange(id: id, name: movement.name, value: value, isRequired: true)
        events.tell(
          .controlChanged(ControlOutcome(change: change, before: before, after: made)), at: clock.now
        )
      } catch {
        cancel(id)
        tell(error)
      }
    }
    if movement.course.isOver(at: now) {
      state.withLock { state in if isCurrent(state) { state.courses[id] = nil } }
    }
  }

  private func touch(_ id: UInt32, _ name: String, before: Int64?) {
    state.withLock { state in
      if !state.touched.contains(where: { $0.id == id }) { state.touched.append((id, name, before)) }
    }
  }

  private func record(_ name: String, _ value: Int64, at time: Instant) {
    state.withLock { $0.steps.append(Take.ControlChange(time: time, name: name, value: value)) }
  }

  /// Somebody else has changed a control.
  private func note(_ change: ControlPort.Change) {
    guard state.withLock({ state in state.streamEnd.map { change.time < $0 } ?? true }) else { return }
    record(change.name, change.value, at: change.time)
    events.tell(
      .controlChanged(
        ControlOutcome(
          change: ControlChange(id: change.id, name: change.name, value: change.value, isRequired: false),
          before: nil, after: change.value)), at: change.time)
  }

  private func tell(_ error: OvercrankError) { events.tell(.error(.camera(error)), at: clock.now) }
}

/// Opens a camera's controls.
struct OpenControls: Sendable {
  let open: @Sendable (SessionConfiguration) throws(OvercrankError) -> ControlPort
  let configuration: SessionConfiguration

  func callAsFunction() throws(OvercrankError) -> ControlPort { try open(configuration) }
}
