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
package actor Studio {
  nonisolated let options: StudioOptions
  nonisolated let hub = StudioHub()
  nonisolated let ids = TakeIDs()
  nonisolated let folder: FilePath
  nonisolated let clips: ClipQueue
  /// The data from which the state is derived; a change of it is sent to the pages.
  var model: StudioModel { didSet { tell() } }
  /// The open cameras; `nil` if none is open.
  var opened: OpenCameras?
  /// The tasks that handle the events of the newest cameras' sessions, to the last.
  var listeners: [Task<Void, Never>] = []
  /// The last request for the cameras, for opening them again.
  var wish: CameraRequest
  /// The calls that open or end a camera or change settings, which run one after the other.
  var turns = SerialQueue()
  /// The Motion Photos, which are made one after the other.
  var photos = SerialQueue()
  /// The triggers without a known outcome yet.
  var triggersAwaited: [AwaitedTrigger] = []
  /// The control values that the user set, by the letter of the camera; they are applied again when it is reopened.
  var personal: [String: [ControlChange]] = [:]
  /// The camera whose kept settings are in use; `nil` before the first one.
  var recalled: String?
  /// The settings as they were last kept.
  var kept: StudioMemory.Recollection?
  /// The newest values of controls that the sessions reported, by the letter of the camera.
  var controlValues: [String: [UInt32: Int64]] = [:]
  /// The requested microphones, in order of preference.
  private var microphones: [MicrophoneName]
  /// The cameras being started, which takes long with a large simulated camera.
  private var starting: OpenCameras?
  private var isEnding = false
  private nonisolated let changes: AsyncStream<Void>
  private nonisolated let change: AsyncStream<Void>.Continuation

  /// Called with a sentence about each event, for a user who has no page open.
  nonisolated let told: @Sendable (String) -> Void

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
    model = StudioModel(folder: folder, settings: options.settings ?? StudioSettings())
    microphones = options.microphones
    wish = options.wish
    let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    (self.changes, self.change) = (changes, change)
    let relay = ClipRelay()
    clips = ClipQueue(thumbnails: options.thumbnails) {
      change.yield()
    } finished: {
      await relay.studio?.note($0)
    }
    relay.studio = self
  }

  /// Opens the camera and runs the studio until the task is cancelled, which completes a take in progress.
  package func run() async {
    tell()
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await self.publishStates()
        await self.endStart()
      }
      group.addTask { await self.watchCamera() }
      await group.waitForAll()
    }
    await close()
  }

  /// The open camera that hears the triggers, which is the only one unless several are open.
  var camera: OpenCamera? { opened?.lead }

  // MARK: The state

  /// Returns the current state.
  package func state() -> StudioState {
    var model = model
    model.motion = opened?.all[0].newestMotion
    model.clips = clips.progress.map {
      StudioState.ClipInProgress(take: ids.id(of: $0.take), fraction: $0.fraction)
    }
    return model.state()
  }

  /// Notifies the pages of a change.
  nonisolated func tell() { change.yield() }

  /// Sends a notice to the pages.
  nonisolated func notify(
    _ kind: StudioNotice.Kind, _ message: String, id: String? = nil, group: String? = nil,
    file: String? = nil
  ) {
    hub.publish(StudioNotice(kind: kind, message: plain(message), id: id, group: group, file: file))
    told(message)
  }

  /// Returns `message` as pages show it: with the library's files by name alone.
  nonisolated func plain(_ message: String) -> String { folder.namingFiles(in: message) }

  /// Notes that the list of takes has changed.
  func libraryChanged() { model.library += 1 }

  /// Sends states until the task is cancelled.
  private nonisolated func publishStates() async {
    for await _ in changes {
      if Task.isCancelled { break }
      hub.publish(await state())
      try? await Task.sleep(for: .milliseconds(50))
    }
  }

  // MARK: The camera

  /// Opens the camera, looks for one if there is none, and polls values that change without an event.
  private nonisolated func watchCamera() async {
    try? await open(wish)
    while !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(100))
      await look(Self.bytesFree(in: folder))
      await keepSettings()
      if let names = await missing, names.allSatisfy(Self.isThere) { try? await open(wish) }
      if await missing != nil { try? await Task.sleep(for: .milliseconds(900)) }
    }
    change.finish()
  }

  /// The names of the cameras that are to be opened as soon as they are plugged in: for each, those of which one is
  /// enough, empty for any; `nil` if none is missing.
  private var missing: [[String]]? {
    guard model.stage == .none else { return nil }
    return [wish.id.map { [$0] } ?? options.cameras] + wish.further.map { [$0.camera.name] }
  }

  private static func isThere(_ names: [String]) -> Bool {
    names.isEmpty ? !VideoNode.all().isEmpty : (try? CaptureDevice.first(of: names)) != nil
  }

  private func look(_ bytesFree: Int64?) {
    guard let opened else { return }
    if let levels = opened.all[0].newestLevels() { model.audio?.levels = levels }
    model.disk = bytesFree.map { StudioState.Disk(freeBytes: $0, secondsLeft: nil) }
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
    try await turns.begin { try await self.reopen(next) }.value
  }

  /// Does the same for a caller that already has its turn.
  func reopen(_ next: CameraRequest, _ change: SettingsChange = SettingsChange()) async throws {
    // No trigger is accepted from here on; one that was sent before may have begun a take.
    guard !model.isAtWork, triggersAwaited.isEmpty else { throw Self.isAtWork }
    model.stage = .opening
    let former = (wish: wish, settings: model.settings, microphones: microphones, isOpen: opened != nil)
    var settings = former.settings
    settings.apply(change)
    if settings.microphone != former.settings.microphone {
      microphones = settings.microphone.map { [MicrophoneName($0)] } ?? []
    }
    await endCamera()
    do {
      guard await !beginAsBefore(next) else { return }
      try await begin(next, settings)
      try await turnUpright()
      noteRecollection()
    } catch {
      microphones = former.microphones
      guard former.isOpen, (try? await begin(former.wish, former.settings)) != nil else {
        fail(error, next, settings)
        throw StudioError(refusal: error)
      }
      let refusal = StudioError(refusal: error)
      notify(.modeRefused, refusal.message)
      throw refusal
    }
  }

  /// Ends the open cameras, and completes their takes.
  private func endCamera() async {
    guard let open = opened.take() else { return }
    let listeners = listeners
    await open.end()
    for listener in listeners { await listener.value }
    _ = try? await photos.begin {}.value
  }

  /// Begins with the settings that the studio had last with the camera of `next`, unless they are in use already.
  /// Returns whether it has begun: the camera or the machine may have changed since.
  private func beginAsBefore(_ next: CameraRequest) async -> Bool {
    guard let recollection = await recollection(for: next) else { return false }
    let names = microphones
    if options.microphones.isEmpty {
      microphones = recollection.settings.microphone.map { [MicrophoneName($0)] } ?? []
    }
    var next = next
    next.mode = next.mode ?? recollection.mode
    do { try await begin(next, recollection.settings) } catch {
      microphones = names
      return false
    }
    for (name, value) in recollection.controls { _ = try? await setControl(name, to: value, rate: nil) }
    noteRecollection()
    return true
  }

  /// Turns the pictures of a camera that is used for the first time as its mounting needs.
  private func turnUpright() async throws {
    guard options.settings == nil, let camera, opened?.group == nil, recalled != camera.key,
      let turn = camera.recorder.table.mounting.turn
    else { return }
    try await changeInTurn(SettingsChange(rotate: turn.degrees))
  }

  private func begin(_ next: CameraRequest, _ settings: StudioSettings) async throws {
    var settings = settings
    if !next.further.isEmpty, settings.afterTrigger == .review {
      settings.afterTrigger = .save
      told("Takes are saved at once: several cameras cannot review them first.")
    }
    model.forgetCamera()
    model.settings = settings
    clips.hold(false)
    let opened: OpenCameras, events: [SessionEvents]
    do {
      (opened, events) = try await start(next, settings, listening: true)
    } catch {
      let cause = (error as? RecordError).map(OvercrankError.init) ?? error as? OvercrankError
      guard cause?.remedy == .nameSocket else { throw error }
      // If another recording listens at the socket, everything else still works.
      (opened, events) = try await start(next, settings, listening: false)
      notify(.error, "Other programs cannot trigger this studio: \(error)")
    }
    if let motion = settings.motion {
      do { try await watch(motion, with: opened.all[0]) } catch {
        model.settings.motion = nil
        notify(.error, "Motion detection was turned off: \(error)")
      }
    }
    // From here on, nothing waits: no other call sees a camera that is open in part.
    // The user's own values outlive a change of mode.
    for camera in opened.all {
      for change in personal[camera.letter] ?? [] { camera.recorder.session.commands.send(.set(change)) }
    }
    self.opened = opened
    let first = opened.all[0]
    wish = CameraRequest(id: first.id, mode: next.mode, further: next.further)
    model.members = opened.all.map { camera in
      let turn = opened.group == nil ? settings.turn : camera.recorder.turn
      return StudioModel.Member(
        letter: camera.letter, session: camera.recorder.session,
        camera: StudioState.Camera(
          id: camera.id, name: camera.recorder.table.card ?? camera.id,
          mode: StudioMode(camera.recorder.mode),
          turn: turn))
    }
    model.stage = .open
    model.audio = first.recorder.microphone.map { StudioState.Audio(name: $0.device, levels: []) }
    model.settings.microphone = first.recorder.microphone?.device
    // Not earlier: a client may trigger as soon as it sees that the studio is armed.
    listeners = zip(events, opened.all).map { listen(to: $0, of: $1) }
    if opened.group != nil { listenToGroup(opened) }
  }

  /// Opens the cameras and starts their sessions.
  ///
  /// - Parameter listens: whether other programs may trigger through the socket.
  private func start(
    _ next: CameraRequest, _ settings: StudioSettings, listening listens: Bool
  ) async throws -> (OpenCameras, [SessionEvents]) {
    let opened = try await Self.blocking { [options, microphones] () throws -> OpenCameras in
      let socket = listens ? try? TriggerSources.source("socket") : nil
      let triggers = [socket].compactMap { $0 }.filter { (try? $0.check()) != nil }
      let cameras = try OpenCameras(next, options, settings, microphones: microphones, triggers: triggers)
      for camera in cameras.all { try settings.check(for: camera.recorder.mode) }
      return cameras
    }
    let events = opened.all.map(\.recorder.events)
    starting = opened
    defer { starting = nil }
    if isEnding { opened.stop() }
    try await opened.start()
    return (opened, events)
  }

  /// Ends the start of a camera, now and from now on.
  private func endStart() {
    isEnding = true
    starting?.stop()
  }

  private func fail(_ error: any Error, _ next: CameraRequest, _ settings: StudioSettings) {
    wish = next
    let refusal = StudioError(refusal: error)
    let isMissing =
      switch error {
      case let error as OvercrankError: error.code == .noCamera
      case RecordError.failure(let error): error.code == .noCamera
      default: false
      }
    model.forgetCamera()
    model.settings = settings
    model.members = []
    model.stage = isMissing ? .none : .failed
    model.problem = StudioError(refusal.code, plain(refusal.message))
    told(refusal.message)
  }

  /// Detects motion by the settings in `motion`; `nil` ends the detection.
  func watch(_ motion: StudioSettings.Motion?, with camera: OpenCamera) async throws {
    let (commands, clock) = (camera.recorder.session.commands, camera.recorder.session.clock)
    try await Self.blocking {
      try camera.watch(motion?.settings) { [weak self] error in
        self?.notify(.error, error.description)
      } seen: { [weak self] look in
        self?.tell()
        if let factor = look.light {
          self?.notify(
            .lightChanged, "The light is now \(factor) times as bright. This does not count as motion.")
        }
        // The session refuses the trigger if it is not armed.
        if look.isOnset, motion?.triggers == true { commands.trigger(TriggerEvent(look, at: clock.now)) }
      }
    }
    tell()
  }

  private func close() async {
    let (phase, parts) = (model.phase, model.saved.count + model.saveWishes.count)
    let photos = model.photosInProgress
    await keepSettings()
    if photos > 0 {
      told(
        "\(photos == 1 ? "A photo is" : "\(photos) photos are") still being written. Another Ctrl-C gives up what is "
          + "not written by then.")
    }
    _ = try? await turns.begin { await self.endCamera() }.value
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
        clips: studio.clips, isPassing: { [weak studio] in await studio?.isPassing($0) ?? false },
        libraryChanged: { [weak studio] in await studio?.libraryChanged() }),
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
