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

/// Records takes: runs a plan. It names the files, runs the session, and makes the clips.
///
/// ```swift
/// let recorder = try TakeRecorder(CaptureDevice(named: "sim:"), RecordRequest(rate: .rate(240)))
/// try recorder.start()
/// let recording = try await recorder.finish()
/// ```
public final class TakeRecorder: Sendable {
  /// What captures.
  public let device: CaptureDevice
  private let plan: RecordingPlan
  /// What audio is recorded from; `nil` for pictures alone.
  public let microphone: AudioInput?
  /// Whether the disk will keep up; `nil` for modes that any disk takes, or whose rate is not known.
  public let forecast: RingForecast?
  /// Where the first take goes.
  public let files: TakeFiles
  /// The session, from the start on: for taps, and for commands beyond those of this class.
  public let session: CaptureSession

  private let teller = SessionEventTeller()
  private let takesRecorded: RecordedTakes
  private let early: EarlyClips?
  private let sensor: SensorFacts?
  private let stills: RecordedStills
  private let photoCount = PhotoCount()
  private let lastWork = Mutex<[@Sendable () async -> Void]>([])
  private let triggers = Mutex<OpenTriggers?>(nil)
  private let scene = Mutex<SceneTap?>(nil)
  private let completion = Mutex<Task<Result<FinishedRecording, ClipFailure>, Never>?>(nil)
  private let clipListeners = Mutex<[@Sendable (ClipProgress) -> Void]>([])

  /// Chooses the mode, tries it on the camera, and checks that everything can be saved; records nothing yet.
  ///
  /// - Parameters:
  ///   - device: the camera.
  ///   - request: what is recorded, and what becomes of it.
  ///   - profiles: what is known of cameras beyond what their drivers say.
  /// - Throws: ``RecordError``. Nothing was recorded, and the camera is as it was.
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

  /// Takes hold of all that `plan` needs.
  private init(_ plan: RecordingPlan, on device: CaptureDevice, _ profiles: ProfileLibrary) throws {
    let request = plan.request
    self.plan = plan
    self.device = device
    let names = try TakeNames(of: plan)
    files = names.files(in: plan.format.container)
    let heard = try OpenMicrophone.first(of: request.microphones, beside: device)
    microphone = heard?.input
    sensor = SensorFacts(of: plan.metadata.camera, in: profiles)
    early = EarlyClips(request, sensor: sensor)
    let recorded = RecordedTakes(
      names: names, first: files, replacing: request.replacesFiles, clock: device.clock,
      metadata: plan.metadata, early: early, makesClips: request.clip != nil)
    takesRecorded = recorded
    // Virtual time waits for any disk.
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
      named: { names.still(at: $0) ?? promised }
    ) { [teller, photoCount, clock = device.clock] still, stage in
      teller.tell(.photo(still, stage, inProgress: photoCount.note(still, stage)), at: clock.now)
    }
    hearSession()
  }

  /// Passes on what the session tells, but for its end and what becomes of its stills.
  private func hearSession() {
    session.onEvent { [teller, takesRecorded, stills, photoCount] event in
      switch event.kind {
      // The recording is over when its clips are made.
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

  /// What happens from now on, to the last clip; each call makes one more listener.
  ///
  /// The end is told once the last clip is made, whether somebody waits for it or not.
  public var events: SessionEvents { teller.listen() }

  /// Opens the camera and begins: to record, or to wait for triggers. The clips follow by themselves.
  ///
  /// - Throws: `OvercrankError` where a source of triggers cannot be had or the camera cannot be opened.
  public func start() throws(OvercrankError) {
    do {
      if !plan.request.triggers.isEmpty {
        // A take that has no end of its own is ended by Enter, whatever began it.
        let open = try OpenTriggers(
          plan.request.triggers, endsByEnter: plan.request.plan.isOpenEnded, to: session)
        triggers.withLock { $0 = open }
      }
      if plan.request.watchesScene || focus != nil {
        let tap = try SceneTap(watching: session, focusing: focus)
        scene.withLock { $0 = tap }
      }
      try session.start()
    } catch {
      triggers.withLock { $0 = nil }
      scene.withLock { $0 = nil }
      Task { [early] in await early?.end() }
      teller.tell(.ended(SessionEnd(takeCount: 0, failure: error as? CaptureError)), at: session.now)
      throw OvercrankError(recording: error)
    }
    _ = complete()
  }

  /// Begins a take now, prolongs one, or ends one that has no end of its own.
  public func trigger() { session.commands.trigger(TriggerEvent(.program, at: session.now)) }

  /// How clips and stills are turned: those of takes that end, and of stills that are taken, from now on. A take that is
  /// recovered after a crash is turned as was asked for at first.
  public var turn: PictureTurn {
    get { takesRecorded.turn ?? .none }
    set {
      takesRecorded.turn = newValue == .none ? nil : newValue
      stills.turn = newValue
    }
  }

  /// Ends the session; a take in progress is completed with the frames that came until then.
  public func stop() { session.commands.send(.stop) }

  /// The files of a take that has been prepared; `nil` where none has that number yet.
  public func files(ofTake number: Int) -> TakeFiles? { takesRecorded.files(ofTake: number) }

  /// What became of the stills so far that were asked for while it recorded: their files, or why there is none.
  public var stillOutcomes: [Result<FilePath, OvercrankError>] { stills.outcomes }

  /// Has `work` be waited for before the end is told.
  func endAfter(_ work: @escaping @Sendable () async -> Void) { lastWork.withLock { $0.append(work) } }

  /// Tells how a photo stands that is made of a take.
  func tell(_ photo: StillRequest, _ stage: PhotoStage) {
    teller.tell(.photo(photo, stage, inProgress: photoCount.note(photo, stage)), at: session.now)
  }

  /// The takes that have ended so far, in order.
  public var takes: [FinishedTake] { takesRecorded.takes }

  /// Waits for the session's end; what it recorded, without clips.
  public func recorded() async -> FinishedRecording { takesRecorded.all(await session.end()) }

  /// Waits for the session's end and the clips.
  ///
  /// Cancelling the task cancels the clip that is being made; every master is whole, and its clip can
  /// be made later.
  ///
  /// - Parameter progress: is told how the clip stands, a few times a second.
  /// - Throws: ``ClipFailure`` where a clip could not be made.
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

  /// The task that makes the clips once the session has ended, and tells the end.
  private func complete() -> Task<Result<FinishedRecording, ClipFailure>, Never> {
    completion.withLock { work in
      if let work { return work }
      let new = Task {
        let end = await self.session.end()
        self.triggers.withLock { $0 = nil }
        self.scene.withLock { $0 = nil }
        await self.stills.finish()
        for work in self.lastWork.withLock({ $0 }) { await work() }
        let result = await self.makeClips(of: self.takesRecorded.all(end))
        self.teller.tell(.ended(end), at: session.now)
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
  /// All the modes that the camera claims.
  public var table: CameraTable { plan.facts.table }
  /// How the mode came about: what was tried, and what the driver refused.
  public var trial: ModeTrial { plan.facts.trial }
  /// The mode that is captured.
  public var mode: Mode { plan.mode }
  /// Which of the sizes that were wished for it has, and why none before; `nil` where none was.
  public var quality: QualityChoice? { plan.quality }
  /// What is set on the camera, and what differs from what was asked.
  public var controlPlan: ControlPlan { plan.controls }
  /// The button that has the camera focus once, where the recording is to focus on another scene; `nil`
  /// where it is not, or the camera has none.
  public var focus: CameraControl? { plan.focus }
}

/// Why a clip could not be made, and what there is all the same.
public struct ClipFailure: Error, Sendable {
  /// What was recorded; its masters are whole.
  public var recording: FinishedRecording
  /// Why the clip could not be made.
  public var reason: OvercrankError
}
