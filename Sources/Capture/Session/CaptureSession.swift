public import CameraModel
public import Cameras
import Media
public import Platform
public import Timebase

/// A camera at work from start to stop: frames go into takes, commands come from any thread, and
/// events tell what happens.
///
/// One thread captures, one writes. Neither waits for a listener, a tap, or whoever sends commands.
public final class CaptureSession: @unchecked Sendable {
  // Unchecked: the writer belongs to the thread that runs the session.

  /// Where commands are left.
  public let commands: SessionCommands
  /// What all that waits in the session waits on, and all its times are of.
  public let clock: SessionClock
  private let teller = SessionEventTeller()
  private let taps = TapList<FrameTap>()
  private let audioTaps = TapList<AudioTap>()
  private let findConfiguration: (@Sendable (ModeWish) throws(CaptureError) -> SessionConfiguration)?
  private let findLargest: (@Sendable () throws(CaptureError) -> SessionConfiguration)?
  private let writer: SessionWriter

  /// A session that has not started yet.
  ///
  /// - Parameters:
  ///   - setup: what is captured, how, and into what.
  ///   - commands: where commands are left; those that wait there are heard first.
  public init(_ setup: SessionSetup, commands: SessionCommands = SessionCommands()) {
    self.commands = commands
    clock = setup.source.clock
    findConfiguration = setup.findConfiguration
    findLargest = setup.findLargest
    writer = SessionWriter(setup, commands: commands, events: teller, taps: taps, audioTaps: audioTaps)
  }

  /// The session's events from now on; each call makes one more listener.
  public var events: SessionEvents { teller.listen() }

  /// Has `body` told each event on the session's own threads, at once; it must not wait for anything.
  package func onEvent(_ body: @escaping @Sendable (SessionEvent) -> Void) { teller.listen(body) }

  /// Shows frames to `tap` until the session ends, or the tap does.
  ///
  /// A tap that is added after the end is closed.
  public func add(_ tap: FrameTap) { taps.add(tap) }

  /// Shows what is heard to `tap` until the session ends, or the tap does.
  public func add(_ tap: AudioTap) { audioTaps.add(tap) }

  /// Shows frames to `preview` until the session ends, or the preview does.
  public func add(_ preview: PreviewTap) { taps.add(preview.frames) }

  /// Looks for motion in frames until the session ends, or `motion` does.
  public func add(_ motion: MotionTap) { taps.add(motion.frames) }

  /// Tells the session's listeners what was found out beside it.
  func tell(_ kind: SessionEvent.Kind) { teller.tell(kind, at: now) }

  /// The time now: what a trigger that comes now is stamped with.
  public var now: Instant { clock.now }

  /// How it stands now.
  public var status: SessionStatus { writer.board.status }

  /// Whether the camera captures: not before the start, during an interruption or a review, nor after
  /// the end.
  public var isRunning: Bool { status.isRunning }

  /// Whether a take is being recorded.
  public var isRecording: Bool { status.isRecording }

  /// Whether something keeps the camera from capturing.
  public var isInterrupted: Bool { status.interruption != nil }

  /// The mode that the camera is set to. A change counts once a frame has come in the new one.
  public var activeFormat: Mode { status.configuration.mode }

  /// What the camera is set to as a whole.
  public var configuration: SessionConfiguration { status.configuration }

  /// Changes the mode, or the controls that are set for it, while the session runs; all or nothing.
  ///
  /// Returns at once. ``SessionEvent/Kind/modeChanged(_:gap:)`` follows with the first frame of the new
  /// mode; where the camera refuses it, ``SessionEvent/Kind/error(_:)`` does, and the session goes on
  /// as before. A take that is recorded ends, and goes on in another one in the new mode. A trigger
  /// that comes meanwhile waits for the new mode.
  ///
  /// - Parameter change: is given ``configuration`` and makes all changes that belong together; of two
  ///   calls in a row, the second does not see what the first asked for.
  public func configure(_ change: (inout SessionConfiguration) -> Void) {
    var next = configuration
    change(&next)
    commands.send(.configure(ConfigurationChange(next)))
  }

  /// Changes to the mode that `wish` means, as ``configure(_:)`` does.
  ///
  /// - Parameters:
  ///   - wish: a size and a rate.
  ///   - answer: is told once what came of it; on this thread or the writer's, so it must not wait for anything.
  public func change(to wish: ModeWish, answer: @escaping @Sendable (ConfigurationOutcome) -> Void) {
    do throws(CaptureError) {
      guard let findConfiguration else {
        throw .camera(OvercrankError(.noMode, "This session has no table to choose a mode from."))
      }
      commands.send(.configure(ConfigurationChange(try findConfiguration(wish), answer: answer)))
    } catch {
      answer(.refused(error))
    }
  }

  /// Takes a still in the camera's largest mode: sets the camera to that, and back.
  ///
  /// Only while the session stands by for a trigger: refused while a take is recorded, and while the session is
  /// interrupted or reviews. ``SessionEvent/Kind/modeChanged(_:gap:)`` tells both changes, each with how long no frame
  /// came. If the camera refuses the mode, the session goes on in its own.
  ///
  /// - Parameters:
  ///   - skipped: how many frames of that mode pass first, in which the camera finds its exposure.
  ///   - answer: is told once what came of it; on this thread or the writer's, so it must not wait for anything.
  /// - Returns: what it is called in ``SessionEvent/Kind/photo(_:_:inProgress:)``.
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

  /// Moves a control to `target`, held to its limits, by `rate` of its units a second: from where it
  /// stands, and in place of what it is about to do, such as a zoom that follows a slider.
  ///
  /// Each step comes as ``SessionEvent/Kind/controlChanged(_:)``. The control is put back when the
  /// session ends.
  ///
  /// - Parameters:
  ///   - control: one of ``CaptureDevice/controls()``.
  ///   - target: where it is to go, in its units.
  ///   - rate: how many of its units it goes in a second.
  public func move(_ control: CameraControl, to target: Int64, rate: Double) {
    commands.send(.move(ControlTarget(control, to: target, rate: rate)))
  }

  /// Leaves a control that moves where it is.
  public func cancelMove(of control: CameraControl) { commands.send(.cancelMove(control.control.id)) }

  /// Runs the session on a thread of its own until its end, which ``events`` tell.
  ///
  /// - Throws: ``CaptureError`` where the camera cannot be opened, the first take not be prepared,
  ///   or the system has no thread to give.
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

  /// Opens the camera, and lets the calling thread take part in the clock; listeners are told the end
  /// of a session that cannot begin.
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

  /// Runs the session on the calling thread until its end, with frames that somebody else captures
  /// into `ring`: what a session does beside a capture thread that is measured.
  package func run(
    _ ring: consuming RingConsumer, _ configuration: StreamConfiguration
  ) throws(CaptureError) -> SessionEnd {
    clock.enter()
    defer { clock.leave() }
    try writer.begin(CaptureRun(ring: ring, configuration), at: now)
    return write()
  }

  /// Waits for the session's end; at once where it has ended.
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
      // Nothing but a person goes on from here: time passes no faster than theirs.
      if clock.isVirtual, writer.state.isWaitingForPerson {
        MonotonicClock().wait(until: MonotonicClock.now + writer.nap)
      }
      clock.wait(until: self.now + writer.nap)
    }
  }

  /// Processor time of the capture threads that have ended.
  package var captureTime: Duration { writer.stream.captureTime }
  /// The most bytes that waited in the ring.
  package var ringPeakBytes: Int { writer.gauge.ringPeakOverall }
}
