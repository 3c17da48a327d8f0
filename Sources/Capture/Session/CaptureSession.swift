public import CameraModel
public import Cameras
public import Platform
public import Timebase

/// A camera's session from start to stop: it writes frames into takes, accepts commands from any thread, and
/// reports events.
///
/// One thread captures, one writes. Neither waits for a listener, a tap, or a sender of commands.
public final class CaptureSession: @unchecked Sendable {
  // Unchecked: the writer belongs to the thread that runs the session.

  /// The session's command queue.
  public let commands: SessionCommands
  /// The clock of all waits and times in the session.
  public let clock: SessionClock
  private let teller = EventBroadcaster()
  private let taps = TapList<FrameTap>()
  private let audioTaps = TapList<AudioTap>()
  private let findConfiguration: (@Sendable (ModeRequest) throws(CaptureError) -> SessionConfiguration)?
  private let findLargest: (@Sendable () throws(CaptureError) -> SessionConfiguration)?
  private let writer: SessionWriter

  /// Creates a session without starting it.
  ///
  /// - Parameters:
  ///   - setup: The source, the settings, the plan and the outputs.
  ///   - commands: The command queue; commands already in it are handled first.
  public init(_ setup: SessionSetup, commands: SessionCommands = SessionCommands()) {
    self.commands = commands
    clock = setup.source.clock
    findConfiguration = setup.findConfiguration
    findLargest = setup.findLargest
    writer = SessionWriter(setup, commands: commands, events: teller, taps: taps, audioTaps: audioTaps)
  }

  /// The session's events from now on; each access adds a listener.
  public var events: SessionEvents { teller.listen() }

  /// Calls `body` with each event, immediately and on the session's own threads, so it must not block.
  package func onEvent(_ body: @escaping @Sendable (SessionEvent) -> Void) { teller.listen(body) }

  /// Adds a tap that receives frames until the session ends or the tap is closed.
  ///
  /// A tap that is added after the end is closed.
  public func add(_ tap: FrameTap) { taps.add(tap) }

  /// Adds a tap that receives audio until the session ends or the tap is closed.
  public func add(_ tap: AudioTap) { audioTaps.add(tap) }

  /// Adds a preview that shows frames until the session ends or the preview is closed.
  public func add(_ preview: PreviewTap) { taps.add(preview.frames) }

  /// Adds a tap that looks for motion until the session ends or the tap is closed.
  public func add(_ motion: MotionTap) { taps.add(motion.frames) }

  /// Reports an event from outside the session to its listeners.
  func tell(_ kind: SessionEvent.Kind) { teller.tell(kind, at: now) }

  /// The current time, for the timestamp of a trigger.
  public var now: Instant { clock.now }

  /// Returns the time, on the session's clock, of an event that the kernel stamped with `CLOCK_MONOTONIC`.
  ///
  /// Virtual time has no relation to such stamps, so the event counts as happening now.
  func time(ofStamp stamp: Instant) -> Instant { clock.isVirtual ? now : min(stamp, now) }

  /// The current status.
  public var status: SessionStatus { writer.board.status }

  /// Whether the camera is capturing: not before the start, during an interruption or a review, or after the
  /// end.
  public var isRunning: Bool { status.isRunning }

  /// Whether a take is being recorded.
  public var isRecording: Bool { status.isRecording }

  /// Whether something keeps the camera from capturing.
  public var isInterrupted: Bool { status.interruption != nil }

  /// The camera's mode. A change takes effect here with the first frame in the new mode.
  public var activeFormat: Mode { status.configuration.mode }

  /// The camera's mode and control changes.
  public var configuration: SessionConfiguration { status.configuration }

  /// Changes the mode, or its control changes, while the session runs; all or nothing.
  ///
  /// Returns at once. ``SessionEvent/Kind/modeChanged(_:gap:)`` follows with the first frame of the new mode;
  /// if the camera refuses it, ``SessionEvent/Kind/error(_:)`` does, and the session continues as before. A
  /// take in progress ends and continues as another take in the new mode. A trigger in the meantime waits for
  /// the new mode.
  ///
  /// - Parameter change: A closure that edits ``configuration``, with all changes that belong together; of
  ///   two successive calls, the second does not see the first's changes.
  public func configure(_ change: (inout SessionConfiguration) -> Void) {
    var next = configuration
    change(&next)
    commands.send(.configure(ConfigurationChange(next)))
  }

  /// Changes to the mode that matches `wish`, as ``configure(_:)`` does.
  ///
  /// - Parameters:
  ///   - wish: A size and a rate.
  ///   - answer: Called once with the outcome, on this thread or the writer's, so it must not block.
  public func change(to wish: ModeRequest, answer: @escaping @Sendable (ConfigurationOutcome) -> Void) {
    do throws(CaptureError) {
      guard let findConfiguration else {
        throw .camera(OvercrankError(.noMode, "This session has no table to choose a mode from."))
      }
      commands.send(.configure(ConfigurationChange(try findConfiguration(wish), answer: answer)))
    } catch {
      answer(.refused(error))
    }
  }

  /// Takes a still in the camera's largest mode: changes to that mode, and back.
  ///
  /// Possible only while the session is armed: refused during a take, an interruption or a review.
  /// ``SessionEvent/Kind/modeChanged(_:gap:)`` reports both changes, each with the time without frames. If
  /// the camera refuses the mode, the session continues in its own.
  ///
  /// - Parameters:
  ///   - skipped: The number of frames of that mode to skip first, in which the camera adjusts its exposure.
  ///   - answer: Called once with the outcome, on this thread or the writer's, so it must not block.
  /// - Returns: The request that ``SessionEvent/Kind/photo(_:_:inProgress:)`` refers to.
  @discardableResult public func takeLargestStill(
    skipping skipped: Int = Still.usualSkip, answer: (@Sendable (StillRequest, StillOutcome) -> Void)? = nil
  ) -> StillRequest {
    do throws(CaptureError) {
      guard let findLargest else {
        throw .camera(OvercrankError(.noMode, "This session has no table to choose a mode from."))
      }
      return commands.takeStill(in: try findLargest(), skipping: skipped, answer: answer)
    } catch {
      let request = commands.newStill()
      tell(.photo(request, .failed(error.description), inProgress: 0))
      answer?(request, .failed(error.description))
      return request
    }
  }

  /// Moves a control from its current value to `target`, clamped to its range, by `rate` units per second,
  /// such as a zoom that follows a slider. Replaces any movement in progress.
  ///
  /// Each step is reported as ``SessionEvent/Kind/controlChanged(_:)``. The control is restored when the
  /// session ends.
  ///
  /// - Parameters:
  ///   - control: A control of ``CaptureDevice/controls()``.
  ///   - target: The target in the control's units.
  ///   - rate: The speed in the control's units per second.
  public func move(_ control: CameraControl, to target: Int64, rate: Double) {
    commands.send(.move(ControlTarget(control, to: target, rate: rate)))
  }

  /// Stops a moving control at its current value.
  public func cancelMove(of control: CameraControl) { commands.send(.cancelMove(control.control.id)) }

  /// Runs the session on its own thread until its end, which ``events`` report.
  ///
  /// - Throws: ``CaptureError`` if the camera cannot be opened, the first take cannot be prepared, or the
  ///   system cannot start a thread.
  public func start() throws(CaptureError) {
    try begin()
    defer { clock.leave() }
    guard NamedThread(name: "overcrank-write", in: clock, { _ = self.write() }) == nil else { return }
    commands.send(.stop)
    _ = write()
    throw .camera(.noThread)
  }

  /// Runs the session on the calling thread until its end.
  ///
  /// - Throws: as ``start()`` does.
  @discardableResult public func run() throws(CaptureError) -> SessionEnd {
    try begin()
    defer { clock.leave() }
    return write()
  }

  /// Opens the camera, and registers the calling thread with the clock. If the session cannot begin, reports
  /// its end to the listeners.
  private func begin() throws(CaptureError) {
    clock.enter()
    do throws(CaptureError) {
      try writer.begin(at: now)
    } catch {
      clock.leave()
      commands.close()
      taps.close()
      audioTaps.close()
      teller.tell(.ended(SessionEnd(takeCount: 0, failure: error)), at: now)
      throw error
    }
  }

  /// Runs the session on the calling thread until its end, with frames that the caller captures into `ring`,
  /// to measure a capture thread under the load of a session.
  package func run(
    _ ring: consuming RingConsumer, _ configuration: StreamConfiguration
  ) throws(CaptureError) -> SessionEnd {
    clock.enter()
    defer { clock.leave() }
    try writer.begin(CaptureRun(ring: ring, configuration), at: now)
    return write()
  }

  /// Waits for the session's end; returns at once if it has ended.
  public func end() async -> SessionEnd {
    await withCheckedContinuation { continuation in
      teller.listen { event in
        if case .ended(let end) = event.kind { continuation.resume(returning: end) }
      }
    }
  }

  private func write() -> SessionEnd {
    var suspension = SuspensionWatch()
    while true {
      let now = now
      if suspension.hasSlept(), !clock.isVirtual { writer.noteSuspension(at: now) }
      let mayHaveMore = writer.step(now: now)
      if clock.isVirtual { writer.catchUp() }
      if let end = writer.end { return end }
      guard !mayHaveMore else { continue }
      // Only a person can continue the session now, so virtual time passes no faster than real time.
      if clock.isVirtual, writer.state.isWaitingForPerson {
        MonotonicClock().wait(until: MonotonicClock.now + writer.nap)
      }
      clock.wait(until: self.now + writer.nap)
    }
  }

  /// The processor time of the capture threads that have ended.
  package var captureTime: Duration { writer.stream.captureTime }
}
