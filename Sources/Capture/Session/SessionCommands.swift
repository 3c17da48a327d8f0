import Synchronization

/// Where commands wait for a session's writer, from whichever thread they come.
///
/// The capture thread knows nothing of it.
public final class SessionCommands: Sendable {
  private struct State {
    var commands: [SessionCommand] = []
    var isClosed = false
  }

  private let state = Mutex(State())
  /// How many commands wait, so that a look at an empty queue costs no lock.
  private let count = Atomic<Int>(0)
  private let openSources = Atomic<Int>(0)
  private let hasHadSource = Atomic<Bool>(false)
  private let stillCount = Atomic<Int>(0)

  /// More are refused, so that a runaway sender cannot fill the memory.
  private static let most = 4096

  /// No commands.
  public init() {}

  /// Leaves a command; from any thread, but not from a signal's handler.
  ///
  /// A trigger is refused if the session is over, or if thousands of commands wait already.
  public func send(_ command: SessionCommand) {
    let isTaken = state.withLock { state in
      // A stop always finds room: it is the way out.
      guard !state.isClosed, state.commands.count < Self.most || command == .stop else { return false }
      state.commands.append(command)
      // Relaxed: the lock orders the commands; a count seen late is a command seen a nap later.
      count.add(1, ordering: .relaxed)
      return true
    }
    if !isTaken { command.refuse() }
  }

  /// Asks for a still, and says what it is called in ``SessionEvent/Kind/photo(_:_:inProgress:)``: 1, 2 and so on.
  ///
  /// - Parameters:
  ///   - configuration: what the camera is set to for it; it is set back at once. Refused unless the session stands by
  ///     for a trigger. `nil` for a still in the mode that is captured, which takes no frame from anybody.
  ///   - skipped: how many frames of that other mode pass first, in which the camera finds its exposure.
  ///   - answer: is told once what came of it, on the writer's thread or this; must not wait for anything.
  @discardableResult public func takeStill(
    in configuration: SessionConfiguration? = nil, skipping skipped: Int = Still.usualSkip,
    answer: (@Sendable (StillRequest, StillOutcome) -> Void)? = nil
  ) -> StillRequest {
    let request = newStill(in: configuration, skipping: skipped, answer: answer)
    send(.takeStill(request))
    return request
  }

  /// What the next still is called.
  package func newStill() -> StillRequest { newStill(in: nil, skipping: 0, answer: nil) }

  private func newStill(
    in configuration: SessionConfiguration?, skipping skipped: Int,
    answer: (@Sendable (StillRequest, StillOutcome) -> Void)?
  ) -> StillRequest {
    let frames = min(max(skipped, Still.skippableFrames.lowerBound), Still.skippableFrames.upperBound)
    return StillRequest(
      id: stillCount.wrappingAdd(1, ordering: .relaxed).newValue, in: configuration, skipping: frames,
      answer: answer)
  }

  /// Leaves a trigger.
  public func trigger(_ event: TriggerEvent) { send(.trigger(event)) }

  /// Counts a source that may trigger until ``sourceEnded()``.
  ///
  /// A session for triggers ends when all its sources have ended. Without any, the program triggers
  /// by itself, and stops the session by itself.
  public func sourceBegan() {
    openSources.add(1, ordering: .relaxed)
    hasHadSource.store(true, ordering: .relaxed)
  }

  /// Says that a source will trigger no more, such as a pipe that has ended.
  public func sourceEnded() { openSources.subtract(1, ordering: .releasing) }

  /// Whether a command waits or a trigger may still come.
  var isLive: Bool {
    // Acquire: pairs with the release in `sourceEnded`; what that source sent before is then counted.
    openSources.load(ordering: .acquiring) > 0 || count.load(ordering: .relaxed) > 0
  }

  /// Whether a stop waits.
  var holdsStop: Bool {
    count.load(ordering: .relaxed) > 0 && state.withLock { $0.commands.contains(.stop) }
  }

  /// Whether there never was a source, so that only the program can trigger.
  var hasNoSources: Bool { !hasHadSource.load(ordering: .relaxed) }

  /// Takes out what waits, the oldest first.
  func take() -> [SessionCommand] {
    guard count.load(ordering: .relaxed) > 0 else { return [] }
    return state.withLock { state in
      defer { state.commands = [] }
      count.subtract(state.commands.count, ordering: .relaxed)
      return state.commands
    }
  }

  /// Refuses the triggers that wait, and all later ones.
  func close() {
    state.withLock { $0.isClosed = true }
    for command in take() { command.refuse() }
  }
}

extension SessionCommand {
  /// Tells whoever waits that nothing comes of it any more.
  fileprivate func refuse() {
    switch self {
    case .trigger(let event): event.answer(.refused)
    case .configure(let change): change.answer(.sessionEnded)
    case .span(let change): change.answer(.sessionEnded)
    case .takeStill(let request): request.answer(.failed(CaptureError.noStream.description))
    case .look(let look): look.answer(nil)
    default: break
    }
  }
}
