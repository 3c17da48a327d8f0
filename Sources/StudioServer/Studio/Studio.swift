import FoundationEssentials
import Glibc
package import Overcrank
import Synchronization

/// A camera that pages steer: it stands by, films, reviews, saves, and tells all of them how it stands.
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
  /// The camera that is open; `nil` where none is.
  let camera = Mutex<CameraAtWork?>(nil)
  /// What was asked for last, to be opened again.
  let wish = Mutex(CameraWish())
  let turns = Turns()
  /// The Motion Photos, which are made one after the other.
  let photos = Turns()
  /// How many triggers have no answer yet.
  let triggersAwaited = Atomic<Int>(0)
  let clips: ClipQueue
  /// What a person set on the camera, which another opening is to have too.
  let personal = Mutex<[ControlChange]>([])
  /// The microphones that are wanted, the best first.
  private let microphones: Mutex<[MicrophoneName]>
  /// The newest values of controls that were told.
  let controlValues = Mutex<[UInt32: Int64]>([:])
  /// What is being opened, which takes long with a large simulated camera, and whether the studio ends.
  private let opening = Mutex<(recorder: TakeRecorder?, isOver: Bool)>((nil, false))
  private let changes: AsyncStream<Void>
  private let change: AsyncStream<Void>.Continuation

  /// Whoever looks at no page is told what happens, in sentences.
  private let told: @Sendable (String) -> Void

  /// A studio that does nothing yet.
  ///
  /// - Parameters:
  ///   - options: what it begins with.
  ///   - told: is told in a sentence what happens, for whoever looks at no page; it must not wait for anything.
  package init(
    _ options: StudioOptions = StudioOptions(), told: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.options = options
    self.told = told
    folder = options.folder ?? LibraryFolder.path
    model = Mutex(StudioModel())
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

  /// Opens the camera, and is at work until the task is cancelled; a take in progress is whole then.
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

  /// How it stands.
  package func state() async -> StudioState { model.withLock { $0.state() } }

  /// Changes what is known, and tells the pages.
  func update<Value, Failure>(
    _ body: (inout sending StudioModel) throws(Failure) -> sending Value
  ) throws(Failure) -> sending Value {
    defer { tell() }
    return try model.withLock(body)
  }

  /// Has the pages be told.
  func tell() { change.yield() }

  /// Tells the pages what has happened.
  func notify(_ kind: StudioNotice.Kind, _ message: String, id: String? = nil, file: String? = nil) {
    hub.publish(StudioNotice(kind: kind, message: plain(message), id: id, file: file))
    told(message)
  }

  /// `message` as pages are told it: with files of the library by their names.
  func plain(_ message: String) -> String { folder.namingFiles(in: message) }

  /// Another list of takes is there.
  func libraryChanged() { update { $0.library += 1 } }

  private func publishStates() async {
    for await _ in changes {
      if Task.isCancelled { break }
      hub.publish(model.withLock { $0.state() })
      try? await Task.sleep(for: .milliseconds(50))
    }
  }

  // MARK: The camera

  /// Opens the camera, looks for one where there is none, and looks at what changes without an event.
  private func watchCamera() async {
    try? await open(CameraWish())
    while !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(100))
      look()
      if model.withLock({ $0.stage == .none }), isCameraThere() {
        try? await open(wish.withLock { $0 })
      }
      if model.withLock({ $0.stage == .none }) { try? await Task.sleep(for: .milliseconds(900)) }
    }
    change.finish()
  }

  /// Whether a camera that is wanted has been plugged in.
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

  private static func bytesFree(in folder: FilePath) -> Int64? {
    var status = statvfs()
    guard folder.withPlatformString({ statvfs($0, &status) }) == 0 else { return nil }
    return Int64(
      clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
  }

  /// Ends what is open, and opens what `next` and the settings ask for; in turn with all other calls of this kind.
  ///
  /// - Throws: ``StudioError``: what was open before goes on, where it can.
  func open(_ next: CameraWish) async throws {
    try await turns.take { try await self.reopen(next) }
  }

  /// The same, for who has the turn.
  func reopen(_ next: CameraWish, _ changing: (@Sendable (inout StudioSettings) -> Void)? = nil) async throws
  {
    // No trigger is taken from here on; one that is on its way may have begun a take.
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
      try await begin(next, settings)
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

  /// The camera that is open ends, with its take whole.
  private func endCamera() async {
    guard let open = camera.withLock({ $0.take() }) else { return }
    _ = await open.end()
    await open.heardAll()
    _ = try? await photos.take {}
  }

  private func begin(_ next: CameraWish, _ settings: StudioSettings) async throws {
    update { model in
      model.forgetCamera()
      model.settings = settings
    }
    clips.hold(false)
    let socket = try? TriggerSources.source("socket")
    let triggers = [socket].compactMap { $0 }.filter { (try? $0.check()) != nil }
    let (opened, events): (CameraAtWork, SessionEvents)
    do {
      (opened, events) = try await start(next, settings, triggers: triggers)
    } catch {
      guard case RecordError.failure(let cause) = error, cause.remedy == .nameSocket else { throw error }
      // Where another recording listens at the socket, all else works.
      (opened, events) = try await start(next, settings, triggers: [])
      notify(.error, "Triggers of other programs do not reach this studio: \(error)")
    }
    // A person's own values outlive a change of mode.
    for change in personal.withLock({ $0 }) { opened.recorder.session.commands.send(.set(change)) }
    camera.withLock { $0 = opened }
    wish.withLock { $0 = CameraWish(id: opened.id, mode: next.mode) }
    update { model in
      model.camera = StudioState.Camera(
        id: opened.id, name: opened.recorder.table.card ?? opened.id, mode: StudioMode(opened.recorder.mode),
        turn: settings.turn)
      (model.stage, model.session) = (.open, opened.recorder.session)
      model.audio = opened.recorder.microphone.map { StudioState.Audio(name: $0.device, levels: []) }
      model.settings.microphone = opened.recorder.microphone?.device
    }
    // Not before: whoever is told that it stands by may trigger.
    listen(to: events, of: opened)
    do { try watch(settings.motion, with: opened) } catch {
      update { $0.settings.motion = nil }
      notify(.error, "Motion is not looked for any more: \(error)")
    }
  }

  private func start(
    _ next: CameraWish, _ settings: StudioSettings, triggers: [any TriggerSource]
  ) async throws -> (CameraAtWork, SessionEvents) {
    let options = options
    let microphones = microphones.withLock { $0 }
    let opened = try await Self.blocking { () throws -> CameraAtWork in
      let camera = try CameraAtWork(next, options, settings, microphones: microphones, triggers: triggers)
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

  private func fail(_ error: any Error, _ next: CameraWish, _ settings: StudioSettings) {
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

  /// Looks for motion as `motion` says.
  func watch(_ motion: StudioSettings.Motion?, with camera: CameraAtWork) throws {
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
        self.notify(.lightChanged, "The light has become \(factor) times as bright. That is no motion.")
      }
      // The session refuses it where it does not stand by.
      if look.isOnset, motion.triggers { commands.trigger(TriggerEvent(look, at: clock.now)) }
    }
    if motion == nil { update { $0.motion = nil } }
  }

  private func close() async {
    let (phase, parts) = model.withLock { ($0.phase, $0.saved.count + $0.saveWishes.count) }
    _ = try? await turns.take { await self.endCamera() }
    guard [.gathering, .reviewing, .saving].contains(phase) else { return }
    told(
      "What was in memory for a review is gone"
        + (parts == 0 ? ", and none of it was saved." : ", but for the parts that were saved."))
  }

  /// What `body` returns, on a thread that may wait.
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
  ///   - studio: what the pages steer.
  ///   - address: one of this machine's addresses, or `0.0.0.0` or `::` for all.
  ///   - port: the port; `nil` for ``usualPort`` where that is free, else any.
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

/// Tells a studio of its clips, which are there before it is.
private final class ClipRelay: Sendable {
  private let held = Mutex(Held())

  private struct Held { weak var studio: Studio? }

  var studio: Studio? {
    get { held.withLock { $0.studio } }
    set { held.withLock { $0.studio = newValue } }
  }
}

extension StudioError {
  /// The refusal that `error` is.
  init(refusal error: any Error) {
    self = error as? StudioError ?? StudioError(.refused, "\(error)")
  }
}
