import Overcrank

extension Studio {
  /// Returns a task that handles the events of the camera's recorder until its end.
  func listen(to events: SessionEvents, of camera: OpenCamera) -> Task<Void, Never> {
    Task {
      var events = events
      while true {
        do {
          for try await event in events { await hear(event, of: camera) }
          return
        } catch {
          // Too many events were waiting. Later events report the state anew; finished takes are looked up.
          events = camera.recorder.events
          for take in camera.recorder.takes { await end(take.number, .success(take.recording), of: camera) }
        }
      }
    }
  }

  /// Handles what the cameras of a group have in common: their files, and the end of a camera while others go on.
  func listenToGroup(_ opened: OpenCameras) {
    opened.group?.onGroup { [weak self] number, result in
      Task { await self?.note(number, result, of: opened) }
    }
    for camera in opened.all {
      let session = camera.recorder.session
      session.onEvent { [weak self] event in
        guard case .ended(let end) = event.kind else { return }
        Task { await self?.ended(end, camera) }
      }
      // It may have ended before.
      guard session.status.phase == .ended else { continue }
      Task { [weak self] in await self?.ended(session.end(), camera) }
    }
  }

  private func hear(_ event: SessionEvent, of camera: OpenCamera) async {
    holdClips()
    let isLead = !camera.isOneOfSeveral || camera.letter == model.lead
    switch event.kind {
    case .started(let configuration, _): note(configuration, of: camera)
    // Those of the other cameras are this one's.
    case .triggered(let trigger, let outcome): if isLead { note(trigger, outcome) }
    case .takeStarted(let take, _): if isLead { begin(take) }
    case .takeEnded(let take, let result): await end(take, result, of: camera)
    case .reviewing: review()
    case .photo(let still, let stage, _):
      note(StudioModel.Still(letter: camera.letter, request: still), stage)
    case .controlChanged(let outcome):
      if let value = outcome.after { controlValues[camera.letter, default: [:]][outcome.change.id] = value }
      if let failure = outcome.failure { notify(.error, camera.subject + failure.description) }
    case .armed, .progress, .lightChanged, .sceneChanged, .lost, .clipReady, .modeChanged: tell()
    case .interrupted(let reason, let error):
      model.lastReason = reason.rawValue
      notify(.interrupted, camera.subject + (error?.description ?? "The camera is not sending frames."))
    case .interruptionEnded:
      model.lastReason = nil
      notify(.interruptionEnded, "The camera is sending frames again.")
    case .error(let error): fail(.error, error.description, of: camera)
    // That of one of several comes from its session: here, it waits for the others.
    case .ended(let end): if !camera.isOneOfSeveral { ended(end, camera) }
    }
  }

  private func note(_ configuration: StreamConfiguration, of camera: OpenCamera) {
    model.update(camera.letter) {
      $0.acceptedFramesPerSecond =
        configuration.frameFormat.acceptedInterval?.rate?.framesPerSecond.doubleValue
    }
  }

  private func note(_ trigger: TriggerEvent, _ outcome: TriggerOutcome) {
    note(outcome, at: trigger.time)
    if trigger.kind != .program, let take = outcome.take { model.wanted.insert(take) }
    guard case .started(let number) = outcome else { return }
    // The start of the studio's own triggers is known by now.
    if trigger.kind != .program { model.newestStart = StudioModel.Start(length: model.settings.postRoll) }
    if !model.newestStart.isRecord { model.triggers[number] = trigger.kind.rawValue }
  }

  /// Notes which part of a review take `number` holds.
  private func begin(_ number: Int) {
    let wish = model.saveWishes.first { wish in !model.saving.values.contains(wish.part) }
    if let wish { model.saving[number] = wish.part }
  }

  /// Pauses the clips while a take is recorded, if the settings ask for it.
  private func holdClips() {
    clips.hold(model.settings.afterTrigger == .carryOn && model.phase == .recording)
  }

  // MARK: Takes

  private func end(_ number: Int, _ result: Result<Recording, CaptureError>, of camera: OpenCamera)
    async
  {
    guard model.ended.insert(StudioModel.CameraTake(letter: camera.letter, number: number)).inserted else {
      return
    }
    let wish = endSave(by: number, result)
    model.library += 1
    let isPhoto = model.motionPhotos[number] != nil
    let (isWanted, settings) = (!isPhoto || model.wanted.contains(number), model.settings)
    let label = isWanted ? wish.map(\.label) ?? settings.label : nil
    if case .failure(let error) = result, !isPhoto { fail(.takeFailed, error.description, of: camera) }
    // Its file is read and written on another thread; events of this session wait meanwhile.
    let found = try? await Self.blocking { () -> (FinishedTake, LibraryEntry)? in
      guard let take = camera.recorder.takes.first(where: { $0.number == number }),
        let entry = TakeLibrary(take.files.take.folder).entry(at: take.files.take)
      else { return nil }
      if let label { try? entry.setLabel(label) }
      return (take, entry)
    }
    guard let (take, entry) = found.flatMap({ $0 }) else {
      if isPhoto {
        if case .failure(let error) = result {
          givePhotosUp(number, error.description)
        } else {
          givePhotosUp(number, "The take has no frames.")
        }
      } else if case .success = result {
        notify(
          .takeFailed,
          "\(camera.subject)The frames of take \(number) are on the disk, but its take file is not. Recover it."
        )
      }
      return
    }
    if isPhoto {
      photos.begin { await self.makePhotos(of: take, entry, keepingTake: isWanted) }
    }
    if let failure = take.recording.failure { model.lastFailures[camera.letter] = plain("\(failure)") }
    guard isWanted else { return }
    let id = ids.id(of: take.files.take)
    if let failure = take.recording.failure {
      fail(
        .takeFailed, "The take ended early: \(failure) The frames recorded until then are saved.", of: camera,
        id: id)
    } else {
      model.lastFailures[camera.letter] = nil
    }
    // The takes of a group are reported together.
    if !camera.isOneOfSeveral { notify(.takeSaved, "\(entry.name) is saved.", id: id) }
    // For a part of a review, this was reported when the review began.
    if wish == nil, let trigger = entry.description?.trigger, trigger.preRollCut != nil,
      let asked = trigger.requestedPreRoll, let kept = trigger.preRoll
    {
      reportShortPreRoll(kept, of: asked, camera.subject, id: id)
    }
    makeClip(of: take.files, wish?.render ?? RenderSpec(), speed: wish.map(\.speed) ?? settings.speed, id: id)
  }

  /// Reports the takes of a group once its file is written.
  private func note(_ number: Int, _ result: Result<FilePath, OvercrankError>, of opened: OpenCameras) {
    let takes = opened.all.compactMap { camera in
      camera.recorder.takes.first { $0.number == number }.map { (camera.letter, $0.files.take) }
    }
    guard let first = takes.first else { return }
    let id = ids.id(of: first.1)
    model.library += 1
    switch result {
    case .success(let path):
      let name =
        path.name.hasSuffix(TakeGroup.suffix) ? "\(path.name.dropLast(TakeGroup.suffix.count))" : path.name
      notify(.takeSaved, "\(name) is saved, of \(Self.words(of: takes.map(\.0))).", id: id)
    case .failure(let error):
      notify(
        .takeFailed,
        "The takes of the cameras are saved, but not the file that places their frames: \(error)", id: id)
    }
  }

  /// Returns cameras in words: "cameras A, B and C".
  static func words(of letters: [String]) -> String {
    guard let last = letters.last, letters.count > 1 else { return "camera \(letters.first ?? "") alone" }
    return "cameras \(letters.dropLast().joined(separator: ", ")) and \(last)"
  }

  /// Notes whether take `number` holds the part of a review that it was begun for; returns the request for that part.
  private func endSave(by number: Int, _ result: Result<Recording, CaptureError>) -> StudioSave? {
    guard let part = model.saving.removeValue(forKey: number) else { return nil }
    // A take that ended early does not hold the whole part.
    if case .success(let recording) = result, recording.failure == nil {
      model.saved.append(part)
    } else {
      model.saveFailures += 1
    }
    return model.saveWishes.firstIndex { $0.part == part }.map { model.saveWishes.remove(at: $0) }
  }

  private func makeClip(of files: TakeFiles, _ render: RenderSpec, speed: String?, id: String) {
    do {
      var render = render
      render.speed = try speed.map { try SpeedCurve(text: $0) }
      // The take's own name for its clip has the ending of the usual format.
      let clip = render.codec == RenderSpec().codec ? files.clip : nil
      try clips.add(ClipQueue.Job(take: files.take, spec: ClipSpec(render), clip: clip))
    } catch {
      notify(.clipFailed, "\(error)", id: id)
    }
  }

  /// Notes the outcome of a clip.
  func note(_ outcome: ClipQueue.Outcome) {
    let own = ids.id(of: outcome.job.take)
    let (id, group) = GroupVideo.isNamed(by: outcome.job.take) ? (nil, own) : (own, nil)
    switch outcome.result {
    case .success(let path):
      notify(.clipReady, "\(path.name) is ready.", id: id, group: group, file: path.name)
    case .failure(let error): notify(.clipFailed, "\(error)", id: id, group: group)
    }
    libraryChanged()
  }

  // MARK: Photos

  private func note(_ still: StudioModel.Still, _ stage: PhotoStage) {
    switch stage {
    case .written(let path):
      model.stills.remove(still)
      model.library += 1
      notify(.photoWritten, "\(path.name) is saved.", id: ids.id(of: path), file: path.name)
    case .failed(let reason):
      model.stills.remove(still)
      notify(.photoFailed, reason)
    case .willBegin, .willCapture, .captured, .processed: break
    }
  }

  private func givePhotosUp(_ take: Int, _ reason: String) {
    let count = model.motionPhotos.removeValue(forKey: take) ?? 0
    for _ in 0..<count { notify(.photoFailed, reason) }
  }

  private nonisolated func makePhotos(
    of take: FinishedTake, _ entry: LibraryEntry, keepingTake isWanted: Bool
  ) async {
    var isWhole = true
    do {
      for time in await model.photoTimes[take.number] ?? [] {
        let index = try take.frame(atTrigger: time, in: entry)
        let path = entry.path.beside(entry.name + MotionPhotoFile.suffix).free
        let photo = try await MotionPhoto.make(
          ofFrame: index, in: entry, to: path, at: take.date(ofFrame: index))
        await libraryChanged()
        notify(
          .photoWritten, "\(photo.path.name) is saved.", id: ids.id(of: photo.path), file: photo.path.name)
      }
    } catch {
      isWhole = false
      notify(.photoFailed, "\(error) The recorded take is kept.")
    }
    // Only a take that is no longer needed is removed, before it would be listed.
    if isWhole, !isWanted { _ = try? entry.remove() }
    await endPhotos(of: take.number)
  }

  private func endPhotos(of take: Int) {
    model.motionPhotos[take] = nil
    model.photoTimes[take] = nil
    model.library += 1
  }

  /// Returns whether the file at `path` belongs to a take that is kept only until its Motion Photos are made.
  func isPassing(_ path: FilePath) -> Bool {
    let numbers = Set(model.motionPhotos.keys).subtracting(model.wanted)
    guard let recorder = camera?.recorder else { return false }
    return numbers.contains { number in
      recorder.files(ofTake: number).map { [$0.take, $0.master].contains(path) } ?? false
    }
  }

  /// Reports a failure, which is also the reason if the session ends now.
  private func fail(
    _ kind: StudioNotice.Kind, _ message: String, of camera: OpenCamera, id: String? = nil
  ) {
    model.lastFailures[camera.letter] = plain(message)
    notify(kind, camera.subject + message, id: id)
  }

  // MARK: Review and end

  /// Reports a review that has less before its trigger than was requested.
  private func review() {
    let (status, interval) = (model.status, model.state().review?.interval ?? .zero)
    // A recording that the user started has no pre-roll.
    let asked = model.newestStart.isRecord ? .zero : model.settings.preRoll
    // A difference of one frame does not count.
    guard let review = status?.review, let trigger = review.trigger, let first = review.first,
      trigger - first + interval < asked
    else {
      return
    }
    reportShortPreRoll(max(.zero, trigger - first), of: asked)
  }

  /// Reports that memory held less than the requested pre-roll.
  private func reportShortPreRoll(
    _ kept: Duration, of asked: Duration, _ subject: String = "", id: String? = nil
  ) {
    notify(
      .preRollShort,
      "\(subject)The pre-roll is only \(kept.inSeconds.decimal(places: 2)) s instead of "
        + "\(asked.inSeconds.decimal(places: 2)) s: the trigger came before more was in memory.", id: id)
  }

  private func ended(_ end: SessionEnd, _ ended: OpenCamera) {
    // A camera that was ended to open another has been replaced by now.
    guard let opened, opened[ended.letter] === ended,
      model.members.contains(where: { $0.letter == ended.letter && $0.problem == nil })
    else { return }
    let failure = model.lastFailures[ended.letter]
    // If a camera fails before all have frames, the others are ended.
    let haveAllStarted = model.members.allSatisfy { $0.acceptedFramesPerSecond != nil }
    let first = haveAllStarted ? nil : model.members.first { $0.problem != nil }
    let problem =
      end.failure.map { plain($0.description) } ?? failure
      ?? first.map { "It has ended, because camera \($0.letter) failed." } ?? "The session has ended."
    model.update(ended.letter) { $0.problem = StudioError(.refused, problem) }
    guard model.members.allSatisfy({ $0.problem != nil }) else {
      if haveAllStarted { lost(ended, of: opened, problem) }
      return
    }
    self.opened = nil
    let reason = model.lastReason ?? "failed"
    clips.hold(false)
    // The taps on their frames end too.
    Task { await opened.end() }
    model.forgetCamera()
    model.stage = .failed
    model.problem = StudioError(
      .refused,
      "\(first?.problem.map { "Camera \(first?.letter ?? ""): \($0.message)" } ?? problem) Choose the camera again to continue."
    )
    if let failure = end.failure {
      model.problem = StudioError(.refused, plain(failure.description))
      model.fatalInterruption = StudioState.Interruption(
        reason: reason, message: plain(failure.description), waitsForResume: true)
      notify(.interrupted, ended.subject + failure.description)
    }
  }

  /// Goes on without a camera that has ended.
  private func lost(_ camera: OpenCamera, of opened: OpenCameras, _ problem: String) {
    model.lead = opened.lead.letter
    if camera === opened.all[0] { model.audio = nil }
    notify(.cameraFailed, "\(camera.subject)\(problem) The other cameras go on.")
    Task { camera.closeTaps() }
  }
}
