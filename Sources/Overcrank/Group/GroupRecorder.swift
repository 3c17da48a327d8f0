public import Cameras
public import Capture
public import Platform
public import Retime
import Synchronization
public import SystemPackage
import Timebase

/// Records one moment with several cameras: a recorder for each, and one trigger for all.
///
/// The first camera hears the triggers and has the microphone. Each trigger that its session accepts goes to
/// the other sessions with its moment, and the frames' own timestamps decide which of them belong to a take.
/// If that camera is lost, the next one takes its place. Each take of the group leaves a file that places its
/// cameras' frames on one clock.
public final class GroupRecorder: Sendable {
  /// One of the cameras.
  public struct Member: Sendable {
    /// The name in the group and in the names of files: A, B and so on.
    public let name: String
    /// The recorder of its takes.
    public let recorder: TakeRecorder
  }

  /// The cameras; the first hears the triggers.
  public let members: [Member]
  /// The demand of the cameras together.
  public let demand: GroupDemand
  /// The forecast of whether the disk keeps up with all cameras; `nil` if any disk does, or if it is unknown.
  public let forecast: RingForecast?

  private let triggers: [any TriggerSource]
  private let isOpenEnded: Bool
  private let relay: TriggerRelay
  private let groups: GroupFiles
  /// The sources, which outlive the session that they trigger.
  private let sources = Mutex<OpenTriggers?>(nil)
  /// The cameras that have started, by their places.
  private let begun = Mutex<Set<Int>>([])
  /// Set if a camera could not start, so that the others only end.
  private let isAbandoned = StopFlag()

  /// Chooses the mode of each camera, tries it, and checks that everything can be saved; records nothing yet.
  ///
  /// - Parameters:
  ///   - cameras: the cameras, at least one.
  ///   - request: the request for all of them; the mode, and the settings of the capture, are those of each
  ///     camera. It may not reconnect cameras, and the first camera has its microphones.
  ///   - profiles: what is known of cameras beyond their drivers' reports.
  /// - Throws: ``RecordError``, which names the camera. Nothing was recorded, and the cameras' state is
  ///   unchanged.
  public init(
    _ cameras: [GroupCamera], _ request: RecordRequest, profiles: ProfileLibrary = ProfileLibrary()
  ) throws(RecordError) {
    do {
      try request.check()
      let plans = try Self.plans(cameras, request, profiles)
      let cameras = try GroupCamera.onOneClock(cameras)
      let names = try GroupNames(plans)
      let devices = cameras.map(\.device)
      demand = GroupDemand(of: plans, devices, in: names.clips[0].folder)
      try demand.check()
      var members: [Member] = []
      for (place, ring) in demand.rings.enumerated() {
        let name = GroupCamera.name(place)
        let ring = plans[place].request.capture.ring ?? .bytes(ring)
        let plan = plans[place].among(name, clip: names.clips[place], ring: ring)
        do {
          members.append(Member(name: name, recorder: try TakeRecorder(plan, on: devices[place], profiles)))
        } catch {
          throw OvercrankError(recording: error).of(camera: name)
        }
      }
      self.members = members
      forecast = RingForecast(together: members.compactMap(\.recorder.forecast))
      triggers = request.triggers
      isOpenEnded = request.plan.isOpenEnded
      relay = TriggerRelay(
        members.map(\.recorder.session), triggersAtStart: request.plan.start == .firstFrame)
      groups = GroupFiles(
        of: members, named: names, replacing: request.replacesFiles,
        // Cameras of different rates have the same number of frames at different times.
        endsTogether: request.plan.limit.frames == nil)
      if request.plan.start == .trigger, request.triggers.isEmpty, request.plan.times.isEmpty {
        // The program is a source that does not end, whichever camera leads.
        members[0].recorder.session.commands.sourceBegan()
      }
    } catch {
      throw RecordError(error)
    }
    makeClipsInTurn()
  }

  private static func plans(
    _ cameras: [GroupCamera], _ request: RecordRequest, _ profiles: ProfileLibrary
  ) throws(RecordError) -> [RecordingPlan] {
    var plans: [RecordingPlan] = []
    for (place, camera) in cameras.enumerated() {
      let own = camera.request(from: request, isFirst: place == 0)
      do {
        plans.append(try RecordingPlan(own, RecordingFacts(of: camera.device, for: own, profiles)))
      } catch {
        // The caller can list the first camera's other modes.
        guard place > 0 else { throw RecordError(error) }
        throw .failure(OvercrankError(recording: error).of(camera: GroupCamera.name(place)))
      }
    }
    return plans
  }

  /// Lets clips wait for the end of all sessions, because encoding would cost a camera frames, and for the
  /// clips of the camera before.
  private func makeClipsInTurn() {
    let sessions = members.map(\.recorder.session)
    for (place, member) in members.enumerated() {
      let former = place > 0 ? members[place - 1].recorder : nil
      member.recorder.endAfter { [isAbandoned] in
        guard !isAbandoned.isSet else { return }
        for session in sessions { _ = await session.end() }
        _ = try? await former?.finish()
      }
    }
  }

  /// Starts all cameras, and returns once each has sent a frame. Without triggers, the takes then begin
  /// together.
  ///
  /// - Throws: `OvercrankError` that names the camera if one does not start. Then all have ended, and nothing
  ///   was recorded.
  public func start() async throws(OvercrankError) {
    let events = members.map(\.recorder.session.events)
    let others = Array(members.indices.dropFirst())
    // The first camera begins takes, so it starts last.
    if clock.isVirtual {
      try await begin(others + [0])
      try await awaitFrames(others + [0], events)
    } else {
      try await begin(others)
      try await awaitFrames(others, events)
      try await begin([0])
      try await awaitFrames([0], events)
    }
  }

  private var clock: SessionClock { members[0].recorder.device.clock }

  /// Starts the cameras at these places at one instant of virtual time.
  private func begin(_ places: [Int]) async throws(OvercrankError) {
    guard let error = startTogether(places) else { return }
    await abandon()
    throw error
  }

  /// Starts the cameras at these places, and returns the error of one that did not start.
  private func startTogether(_ places: [Int]) -> OvercrankError? {
    clock.enter()
    defer { clock.leave() }
    for place in places {
      do throws(OvercrankError) {
        begun.withLock { _ = $0.insert(place) }
        if place == 0, !triggers.isEmpty {
          // Enter ends an open-ended take, whatever began it.
          let open = try OpenTriggers(triggers, endsByEnter: isOpenEnded, to: relay.lead)
          sources.withLock { $0 = open }
        }
        try members[place].recorder.start { () throws(OvercrankError) -> OpenTriggers? in nil }
      } catch {
        begun.withLock { _ = $0.remove(place) }
        return error.of(camera: members[place].name)
      }
    }
    return nil
  }

  /// Waits for the first frame of the cameras at these places.
  private func awaitFrames(_ places: [Int], _ events: [SessionEvents]) async throws(OvercrankError) {
    for place in places {
      guard let end = await events[place].endBeforeFrames() else { continue }
      // Without an error, the user has stopped the recording.
      guard let failure = end.failure, failure != .empty else { return }
      await abandon()
      throw OvercrankError(failure).of(camera: members[place].name)
    }
  }

  /// Ends the cameras that have started, and leaves nothing.
  private func abandon() async {
    isAbandoned.set()
    sources.withLock { $0 = nil }
    stop()
    for place in begun.withLock({ $0 }) { _ = await members[place].recorder.session.end() }
  }

  /// Begins a take of all cameras now, extends the current one, or ends it if it is open-ended.
  public func trigger() { relay.lead.commands.trigger(TriggerEvent(.program, at: clock.now)) }

  /// The camera that hears the triggers.
  package var leader: Member { members[relay.leader] }

  /// Ends the takes in progress at one moment, which is now; the sessions go on.
  package func endTakes() { finish(stops: false) }

  @discardableResult private func finish(stops: Bool) -> Bool {
    let end = SessionCommand.finish(at: clock.now, stops: stops)
    return members.map { $0.recorder.end(by: end) }.contains(true)
  }

  /// Changes the default span of triggers for all cameras, without restarting their streams. If one of them needs more
  /// memory, the others may have changed.
  package func change(to span: TakeSpan) async -> SpanOutcome {
    var outcomes: Set<SpanOutcome> = []
    for member in members { outcomes.insert(await member.recorder.session.change(to: span)) }
    // A camera that was lost has no future takes.
    return [.refused, .needsMoreMemory, .changed].first(where: outcomes.contains) ?? .sessionEnded
  }

  /// Calls `body` with the number of each take of the group and its file once that is written, or the error if it cannot
  /// be; on a session's own thread, so it must not block.
  package func onGroup(_ body: @escaping @Sendable (Int, Result<FilePath, OvercrankError>) -> Void) {
    groups.onWritten(body)
  }

  /// Ends all sessions. Takes in progress end at one moment, which is now: frames captured before it that are still on
  /// their way are awaited for half a second.
  ///
  /// - Returns: `false` if all of them were ending or over before, as for `TakeRecorder`.
  @discardableResult public func stop() -> Bool { finish(stops: true) }

  /// Waits for the end of all sessions, and returns the takes, without clips.
  public func recorded() async -> FinishedGroup {
    var recordings: [FinishedRecording] = []
    for member in members { recordings.append(await member.recorder.recorded()) }
    sources.withLock { $0 = nil }
    return finished(recordings)
  }

  /// Waits for the end of all sessions and for the clips. Cancelling the task cancels the clips that are not
  /// made; every master is complete.
  ///
  /// - Parameter progress: called with the name of a camera, and the progress of its clip, after each frame.
  public func finish(
    progress: @escaping @Sendable (String, ClipProgress) -> Void = { _, _ in }
  ) async -> FinishedGroup {
    var recordings: [FinishedRecording] = []
    var clipFailure: OvercrankError?
    for member in members {
      do throws(ClipFailure) {
        recordings.append(try await member.recorder.finish { progress(member.name, $0) })
      } catch {
        recordings.append(error.recording)
        clipFailure = clipFailure ?? error.reason
      }
    }
    var group = finished(recordings)
    group.clipFailure = clipFailure
    return group
  }

  private func finished(_ recordings: [FinishedRecording]) -> FinishedGroup {
    let lost = zip(members, groups.errors).compactMap { member, error in error?.of(camera: member.name) }
    return FinishedGroup(
      recordings: recordings, groups: groups.written,
      failure: lost.first ?? recordings.compactMap(\.failure).first ?? groups.failure,
      furtherFailures: Array(lost.dropFirst()), remarks: groups.remarks)
  }
}

/// The result of a recording with several cameras.
public struct FinishedGroup: Sendable {
  /// The recording of each camera, in their order.
  public var recordings: [FinishedRecording]
  /// The file of each take of the group, by the takes' number.
  public var groups: [Int: FilePath]
  /// The error that ended a camera's recording early; `nil` if none did.
  public var failure: OvercrankError?
  /// The errors of other cameras whose recordings ended early.
  public var furtherFailures: [OvercrankError] = []
  /// The error of the first clip that could not be made; `nil` if there was none.
  public var clipFailure: OvercrankError?
  /// The remarks on takes, by their files: the camera sent no frame at the end, when others did.
  public var remarks: [FilePath: String] = [:]
}

extension FinishedGroup {
  /// Creates the result of a recording with one camera.
  package init(_ recording: FinishedRecording, clipFailure: OvercrankError? = nil) {
    self.init(recordings: [recording], groups: [:], failure: recording.failure, clipFailure: clipFailure)
  }
}

extension SessionEvents {
  /// Waits for the first frame; returns the end of a session that ends before it.
  fileprivate func endBeforeFrames() async -> SessionEnd? {
    do {
      for try await event in self {
        switch event.kind {
        case .started: return nil
        case .ended(let end): return end
        default: break
        }
      }
    } catch {
      // A session with so many events has frames.
    }
    return nil
  }
}

extension OvercrankError {
  /// Returns the error as that of one of several cameras.
  fileprivate func of(camera name: String) -> OvercrankError {
    OvercrankError(code, "Camera \(name): \(description)", remedy: remedy, cause: cause, subject: subject)
  }
}
