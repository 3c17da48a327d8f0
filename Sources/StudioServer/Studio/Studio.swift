import FoundationEssentials
import Glibc
package import Overcrank
import Synchronization

/// A camera that pages control: it arms, records, reviews, saves, and reports its state to all of them.
///
/// ```swift
/// let studio = Studio(StudioOptions(cameras: ["sim:"]))
/// let host = try await StudioHost(studio)
/// print(host.url)
/// async let served: Void = host.serve()
/// await studio.run()
/// try await served
/// ```
package final class Studio: Sendable {
  let options: StudioOptions
  let hub = StudioHub()
  let ids = TakeIDs()
  let folder: FilePath
  let model: Mutex<StudioModel>
  /// The open camera; `nil` if none is open.
  let camera = Mutex<OpenCamera?>(nil)
  /// The last request for a camera, for opening it again.
  let wish = Mutex(CameraRequest())
  let turns = SerialQueue()
  /// The Motion Photos, which are made one after the other.
  let photos = SerialQueue()
  /// The number of triggers without an outcome yet.
  let triggersAwaited = Atomic<Int>(0)
  let clips: ClipQueue
  /// The control values that the user set, which are applied again to a camera that is reopened.
  let personal = Mutex<[ControlChange]>([])
  /// The camera whose kept settings are in use; `nil` before the first one.
  let recalled = Mutex<String?>(nil)
  /// The settings as they were last kept.
  let kept = Mutex<StudioMemory.Recollection?>(nil)
  /// The requested microphones, in order of preference.
  private let microphones: Mutex<[MicrophoneName]>
  /// The newest values of controls that the session reported.
  let controlValues = Mutex<[UInt32: Int64]>([:])
  /// The recorder being started, which takes long with a large simulated camera, and whether the studio is
  /// ending.
  private let opening = Mutex<(recorder: TakeRecorder?, isOver: Bool)>((nil, false))
  private let changes: AsyncStream<Void>
  private let change: AsyncStream<Void>.Continuation

  /// Called with a sentence about each event, for a user who has no page open.
  let told: @Sendable (String) -> Void

  /// Creates a studio that does nothing yet.
  ///
  /// - Parameters:
  ///   - options: the options to start with.
  ///   - told: called with a sentence about each event, for a user who has no page open; it must not block.
  package init(
    _ options: StudioOptions = StudioOptions(), told: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.options = options
    self.told = told
    folder = options.folder ?? LibraryFolder.path
    model = Mutex(StudioModel(folder: folder, settings: options.settings ?? StudioSettings()))
    microphones = Mutex(options.microphones)
    (changes, change) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    let relay = ClipRelay()
    clips = ClipQueue(thumbnails: options.thumbnails) {
      relay.studio?.note($0)
    } finished: {
      relay.studio?.note($0)
    }
    relay.studio = self
  }

  /// Opens the camera and runs the studio until the task is cancelled, which completes a take in progress.
  package func run() async {
    tell()
    await withTaskCancellationHandler {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await self.publishStates() }
        group.addTask { await self.watchCamera() }
        await group.waitForAll()
      }
    } onCancel: {
      opening.withLock { opening in
        opening.isOver = true
        opening.recorder?.stop()
      }
    }
    await close()
  }

  // MARK: The state

  /// Returns the current state.
  package func state() async -> StudioState { model.withLock { $0.state() } }

  /// Changes the model, and notifies the pages.
  func update<Value, Failure>(
    _ body: (inout sending StudioModel) throws(Failure) -> sending Value
  ) throws(Failure) -> sending Value {
    defer { tell() }
    return try model.withLock(body)
  }

  /// Notifies the pages of a change.
  func tell() { change.yield() }

  /// Sends a notice to the pages.
  func notify(_ kind: StudioNotice.Kind, _ message: String, id: String? = nil, file: String? = nil) {
    hub.publish(StudioNotice(kind: kind, message: plain(message), id: id, file: file))
    told(message)
  }

  /// Returns `message` as pages show it: with the library's files by name alone.
  func plain(_ message: String) -> String { folder.namingFiles(in: message) }

  /// Notes that the list of takes has changed.
  func libraryChanged() { update { $0.library += 1 } }

  private func publishStates() async {
    for await _ in changes {
      if Task.isCancelled { break }
      hub.publish(model.withLock { $0.state() })
      try? await Task.sleep(for: .milliseconds(50))
    }
  }

  // MARK: The camera

  /// Opens the camera, looks for one if there is none, and polls values that change without an event.
  private func watchCamera() async {
    try? await open(CameraRequest())
    while !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(100))
      look()
      await keepSettings()
      if model.withLock({ $0.stage == .none }), isCameraThere() {
        try? await open(wish.withLock { $0 })
      }
      if model.withLock({ $0.stage == .none }) { try? await Task.sleep(for: .milliseconds(900)) }
    }
    change.finish()
  }

  /// Returns whether a requested camera is plugged in.
  private func isCameraThere() -> Bool {
    let names = wish.withLock(\.id).map { [$0] } ?? options.cameras
    return names.isEmpty ? !VideoNode.all().isEmpty : (try? CaptureDevice.first(of: names)) != nil
  }

  private func look() {
    guard let camera = camera.withLock({ $0 }) else { return }
    let levels = camera.newestLevels()
    let free = Self.bytesFree(in: folder)
    update { model in
      if let levels { model.audio?.levels = levels }
      model.disk = free.map { StudioState.Disk(freeBytes: $0, secondsLeft: nil) }
    }
  }

  static func bytesFree(in folder: FilePath) -> Int64? {
    var status = statvfs()
    guard folder.withPlatformString({ statvfs($0, &status) }) == 0 else { return nil }
    return Int64(
      clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
  }

  /// Ends the open camera, and opens what `next` and the settings ask for; such calls run one after the
  /// other.
  ///
  /// - Throws: ``StudioError``; the former camera is reopened if possible.
  func open(_ next: CameraRequest) async throws {
    try await turns.take { try await self.reopen(next) }
  }

  /// Does the same for a caller that already has its turn.
  func reopen(_ next: CameraRequest, _ changing: (@Sendable (inout StudioSettings) -> Void)? = nil)
    async throws
  {
    // No trigger is accepted from here on; one that was sent before may have begun a take.
    let isFree = update { model -> Bool in
      guard !model.isAtWork, triggersAwaited.load(ordering: .acquiring) == 0 else { return false }
      model.stage = .opening
      return true
    }
    guard isFree else { throw Self.isAtWork }
    let former = (
      wish: wish.withLock { $0 }, settings: model.withLock { $0.settings },
      microphones: microphones.withLock { $0 }, isOpen: camera.withLock { $0 != nil }
    )
    var settings = former.settings
    changing?(&settings)
    if settings.microphone != former.settings.microphone {
      let names = settings.microphone.map { [MicrophoneName($0)] } ?? []
      microphones.withLock { $0 = names }
    }
    await endCamera()
    do {
      guard await !beginAsBefore(next) else { return }
      try await begin(next, settings)
      try await turnUpright()
      noteRecollection()
    } catch {
      microphones.withLock { $0 = former.microphones }
      guard former.isOpen, (try? await begin(former.wish, former.settings)) != nil else {
        fail(error, next, settings)
        throw StudioError(refusal: error)
      }
      let refusal = StudioError(refusal: error)
      notify(.modeRefused, refusal.message)
      throw refusal
    }
  }

  /// Ends the open camera, and completes its take.
  private func endCamera() async {
    guard let open = camera.withLock({ $0.take() }) else { return }
    _ = await open.end()
    await open.heardAll()
    _ = try? await photos.take {}
  }

  /// Begins with the settings that the studio had last with the camera of `next`, unless they are in use already.
  /// Returns whether it has begun: the camera or the machine may have changed since.
  private func beginAsBefore(_ next: CameraRequest) async -> Bool {
    guard let recollection = await recollection(for: next) else { return false }
    let names = microphones.withLock { $0 }
    if options.microphones.isEmpty {
      microphones.withLock { $0 = recollection.settings.microphone.map { [MicrophoneName($0)] } ?? [] }
    }
    var next = next
    next.mode = next.mode ?? recollection.mode
    do { try await begin(next, recollection.settings) } catch {
      microphones.withLock { $0 = names }
      return false
    }
    for (name, value) in recollection.controls { _ = try? await setControl(name, to: value, rate: nil) }
    noteRecollection()
    return true
  }

  /// Turns the pictures of a camera that is used for the first time as its mounting needs.
  private func turnUpright() async throws {
    guard options.settings == nil, let camera = camera.withLock({ $0 }),
      recalled.withLock({ $0 != camera.key }),
      let turn = camera.recorder.table.mounting.turn
    else { return }
    try await changeInTurn(SettingsChange(rotate: turn.degrees))
  }

  private func begin(_ next: CameraRequest, _ settings: StudioSettings) async throws {
    update { model in
      model.forgetCamera()
      model.settings = settings
    }
    clips.hold(false)
    let socket = try? TriggerSources.source("socket")
    let triggers = [socket].compactMap { $0 }.filter { (try? $0.check()) != nil }
    let (opened, events): (OpenCamera, SessionEvents)
    do {
      (opened, events) = try await start(next, settings, triggers: triggers)
    } catch {
      let cause = (error as? RecordError).map(OvercrankError.init) ?? error as? OvercrankError
      guard cause?.remedy == .nameSocket else { throw error }
      // If another recording listens at the socket, everything else still works.
      (opened, events) = try await start(next, settings, triggers: [])
      notify(.error, "Other programs cannot trigger this studio: \(error)")
    }
    // The user's own values outlive a change of mode.
    for change in personal.withLock({ $0 }) { opened.recorder.session.commands.send(.set(change)) }
    camera.withLock { $0 = opened }
    wish.withLock { $0 = CameraRequest(id: opened.id, mode: next.mode) }
    update { model in
      model.camera = StudioState.Camera(
        id: opened.id, name: opened.recorder.table.card ?? opened.id, mode: StudioMode(opened.recorder.mode),
        turn: settings.turn)
      (model.stage, model.session) = (.open, opened.recorder.session)
      model.audio = opened.recorder.microphone.map { StudioState.Audio(name: $0.device, levels: []) }
      model.settings.microphone = opened.recorder.microphone?.device
    }
    // Not earlier: a client may trigger as soon as it sees that the studio is armed.
    listen(to: events, of: opened)
    do { try watch(settings.motion, with: opened) } catch {
      update { $0.settings.motion = nil }
      notify(.error, "Motion detection was turned off: \(error)")
    }
  }

  private func start(
    _ next: CameraRequest, _ settings: StudioSettings, triggers: [any TriggerSource]
  ) async throws -> (OpenCamera, SessionEvents) {
    let options = options
    let microphones = microphones.withLock { $0 }
    let opened = try await Self.blocking { () throws -> OpenCamera in
      let camera = try OpenCamera(next, options, settings, microphones: microphones, triggers: triggers)
      try settings.check(for: camera.recorder.mode)
      return camera
    }
    let events = opened.recorder.events
    do {
      let isOver = opening.withLock { opening in
        opening.recorder = opened.recorder
        return opening.isOver
      }
      defer { opening.withLock { $0.recorder = nil } }
      if isOver { opened.recorder.stop() }
      try await Self.blocking { try opened.recorder.start() }
    } catch {
      opened.pictures.close()
      throw error
    }
    return (opened, events)
  }

  private func fail(_ error: any Error, _ next: CameraRequest, _ settings: StudioSettings) {
    wish.withLock { $0 = next }
    let refusal = StudioError(refusal: error)
    let isMissing =
      switch error {
      case let error as OvercrankError: error.code == .noCamera
      case RecordError.failure(let error): error.code == .noCamera
      default: false
      }
    update { model in
      model.forgetCamera()
      model.settings = settings
      model.camera = nil
      model.stage = isMissing ? .none : .failed
      model.problem = StudioError(refusal.code, plain(refusal.message))
    }
    told(refusal.message)
  }

  /// Detects motion by the settings in `motion`; `nil` ends the detection.
  func watch(_ motion: StudioSettings.Motion?, with camera: OpenCamera) throws {
    let (commands, clock) = (camera.recorder.session.commands, camera.recorder.session.clock)
    try camera.watch(motion?.settings) { [weak self] error in
      self?.notify(.error, error.description)
    } seen: { [weak self] look in
      guard let self, let motion else { return }
      self.update { model in
        model.motion = StudioState.Motion(
          score: look.score, area: motion.settings.area, fires: look.score >= motion.settings.area)
      }
      if let factor = look.light {
        self.notify(
          .lightChanged, "The light is now \(factor) times as bright. This does not count as motion.")
      }
      // The session refuses the trigger if it is not armed.
      if look.isOnset, motion.triggers { commands.trigger(TriggerEvent(look, at: clock.now)) }
    }
    if motion == nil { update { $0.motion = nil } }
  }

  private func close() async {
    let (phase, parts, photos) = model.withLock {
      ($0.phase, $0.saved.count + $0.saveWishes.count, $0.photosInProgress)
    }
    await keepSettings()
    if photos > 0 {
      told(
        "\(photos == 1 ? "A photo is" : "\(photos) photos are") still being written. Another Ctrl-C gives up what is "
          + "not written by then.")
    }
    _ = try? await turns.take { await self.endCamera() }
    guard [.gathering, .reviewing, .saving].contains(phase) else { return }
    told(
      "The take in memory was discarded"
        + (parts == 0 ? "; no part of it was saved." : ", except for the parts that were saved."))
  }

  /// Runs `body` on a thread that may block, and returns its result.
  static func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value
  {
    try await withCheckedThrowingContinuation { continuation in
      let thread = NamedThread(name: "overcrank-studio") {
        continuation.resume(with: Result { try body() })
      }
      if thread == nil {
        continuation.resume(throwing: StudioError(.refused, OvercrankError.noThread.description))
      }
    }
  }
}

extension StudioHost {
  /// Listens on `address` for the pages of `studio`.
  ///
  /// - Parameters:
  ///   - studio: the studio that the pages control.
  ///   - address: one of this machine's addresses, or `0.0.0.0` or `::` for all.
  ///   - port: the port; `nil` for ``usualPort`` if it is free, else any.
  /// - Throws: `OvercrankError`.
  package init(
    _ studio: Studio, address: String = "127.0.0.1", port: Int? = nil
  ) async throws(OvercrankError) {
    try await self.init(
      Parts(
        studio: studio, hub: studio.hub, library: TakeLibrary(studio.folder), ids: studio.ids,
        clips: studio.clips, isPassing: { [weak studio] in studio?.isPassing($0) ?? false },
        libraryChanged: { [weak studio] in studio?.libraryChanged() }),
      address: address, port: port)
  }
}

/// A link from the clip queue to its studio, which is created after the queue.
private final class ClipRelay: Sendable {
  private let held = Mutex(Held())

  private struct Held { weak var studio: Studio? }

  var studio: Studio? {
    get { held.withLock { $0.studio } }
    set { held.withLock { $0.studio = newValue } }
  }
}

extension StudioError {
  /// Creates the refusal for `error`.
  init(refusal error: any Error) {
    self = error as? StudioError ?? StudioError(.refused, "\(error)")
  }
}
