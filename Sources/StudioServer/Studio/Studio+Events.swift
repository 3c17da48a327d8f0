import Overcrank

extension Studio {
  /// Handles the events of the camera's recorder until its end.
  func listen(to events: SessionEvents, of camera: OpenCamera) {
    let task = Task {
      var events = events
      while true {
        do {
          for try await event in events { hear(event, of: camera) }
          return
        } catch {
          // Too many events were waiting. Later events report the state anew; finished takes are looked up.
          events = camera.recorder.events
          for take in camera.recorder.takes { end(take.number, .success(take.recording), of: camera) }
        }
      }
    }
    camera.isHeard(by: task)
  }

  private func hear(_ event: SessionEvent, of camera: OpenCamera) {
    holdClips()
    switch event.kind {
    case .started(let configuration, _): note(configuration)
    case .triggered(let trigger, let outcome): note(trigger, outcome)
    case .takeStarted(let take, _): begin(take)
    case .takeEnded(let take, let result): end(take, result, of: camera)
    case .reviewing: review()
    case .photo(let still, let stage, _): note(still, stage)
    case .controlChanged(let outcome):
      if let value = outcome.after { controlValues.withLock { $0[outcome.change.id] = value } }
      if let failure = outcome.failure { notify(.error, failure.description) }
    case .armed, .progress, .lightChanged, .sceneChanged, .lost, .clipReady, .modeChanged: tell()
    case .interrupted(let reason, let error):
      update { $0.lastReason = reason.rawValue }
      notify(.interrupted, error?.description ?? "The camera is not sending frames.")
    case .interruptionEnded:
      update { $0.lastReason = nil }
      notify(.interruptionEnded, "The camera is sending frames again.")
    case .error(let error): fail(.error, error.description)
    case .ended(let end): ended(end, camera)
    }
  }

  private func note(_ configuration: StreamConfiguration) {
    update {
      $0.acceptedFramesPerSecond =
        configuration.frameFormat.acceptedInterval?.rate?.framesPerSecond.doubleValue
    }
  }

  private func note(_ trigger: TriggerEvent, _ outcome: TriggerOutcome) {
    if trigger.kind != .program, let take = outcome.take { update { _ = $0.wanted.insert(take) } }
    guard case .started(let number) = outcome else { return }
    update { model in
      // The studio's own triggers were noted with their outcome.
      if trigger.kind != .program { model.newestStart = StudioModel.Start(length: model.settings.postRoll) }
      if !model.newestStart.isRecord { model.triggers[number] = trigger.kind.rawValue }
    }
  }

  /// Notes which part of a review take `number` holds.
  private func begin(_ number: Int) {
    update { model in
      guard let wish = model.saveWishes.first(where: { !model.saving.values.contains($0.part) }) else {
        return
      }
      model.saving[number] = wish.part
    }
  }

  /// Pauses the clips while a take is recorded, if the settings ask for it.
  private func holdClips() {
    clips.hold(model.withLock { $0.settings.afterTrigger == .carryOn && $0.phase == .recording })
  }

  // MARK: Takes

  private func end(_ number: Int, _ result: Result<Recording, CaptureError>, of camera: OpenCamera) {
    guard update({ $0.ended.insert(number).inserted }) else { return }
    let (wish, isPhoto, isWanted, settings) = update { model -> (StudioSave?, Bool, Bool, StudioSettings) in
      var wish: StudioSave?
      if let part = model.saving.removeValue(forKey: number) {
        if let place = model.saveWishes.firstIndex(where: { $0.part == part }) {
          wish = model.saveWishes.remove(at: place)
        }
        // A take that ended early does not hold the whole part.
        if case .success(let recording) = result, recording.failure == nil {
          model.saved.append(part)
        } else {
          model.saveFailures += 1
        }
      }
      model.library += 1
      let isPhoto = model.motionPhotos[number] != nil
      return (wish, isPhoto, !isPhoto || model.wanted.contains(number), model.settings)
    }
    if case .failure(let error) = result, !isPhoto { fail(.takeFailed, error.description) }
    guard let take = camera.recorder.takes.first(where: { $0.number == number }),
      let entry = TakeLibrary(take.files.take.folder).entry(at: take.files.take)
    else {
      if isPhoto {
        if case .failure(let error) = result {
          givePhotosUp(number, error.description)
        } else {
          givePhotosUp(number, "The take has no frames.")
        }
      } else if case .success = result {
        notify(
          .takeFailed, "The frames of take \(number) are on the disk, but its take file is not. Recover it.")
      }
      return
    }
    if isPhoto {
      photos.begin { await self.makePhotos(of: take, entry, keepingTake: isWanted) }
    }
    if let failure = take.recording.failure { model.withLock { $0.lastFailure = plain("\(failure)") } }
    guard isWanted else { return }
    let label = wish.map(\.label) ?? settings.label
    if let label { try? entry.setLabel(label) }
    let id = ids.id(of: take.files.take)
    if let failure = take.recording.failure {
      fail(.takeFailed, "The take ended early: \(failure) The frames recorded until then are saved.", id: id)
    } else {
      model.withLock { $0.lastFailure = nil }
    }
    notify(.takeSaved, "\(entry.name) is saved.", id: id)
    // For a part of a review, this was reported when the review began.
    if wish == nil, let trigger = entry.description?.trigger, trigger.preRollCut != nil,
      let asked = trigger.requestedPreRoll, let kept = trigger.preRoll
    {
      reportShortPreRoll(kept, of: asked, id: id)
    }
    makeClip(of: take.files, speed: wish.map(\.speed) ?? settings.speed, id: id)
  }

  private func makeClip(of files: TakeFiles, speed: String?, id: String) {
    do {
      let curve = try speed.map { try SpeedCurve(text: $0) }
      try clips.add(
        ClipQueue.Job(take: files.take, spec: ClipSpec(RenderSpec(speed: curve)), clip: files.clip))
    } catch {
      notify(.clipFailed, "\(error)", id: id)
    }
  }

  /// Notes the progress of the clips.
  func note(_ progress: [ClipQueue.Progress]) {
    let ids = ids
    update { model in
      model.clips = progress.map {
        StudioState.ClipInProgress(take: ids.id(of: $0.take), fraction: $0.fraction)
      }
    }
  }

  /// Notes the outcome of a clip.
  func note(_ outcome: ClipQueue.Outcome) {
    let id = ids.id(of: outcome.job.take)
    switch outcome.result {
    case .success(let path):
      notify(.clipReady, "\(path.name) is ready.", id: id, file: path.name)
    case .failure(let error): notify(.clipFailed, "\(error)", id: id)
    }
    libraryChanged()
  }

  // MARK: Photos

  private func note(_ still: StillRequest, _ stage: PhotoStage) {
    switch stage {
    case .written(let path):
      update { model in
        model.stills.remove(still)
        model.library += 1
      }
      notify(.photoWritten, "\(path.name) is saved.", id: ids.id(of: path), file: path.name)
    case .failed(let reason):
      update { _ = $0.stills.remove(still) }
      notify(.photoFailed, reason)
    case .willBegin, .willCapture, .captured, .processed: break
    }
  }

  private func givePhotosUp(_ take: Int, _ reason: String) {
    let count = update { $0.motionPhotos.removeValue(forKey: take) ?? 0 }
    for _ in 0..<count { notify(.photoFailed, reason) }
  }

  private func makePhotos(of take: FinishedTake, _ entry: LibraryEntry, keepingTake isWanted: Bool) async {
    var isWhole = true
    do {
      for time in model.withLock({ $0.photoTimes[take.number] ?? [] }) {
        let index = try take.frame(atTrigger: time, in: entry)
        let path = entry.path.beside(entry.name + MotionPhotoFile.suffix).free
        let photo = try await MotionPhoto.make(
          ofFrame: index, in: entry, to: path, at: take.date(ofFrame: index))
        libraryChanged()
        notify(
          .photoWritten, "\(photo.path.name) is saved.", id: ids.id(of: photo.path), file: photo.path.name)
      }
    } catch {
      isWhole = false
      notify(.photoFailed, "\(error) The recorded take is kept.")
    }
    // Only a take that is no longer needed is removed, before it would be listed.
    if isWhole, !isWanted { _ = try? entry.remove() }
    update { model in
      model.motionPhotos[take.number] = nil
      model.photoTimes[take.number] = nil
      model.library += 1
    }
  }

  /// Returns whether the file at `path` belongs to a take that is kept only until its Motion Photos are made.
  func isPassing(_ path: FilePath) -> Bool {
    let numbers = model.withLock { Set($0.motionPhotos.keys).subtracting($0.wanted) }
    guard let recorder = camera.withLock({ $0 })?.recorder else { return false }
    return numbers.contains { number in
      recorder.files(ofTake: number).map { [$0.take, $0.master].contains(path) } ?? false
    }
  }

  /// Reports a failure, which is also the reason if the session ends now.
  private func fail(_ kind: StudioNotice.Kind, _ message: String, id: String? = nil) {
    model.withLock { $0.lastFailure = plain(message) }
    notify(kind, message, id: id)
  }

  // MARK: Review and end

  /// Reports a review that has less before its trigger than was requested.
  private func review() {
    let (review, asked, interval) = model.withLock { model in
      let state = model.state()
      // A recording that the user started has no pre-roll.
      let asked = model.newestStart.isRecord ? .zero : model.settings.preRoll
      return (model.status?.review, asked, state.review?.interval ?? .zero)
    }
    // A difference of one frame does not count.
    guard let trigger = review?.trigger, let first = review?.first, trigger - first + interval < asked else {
      return
    }
    reportShortPreRoll(max(.zero, trigger - first), of: asked)
  }

  /// Reports that memory held less than the requested pre-roll.
  private func reportShortPreRoll(_ kept: Duration, of asked: Duration, id: String? = nil) {
    notify(
      .preRollShort,
      "The pre-roll is only \(kept.inSeconds.decimal(places: 2)) s instead of \(asked.inSeconds.decimal(places: 2)) s: "
        + "the trigger came before more was in memory.", id: id)
  }

  private func ended(_ end: SessionEnd, _ ended: OpenCamera) {
    // A camera that was ended to open another has been replaced by now.
    let wasOpen = camera.withLock { camera -> Bool in
      guard camera === ended else { return false }
      camera = nil
      return true
    }
    guard wasOpen else { return }
    let (reason, failure) = model.withLock { ($0.lastReason ?? "failed", $0.lastFailure) }
    clips.hold(false)
    // The taps on its frames end too.
    Task { await ended.end() }
    update { model in
      model.forgetCamera()
      model.stage = .failed
      model.problem = StudioError(
        .refused, "\(failure ?? "The session has ended.") Choose the camera again to continue.")
      guard let failure = end.failure else { return }
      model.problem = StudioError(.refused, plain(failure.description))
      model.fatalInterruption = StudioState.Interruption(
        reason: reason, message: plain(failure.description), waitsForResume: true)
    }
    if let failure = end.failure { notify(.interrupted, failure.description) }
  }
}
