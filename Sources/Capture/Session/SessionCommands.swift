import Synchronization

/// A queue of commands from any thread to a session's writer.
///
/// The capture thread does not use it.
public final class SessionCommands: Sendable {
  private struct State {
    var commands: [SessionCommand] = []
    var isClosed = false
    /// The queue that receives the triggers from now on.
    var heir: SessionCommands?
  }

  private let state = Mutex(State())
  /// The number of waiting commands, so that checking an empty queue takes no lock.
  private let count = Atomic<Int>(0)
  private let openSources = Atomic<Int>(0)
  private let hasHadSource = Atomic<Bool>(false)
  private let stillCount = Atomic<Int>(0)

  /// The limit that keeps a runaway sender from filling the memory.
  private static let most = 4096

  /// Creates an empty queue.
  public init() {}

  /// Sends a command from any thread, but not from a signal handler.
  ///
  /// A trigger is refused if the session is over, or if thousands of commands are waiting.
  ///
  /// - Returns: whether the session will read the command: `false` once it is over.
  @discardableResult public func send(_ command: SessionCommand) -> Bool {
    let (isTaken, heir) = state.withLock { state -> (Bool, SessionCommands?) in
      // A stop is always accepted, because it is the way out.
      guard !state.isClosed, state.commands.count < Self.most || command == .stop else {
        return (false, state.heir)
      }
      state.commands.append(command)
      // Relaxed: the lock orders the commands; a stale count only delays a command by a nap.
      count.add(1, ordering: .relaxed)
      return (true, nil)
    }
    guard !isTaken else { return true }
    if let heir, case .trigger = command { return heir.send(command) }
    command.refuse()
    return false
  }

  /// Passes all later triggers, `times`, and the end of the sources on to `heir`: another session that records the
  /// same moment. The session of this queue must be over.
  ///
  /// - Parameter times: the times of triggers that have not come yet.
  package func pass(to heir: SessionCommands, _ times: [TriggerTime] = []) {
    // First, so that the heir does not end for want of sources.
    if !times.isEmpty { heir.send(.takeOver(times)) }
    state.withLock { $0.heir = heir }
    if openSources.load(ordering: .acquiring) == 0 { heir.sourceEnded() }
  }

  /// Requests a still. Returns the request that ``SessionEvent/Kind/photo(_:_:inProgress:)`` refers to, with
  /// the ID 1, 2 and so on.
  ///
  /// - Parameters:
  ///   - configuration: The configuration for the still; the camera is restored at once. Refused unless the
  ///     session is armed. `nil` for a still in the current mode, which takes no frame away from a take.
  ///   - skipped: The number of frames of that other mode to skip first, in which the camera adjusts its
  ///     exposure.
  ///   - answer: Called once with the outcome, on the writer's thread or this one; must not block.
  @discardableResult public func takeStill(
    in configuration: SessionConfiguration? = nil, skipping skipped: Int = Still.usualSkip,
    answer: (@Sendable (StillRequest, StillOutcome) -> Void)? = nil
  ) -> StillRequest {
    let request = newStill(in: configuration, skipping: skipped, answer: answer)
    send(.takeStill(request))
    return request
  }

  /// Returns a new request for a still.
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

  /// Sends a trigger.
  public func trigger(_ event: TriggerEvent) { send(.trigger(event)) }

  /// Registers a source that may trigger until ``sourceEnded()``.
  ///
  /// A session with triggers ends when all its sources have ended. Without any source, the program itself
  /// must trigger and stop the session.
  public func sourceBegan() {
    openSources.add(1, ordering: .relaxed)
    hasHadSource.store(true, ordering: .relaxed)
  }

  /// Reports that a source will not trigger any more, such as a pipe that has ended.
  public func sourceEnded() {
    guard openSources.subtract(1, ordering: .releasing).newValue == 0 else { return }
    state.withLock { $0.heir }?.sourceEnded()
  }

  /// Whether a command is waiting or a trigger may still come.
  var isLive: Bool {
    // Acquire: pairs with the release in `sourceEnded`; commands that the source sent before are then
    // counted.
    openSources.load(ordering: .acquiring) > 0 || count.load(ordering: .relaxed) > 0
  }

  /// Whether a stop is waiting.
  package var holdsStop: Bool {
    count.load(ordering: .relaxed) > 0 && state.withLock { $0.commands.contains(.stop) }
  }

  /// Whether there has never been a source, so that only the program can trigger.
  var hasNoSources: Bool { !hasHadSource.load(ordering: .relaxed) }

  /// Removes and returns the waiting commands, the oldest first.
  func take() -> [SessionCommand] {
    guard count.load(ordering: .relaxed) > 0 else { return [] }
    return state.withLock { state in
      defer { state.commands = [] }
      count.subtract(state.commands.count, ordering: .relaxed)
      return state.commands
    }
  }

  /// Refuses all waiting and later triggers.
  func close() {
    state.withLock { $0.isClosed = true }
    for command in take() { command.refuse() }
  }
}

extension SessionCommand {
  /// Reports to the requester that the command was not carried out.
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
