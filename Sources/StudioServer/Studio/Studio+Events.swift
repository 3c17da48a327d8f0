import Cameras
import Capture
import Media
import Overcrank
import Platform
import Retime
import SystemPackage
import Takes
import Timebase

extension Studio {
  /// Hears what the camera's recorder tells, until its end.
  func listen(to events: SessionEvents, of camera: CameraAtWork) {
    let task = Task {
      var events = events
      while true {
        do {
          for try await event in events { await hear(event, of: camera) }
          return
        } catch {
          // Too many events waited. Those that follow tell the state anew; what they do not tell is looked for.
          events = camera.recorder.events
          for take in camera.recorder.takes { end(take.number, .success(take.recording), of: camera) }
          if model.withLock({ $0.phase == .gathering }) { await review(camera) }
        }
      }
    }
    camera.isHeard(by: task)
  }

  private func hear(_ event: SessionEvent, of camera: CameraAtWork) async {
    switch event.kind {
    case .started(let configuration, let report): note(configuration, report)
    case .armed(let take): standBy(take)
    case .triggered(let trigger, let outcome): note(trigger, outcome)
    case .takeStarted(let take, let trigger): begin(take, trigger)
    case .progress(let progress): note(progress)
    case .takeEnded(let take, let result): end(take, result, of: camera)
    case .reviewing: await review(camera)
    case .photo(let still, let stage, _): note(still, stage)
    case .controlChanged(let outcome):
      if let value = outcome.after { controlValues.withLock { $0[outcome.change.id] = value } }
      if let failure = outcome.failure { notify(.error, failure.description) }
    case .lightChanged, .sceneChanged, .lost, .clipReady, .modeChanged: break
    case .interrupted(let reason, let error):
      update { model in
        model.phase = .interrupted
        model.lastReason = reason.rawValue
        model.interruption = StudioState.Interruption(
          reason: reason.rawValue, message: error.map { plain($0.description) },
          waitsForResume: camera.recorder.session.isWaitingForResume)
      }
      clips.hold(false)
      notify(.interrupted, error?.description ?? "No frames come.")
    case .interruptionEnded:
      update { model in
        model.interruption = nil
        model.lastReason = nil
      }
      notify(.interruptionEnded, "Frames come again.")
    case .error(let error): fail(.error, error.description)
    case .ended(let end): ended(end, camera)
    }
  }

  private func note(_ configuration: StreamConfiguration, _ report: RingReport) {
    update { model in
      model.phase = .armed
      model.acceptedFramesPerSecond =
        configuration.frameFormat.acceptedInterval?.rate?.framesPerSecond.doubleValue
      model.ringBytes = report.depth.byteCount
    }
  }

  /// Notes that the session stands by for take `number`.
  private func standBy(_ number: Int) {
    let isPast = update { model -> Bool in
      // A trigger may have been answered since.
      if model.begun >= number { return true }
      model.phase = .armed
      model.trigger = nil
      model.review = nil
      return false
    }
    if !isPast { clips.hold(false) }
  }

  private func note(_ trigger: TriggerEvent, _ outcome: TriggerOutcome) {
    if trigger.kind != .program, let take = outcome.take { update { _ = $0.wanted.insert(take) } }
    guard case .started(let number) = outcome else { return }
    update { model in
      model.begun = max(model.begun, number)
      model.trigger = trigger.span?.limit == RecordingLimit() ? nil : trigger.kind.rawValue
      if (trigger.span?.outcome ?? (model.settings.afterTrigger == .review ? .review : .take)) == .review {
        model.phase = .gathering
      }
    }
  }

  private func note(_ progress: RecordingProgress) {
    let isFree = update { model -> Bool in
      model.progress = progress
      // Frames come again without another start of the stream, such as after a sleep of the machine.
      let isBack = model.phase == .interrupted && model.interruption == nil
      switch progress.stage {
      case .filming(let take) where (isBack || model.phase == .armed) && take >= model.begun:
        model.begun = take
        model.phase = .filming
      case .gathering(let take, _) where isBack || model.phase == .armed:
        model.begun = take
        model.phase = .gathering
      case .armed(let take, _) where isBack || model.phase == .filming && take > model.begun:
        model.phase = .armed
        model.trigger = nil
        return true
      default: break
      }
      return false
    }
    if isFree { clips.hold(false) }
  }

  private func begin(_ take: Int, _ trigger: TriggerEvent?) {
    let isHeld = update { model -> Bool in
      if model.phase == .reviewing {
        if let wish = model.saveWishes.first(where: { !model.saving.values.contains($0.part) }) {
          model.saving[take] = wish.part
        }
      } else {
        model.phase = .filming
        model.begun = max(model.begun, take)
      }
      return model.settings.afterTrigger == .carryOn
    }
    if isHeld { clips.hold(true) }
  }

  // MARK: Takes

  private func end(_ number: Int, _ result: Result<Recording, CaptureError>, of camera: CameraAtWork) {
    guard update({ $0.ended.insert(number).inserted }) else { return }
    let (wish, isPhoto, isWanted, settings) = update { model -> (StudioSave?, Bool, Bool, StudioSettings) in
      var wish: StudioSave?
      if let part = model.saving.removeValue(forKey: number) {
        if let place = model.saveWishes.firstIndex(where: { $0.part == part }) {
          wish = model.saveWishes.remove(at: place)
        }
        // One that ended early is no such part.
        if case .success(let recording) = result, recording.failure == nil {
          model.review?.saved.append(part)
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
          .takeFailed, "The frames of take \(number) are on the disk, and what it was is not: recover it.")
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
      fail(.takeFailed, "The take ended early: \(failure) What was filmed until then is saved.", id: id)
    } else {
      model.withLock { $0.lastFailure = nil }
    }
    notify(.takeSaved, "\(entry.name) is saved.", id: id)
    // Of a part of a review, that was told when it came.
    if wish == nil, let trigger = entry.description?.trigger, trigger.preRollCut != nil,
      let asked = trigger.askedPreRoll, let kept = trigger.preRoll
    {
      tellShortPreRoll(kept, of: asked, id: id)
    }
    makeClip(of: take.files, speed: wish.map(\.speed) ?? settings.speed, id: id)
  }

  private func makeClip(of files: TakeFiles, speed: String?, id: String) {
    do {
      let curve = try speed.map { try SpeedCurve(text: $0) }
      try clips.add(ClipQueue.Job(take: files.take, speed: curve, clip: files.clip))
    } catch {
      notify(.clipFailed, "\(error)", id: id)
    }
  }

  /// Notes how the clips stand.
  func note(_ progress: [ClipQueue.Progress]) {
    let ids = ids
    update { model in
      model.clips = progress.map {
        StudioState.ClipInProgress(take: ids.id(of: $0.take), fraction: $0.fraction)
      }
    }
  }

  /// Notes what became of a clip.
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
      notify(.photoFailed, "\(error) The take that it was to be made of is kept.")
    }
    update { model in
      model.motionPhotos[take.number] = nil
      model.photoTimes[take.number] = nil
      model.library += 1
    }
    // Only what nobody needs any more goes.
    if isWhole, !isWanted { try? entry.remove() }
  }

  /// Tells a failure, which is why the session ends where it does.
  private func fail(_ kind: StudioNotice.Kind, _ message: String, id: String? = nil) {
    model.withLock { $0.lastFailure = plain(message) }
    notify(kind, message, id: id)
  }

  // MARK: Review and end

  private func review(_ camera: CameraAtWork) async {
    guard let frames = await camera.recorder.session.reviewedFrames() else { return }
    let first = frames.timestamps.first ?? Instant(nanoseconds: 0)
    let last = frames.timestamps.last ?? first
    let interval: Duration =
      camera.recorder.mode.interval.rate.map {
        .nanoseconds(Int64(clamping: 1e9 / $0.framesPerSecond.doubleValue))
      } ?? .zero
    let asked = update { model -> Duration in
      model.phase = .reviewing
      // The take's number is that of the next.
      model.begun = 0
      model.reviewCount += 1
      model.review = StudioState.Review(
        id: model.reviewCount, frames: frames.sequences.count, trigger: frames.triggerIndex,
        duration: last - first,
        interval: interval, lost: frames.lost, saved: [])
      return model.settings.preRoll
    }
    // A frame more or less is no cut.
    if let trigger = frames.trigger, trigger - first + interval < asked {
      tellShortPreRoll(max(.zero, trigger - first), of: asked)
    }
  }

  /// Tells that there was less in memory than the pre-roll that is set.
  private func tellShortPreRoll(_ kept: Duration, of asked: Duration, id: String? = nil) {
    notify(
      .preRollShort,
      "The pre-roll is \(kept.inSeconds.decimal(places: 2)) of \(asked.inSeconds.decimal(places: 2)) s: the trigger came "
        + "before there was more in memory.", id: id)
  }

  private func ended(_ end: SessionEnd, _ ended: CameraAtWork) {
    // One that was ended to open another has been replaced by then.
    let wasOpen = camera.withLock { camera -> Bool in
      guard camera === ended else { return false }
      camera = nil
      return true
    }
    guard wasOpen else { return }
    let (reason, failure) = model.withLock { ($0.lastReason ?? "failed", $0.lastFailure) }
    clips.hold(false)
    // What looks at its frames ends too.
    Task { await ended.end() }
    update { model in
      model.forgetCamera()
      model.phase = .failed
      model.problem = StudioError(
        .refused, "\(failure ?? "The session has ended.") Choose the camera again to go on.")
      guard let failure = end.failure else { return }
      model.problem = StudioError(.refused, plain(failure.description))
      model.phase = .interrupted
      model.interruption = StudioState.Interruption(
        reason: reason, message: plain(failure.description), waitsForResume: true)
    }
    if let failure = end.failure { notify(.interrupted, failure.description) }
  }
}

extension ReviewedFrames {
  /// The frame that was captured last when the trigger came, as in takes.
  var triggerIndex: Int? { trigger.flatMap { trigger in timestamps.lastIndex { $0 <= trigger } } }
}
