import FoundationEssentials
public import CameraModel
public import Cameras
public import Capture
import Media
public import Retime
public import Platform
import Synchronization
public import SystemPackage
public import Takes
import Timebase

/// Records takes by a plan: names the files, runs the session, and makes the clips.
///
/// ```swift
/// let recorder = try TakeRecorder(CaptureDevice(named: "sim:"), RecordRequest(rate: .rate(240)))
/// try recorder.start()
/// let recording = try await recorder.finish()
/// ```
public final class TakeRecorder: Sendable {
  /// The camera.
  public let device: CaptureDevice
  private let plan: RecordingPlan
  /// A remark if the disk surely cannot hold the masters, with the numbers; `nil` if it may.
  public var spaceRemark: String? { GroupDemand(of: [plan], [device], in: files.master.folder).spaceRemark }
  /// The audio input to record; `nil` for no audio.
  public let microphone: AudioInput?
  /// The forecast of whether the disk keeps up; `nil` for modes that any disk can handle, or whose rate is
  /// unknown.
  public let forecast: RingForecast?
  /// The files of the first take.
  public let files: TakeFiles
  /// The session, available before it starts: for taps, and for commands beyond those of this class.
  public let session: CaptureSession

  private let teller = EventBroadcaster()
  private let takesRecorded: RecordedTakes
  private let early: EarlyClips?
  private let sensor: SensorFacts?
  private let stills: RecordedStills
  private let photoCount = PhotoCount()
  private let lastWork = Mutex<[@Sendable () async -> Void]>([])
  private let triggers = Mutex<OpenTriggers?>(nil)
  private let pulse = Mutex<(any Sendable)?>(nil)
  private let scene = Mutex<SceneTap?>(nil)
  private let completion = Mutex<Task<Result<FinishedRecording, ClipFailure>, Never>?>(nil)
  private let clipListeners = Mutex<[@Sendable (ClipProgress) -> Void]>([])

  /// Chooses the mode, tries it on the camera, and checks that everything can be saved; records nothing yet.
  ///
  /// - Parameters:
  ///   - device: the camera.
  ///   - request: the request for the recording.
  ///   - profiles: what is known of cameras beyond their drivers' reports.
  /// - Throws: ``RecordError``. Nothing was recorded, and the camera's state is unchanged.
  public convenience init(
    _ device: CaptureDevice, _ request: RecordRequest, profiles: ProfileLibrary = ProfileLibrary()
  ) throws(RecordError) {
    do {
      try request.check()
      let plan = try RecordingPlan(request, RecordingFacts(of: device, for: request, profiles))
      try self.init(plan, on: device, profiles)
    } catch {
      throw RecordError(error)
    }
  }

  /// Acquires the names, microphone and session that `plan` needs.
  init(_ plan: RecordingPlan, on device: CaptureDevice, _ profiles: ProfileLibrary) throws {
    let request = plan.request
    self.plan = plan
    self.device = device
    let names = try TakeNames(of: plan)
    files = names.files(in: plan.format.container)
    let heard = try OpenMicrophone.first(of: request.microphones, beside: device)
    microphone = heard?.input
    if heard == nil, let source = request.triggers.first(where: \.needsMicrophone) {
      throw OvercrankError(
        .noMicrophone,
        "The trigger \(source.description) listens to a microphone, and none is recorded. Record one.",
        remedy: .recordMicrophone)
    }
    sensor = SensorFacts(of: plan.metadata.camera, in: profiles)
    early = EarlyClips(request, sensor: sensor)
    let recorded = RecordedTakes(
      names: names, first: files, replacing: request.replacesFiles, clock: device.clock,
      metadata: plan.metadata, early: early, makesClips: request.clip != nil)
    takesRecorded = recorded
    // With virtual time, a recording waits for the disk, however slow.
    forecast =
      device.clock.isVirtual
      ? nil
      : RingForecast(
        plan.mode, as: plan.format, to: files.master, ring: request.capture.ring,
        preRoll: request.plan.preRoll)
    session = CaptureSession(
      plan.setup(of: device, hearing: heard) { (take) throws(CaptureError) in try recorded.master(of: take) })
    let promised = (NameTemplate(plan.clip) == nil ? plan.clip : files.clip).withoutExtension
    stills = RecordedStills(
      camera: plan.metadata.camera, clock: device.clock, turn: request.turn ?? .none,
      named: { date in
        let name = names.still(at: date) ?? promised
        guard let camera = plan.camera, !name.name.hasSuffix("-\(camera)") else { return name }
        // Its milliseconds are no extension.
        return name.beside("\(name.name)-\(camera)")
      }
    ) { [teller, photoCount, clock = device.clock] still, stage in
      teller.tell(.photo(still, stage, inProgress: photoCount.note(still, stage)), at: clock.now)
    }
    hearSession()
  }

  /// Forwards the session's events, except for its end, and starts to write its takes' files and its stills.
  private func hearSession() {
    session.onEvent { [teller, takesRecorded, stills, photoCount] event in
      switch event.kind {
      // The recording ends only when its clips are made.
      case .ended: return
      case .takeEnded(let number, let result): takesRecorded.ended(number, result)
      case .photo(let still, let stage, _):
        let count = photoCount.note(still, stage)
        teller.tell(SessionEvent(.photo(still, stage, inProgress: count), at: event.time))
        if case .captured(_, let frame?) = stage { stills.take(frame, for: still) }
        return
      default: break
      }
      teller.tell(event)
    }
  }

  /// The events from now on, up to the last clip; each call adds a listener.
  ///
  /// The end is reported once the last clip is made, whether or not a caller waits for it.
  public var events: SessionEvents { teller.listen() }

  /// Opens the camera and starts recording, or waiting for triggers. The clips are then made automatically.
  ///
  /// - Throws: `OvercrankError` if a trigger source is not available or the camera cannot be opened.
  public func start() throws(OvercrankError) {
    try start { () throws(OvercrankError) in
      // Enter ends an open-ended take, whatever began it.
      plan.request.triggers.isEmpty
        ? nil
        : try OpenTriggers(plan.request.triggers, endsByEnter: plan.request.plan.isOpenEnded, to: session)
    }
  }

  /// Starts as ``start()`` does, with the trigger sources that `open` returns; `nil` if others trigger.
  func start(opening open: () throws(OvercrankError) -> OpenTriggers?) throws(OvercrankError) {
    do {
      if let output = try plan.request.pulse?.open(to: session) { pulse.withLock { $0 = output } }
      if let open = try open() { triggers.withLock { $0 = open } }
      if plan.request.watchesScene || focus != nil {
        let tap = try SceneTap(watching: session, focusing: focus)
        scene.withLock { $0 = tap }
      }
      try session.start()
    } catch {
      pulse.withLock { $0 = nil }
      triggers.withLock { $0 = nil }
      scene.withLock { $0 = nil }
      Task { [early] in await early?.end() }
      teller.tell(.ended(SessionEnd(takeCount: 0, failure: error as? CaptureError)), at: session.now)
      throw OvercrankError(recording: error)
    }
    _ = complete()
  }

  /// Begins a take now, extends the current one, or ends it if it is open-ended.
  public func trigger() { session.commands.trigger(TriggerEvent(.program, at: session.now)) }

  /// The turn of the clips of takes that end, and of stills taken, from now on. A take recovered after a
  /// crash has the turn of the request.
  public var turn: PictureTurn {
    get { takesRecorded.turn ?? .none }
    set {
      takesRecorded.turn = newValue == .none ? nil : newValue
      stills.turn = newValue
    }
  }

  /// Ends the session; a take in progress is completed with the frames captured so far.
  ///
  /// - Returns: `false` if the session was ending or over before, so that only clips are left to stop: cancelling the
  ///   task of ``finish(progress:)`` does that.
  @discardableResult public func stop() -> Bool { end(by: .stop) }

  /// Ends the session by `command`. Returns `false` as ``stop()`` does.
  func end(by command: SessionCommand) -> Bool {
    let isEnding = [.ending, .ended].contains(session.status.phase)
    return session.commands.send(command) && !isEnding
  }

  /// Returns the files of a take that has been prepared; `nil` if there is none with that number yet.
  public func files(ofTake number: Int) -> TakeFiles? { takesRecorded.files(ofTake: number) }

  /// The outcomes so far of stills requested during the recording: their files or errors.
  public var stillOutcomes: [Result<FilePath, OvercrankError>] { stills.outcomes }

  /// Delays the reported end until `work` is done.
  func endAfter(_ work: @escaping @Sendable () async -> Void) { lastWork.withLock { $0.append(work) } }

  /// Reports the stage of a photo made from a take.
  func tell(_ photo: StillRequest, _ stage: PhotoStage) {
    teller.tell(.photo(photo, stage, inProgress: photoCount.note(photo, stage)), at: session.now)
  }

  /// The takes that have ended so far, in order.
  public var takes: [FinishedTake] { takesRecorded.takes }

  /// Waits for the session's end, and returns its takes, without clips.
  public func recorded() async -> FinishedRecording { takesRecorded.all(await session.end()) }

  /// Waits for the session's end and the clips.
  ///
  /// Cancelling the task cancels the clip in progress; every master is complete, and its clip can be made
  /// later.
  ///
  /// - Parameter progress: called with the clip's progress after each frame.
  /// - Throws: ``ClipFailure`` if a clip could not be made.
  public func finish(
    progress: @escaping @Sendable (ClipProgress) -> Void = { _ in }
  ) async throws(ClipFailure) -> FinishedRecording {
    clipListeners.withLock { $0.append(progress) }
    let work = complete()
    let result = await withTaskCancellationHandler {
      await work.value
    } onCancel: {
      work.cancel()
    }
    return try result.get()
  }

  /// Returns the task that makes the clips once the session has ended, and then reports the end.
  private func complete() -> Task<Result<FinishedRecording, ClipFailure>, Never> {
    completion.withLock { work in
      if let work { return work }
      let new = Task {
        let end = await self.session.end()
        self.pulse.withLock { $0 = nil }
        self.triggers.withLock { $0 = nil }
        self.scene.withLock { $0 = nil }
        await self.stills.finish()
        for work in self.lastWork.withLock({ $0 }) { await work() }
        let result = await self.makeClips(of: self.takesRecorded.all(end))
        self.teller.tell(.ended(end.failing(with: result)), at: session.now)
        return result
      }
      work = new
      return new
    }
  }

  private func makeClips(of recording: FinishedRecording) async -> Result<FinishedRecording, ClipFailure> {
    var recording = recording
    defer { for take in recording.takes { take.lock?.release() } }
    await early?.end()
    for index in recording.takes.indices {
      do throws(OvercrankError) {
        if let clip = plan.request.clip {
          let begun = early?.clip(ofTake: recording.takes[index].number)
          try await recording.takes[index].makeClip(
            clip, as: plan.request, from: begun, sensor: sensor
          ) { progress in
            for listener in self.clipListeners.withLock({ $0 }) { listener(progress) }
          }
          begun?.drop()
          let take = recording.takes[index]
          teller.tell(.clipReady(take: take.number, take.files.clip), at: session.now)
        }
        recording.takes[index].settle(plan.request)
      } catch {
        return .failure(ClipFailure(recording: recording, reason: error))
      }
    }
    return .success(recording)
  }
}

extension TakeRecorder {
  /// The modes that the camera claims.
  public var table: CameraTable { plan.facts.table }
  /// The trial that selected the mode, with the modes that the driver refused.
  public var trial: ModeTrial { plan.facts.trial }
  /// The mode to capture.
  public var mode: Mode { plan.mode }
  /// The preferred size that the mode has, with the reasons against those before it; `nil` if none was
  /// requested.
  public var quality: QualityChoice? { plan.quality }
  /// The controls to set on the camera, and their differences from the request.
  public var controlPlan: ControlPlan { plan.controls }
  /// The control that focuses the camera once, if the recording refocuses on a new scene; `nil` if it does
  /// not, or the camera has none.
  public var focus: CameraControl? { plan.focus }
}

extension SessionEnd {
  /// Returns the end with the error of a take or clip that could not be made, if the session itself had none.
  fileprivate func failing(with result: Result<FinishedRecording, ClipFailure>) -> SessionEnd {
    let error: OvercrankError? =
      switch result {
      case .success(let recording): recording.failure
      case .failure(let failure): failure.recording.failure ?? failure.reason
      }
    var end = self
    end.failure = failure ?? error.map(CaptureError.master)
    return end
  }
}

/// The error of a clip that could not be made, with the recording.
public struct ClipFailure: Error, Sendable {
  /// The recording; its masters are complete.
  public var recording: FinishedRecording
  /// The reason why the clip could not be made.
  public var reason: OvercrankError
}
