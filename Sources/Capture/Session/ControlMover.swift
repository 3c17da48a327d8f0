import CameraModel
import Cameras
import Platform
import Synchronization
import Takes
import Timebase

/// Sets and moves controls while a camera captures, on its own thread and through its own descriptor, because
/// a driver may be slow. It also receives the changes that other programs make.
///
/// A moving control takes sixty steps a second, or as many as the driver can handle. Each step goes to the
/// value that is due at that time, so steps do not pile up.
final class ControlMover: Sendable {
  private struct State {
    /// The changes to make, the newest of each control.
    var waiting: [ControlChange] = []
    /// The targets to approach from the controls' current values.
    var targets: [UInt32: ControlTarget] = [:]
    var courses: [UInt32: (name: String, course: ControlCourse)] = [:]
    /// The changes made, by this or other programs.
    var steps: [Take.ControlChange] = []
    /// The last earlier change of each control, by name.
    var formerSteps: [String: Take.ControlChange] = [:]
    /// The controls that were set, in order, with their previous values.
    var touched: [(id: UInt32, name: String, before: Int64?)] = []
    /// Opens the controls; replaced when the camera comes back.
    var open: OpenControls?
    var generation = 0
    /// The time at which the stream was stopped; it restores its controls then, which must not be reported as
    /// another program's change.
    var streamEnd: Instant?
    var isClosed = false
    var thread: NamedThread?
  }

  private let state = Mutex(State())
  private let events: EventBroadcaster
  private let ramps: [ControlRamp]
  private let clock: SessionClock

  /// The polling interval while nothing moves.
  private static let idle = Duration.milliseconds(20)
  private static let beat = Duration.seconds(1) / ControlCourse.stepsPerSecond

  init(_ events: EventBroadcaster, ramps: [ControlRamp], clock: SessionClock = .monotonic) {
    self.events = events
    self.ramps = ramps
    self.clock = clock
  }

  // MARK: The session's side

  /// Uses the controls that `open` opens from now on.
  ///
  /// - Parameter listens: Whether other programs may change them too.
  func attach(_ open: OpenControls?, listens: Bool) {
    state.withLock { state in
      state.open = open
      state.generation += 1
      state.courses = [:]
      state.streamEnd = nil
    }
    if listens, open != nil { begin() }
  }

  /// Leaves the controls to the stream, which stops at `time` and restores them, until others are attached.
  func streamStops(at time: Instant) {
    let ids = ramps.map(\.id)
    state.withLock { state in
      state.courses = [:]
      state.waiting.removeAll { ids.contains($0.id) }
      state.streamEnd = state.streamEnd ?? time
    }
  }

  /// Sets a control soon; replaces a pending value of the same control.
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

  /// Moves a control from its current value; replaces any movement in progress.
  func move(_ target: ControlTarget) {
    state.withLock { state in
      state.courses[target.id] = nil
      state.targets[target.id] = target
    }
    begin()
  }

  /// Stops the control `id` at its current value.
  func cancel(_ id: UInt32) {
    state.withLock { state in
      state.courses[id] = nil
      state.targets[id] = nil
    }
  }

  /// Starts the session's ramps, whose zero is at `time`.
  func startRamps(at time: Instant) {
    guard !ramps.isEmpty else { return }
    state.withLock { state in
      for ramp in ramps { state.courses[ramp.id] = (ramp.name, .ramp(ramp, start: time)) }
    }
    begin()
  }

  /// Resets the session's ramps to their start values, for the next take.
  func rewindRamps() {
    guard state.withLock({ $0.streamEnd == nil }) else { return }
    for ramp in ramps {
      set(ControlChange(id: ramp.id, name: ramp.name, value: ramp.startValue, isRequired: false))
    }
  }

  /// Returns the changes made, with times on the session's clock.
  func steps() -> [Take.ControlChange] { state.withLock { $0.steps } }

  /// Returns the value at `time` of each control that was set since `start`; both on the session's clock.
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

  /// Discards changes before `time`, but keeps the last value of each control.
  func forgetSteps(before time: Instant) {
    state.withLock { state in
      for step in state.steps where step.time < time { state.formerSteps[step.name] = step }
      state.steps.removeAll { $0.time < time }
    }
  }

  /// Stops the thread and restores the controls. Returns the first error.
  ///
  /// - Parameter inForce: The controls set by the stream, with their previous values.
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
      // The thread ends with `putBack`, which the owner calls at the session's end.
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
          // Without any control to set, the error does not matter.
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
      // If the driver took longer than a beat, the next step is due at once.
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
        OvercrankError(.noControl, "\(target.name) cannot move: the camera does not report its value."))
    }
    state.withLock { state in
      // A newer target has arrived meanwhile.
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

  /// Records a change made by another program.
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

/// A function that opens a camera's controls.
struct OpenControls: Sendable {
  let open: @Sendable (SessionConfiguration) throws(OvercrankError) -> ControlPort
  let configuration: SessionConfiguration

  func callAsFunction() throws(OvercrankError) -> ControlPort { try open(configuration) }
}
