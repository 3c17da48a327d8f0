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
    Task {
      var events = events
      while true {
        do {
          for try await event in events { await hear(event, of: camera) }
          return
        } catch {
          // Too many events waited: the state is told anew by those that follow.
          events = camera.recorder.events
        }
      }
    }
  }

  private func hear(_ event: SessionEvent, of camera: CameraAtWork) async {
    switch event.kind {
    case .started(let configuration, let report): note(configuration, report)
    case .armed:
      update { model in
        model.phase = .armed
        model.trigger = nil
        model.review = nil
      }
      clips.hold(false)
    case .triggered(let trigger, let outcome): note(trigger, outcome)
    case .takeStarted(let take, let trigger): begin(take, trigger)
    case .progress(let progress): note(progress)
    case .takeEnded(let take, let result): await end(take, result, of: camera)
    case .reviewing: await review(camera)
    case .photo(_, let stage, let count): note(stage, count)
    case .controlChanged(let outcome):
      if let value = outcome.after { controlValues.withLock { $0[outcome.change.id] = value } }
      if let failure = outcome.failure { notify(.error, failure.description) }
    case .lightChanged, .sceneChanged, .lost, .clipReady, .modeChanged: break
    case .interrupted(let reason, let error):
      update { model in
        model.phase = .interrupted
        model.lastReason = reason.rawValue
        model.interruption = StudioState.Interruption(
          reason: reason.rawValue, message: error?.description, waitsForResume: false)
      }
      notify(.interrupted, error?.description ?? "No frames come.")
    case .interruptionEnded:
      update { $0.interruption = nil }
      notify(.interruptionEnded, "Frames come again.")
    case .error(let error): notify(.error, error.description)
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

  private func note(_ trigger: TriggerEvent, _ outcome: TriggerOutcome) {
    guard case .started = outcome else { return }
    update { model in
      model.trigger = trigger.span?.limit == RecordingLimit() ? nil : trigger.kind.rawValue
      if (trigger.span?.outcome ?? (model.settings.afterTrigger == .review ? .review : .take)) == .review {
        model.phase = .gathering
      }
    }
  }

  private func note(_ progress: RecordingProgress) {
    update { model in
      model.progress = progress
      if case .gathering = progress.stage, model.phase == .armed { model.phase = .gathering }
    }
  }

  private func begin(_ take: Int, _ trigger: TriggerEvent?) {
    let isHeld = update { model -> Bool in
      if model.phase == .reviewing {
        if let wish = model.saveWishes.first(where: { !model.saving.values.contains($0.part) }) {
          model.saving[take] = wish.part
        }
      } else {
        model.phase = .filming
      }
      return model.settings.afterTrigger == .carryOn
    }
    if isHeld { clips.hold(true) }
  }

  // MARK: Takes

  private func end(_ number: Int, _ result: Result<Recording, CaptureError>, of camera: CameraAtWork) async {
    let (wish, isPhoto, settings) = update { model -> (StudioSave?, Bool, StudioSettings) in
      var wish: StudioSave?
      if let part = model.saving.removeValue(forKey: number) {
        if let place = model.saveWishes.firstIndex(where: { $0.part == part }) {
          wish = model.saveWishes.remove(at: place)
        }
        if case .success = result { model.review?.saved.append(part) }
      }
      model.library += 1
      return (wish, model.motionPhotos[number] != nil, model.settings)
    }
    if case .failure(let error) = result { notify(.takeFailed, error.description) }
    guard let take = camera.recorder.takes.first(where: { $0.number == number }),
      let entry = TakeLibrary(take.files.take.folder).entry(at: take.files.take)
    else {
      if isPhoto { givePhotosUp(number, "The take has no frames.") }
      return
    }
    if isPhoto { return await makePhotos(of: take, entry) }
    let label = wish.map(\.label) ?? settings.label
    if let label { try? entry.setLabel(label) }
    let id = ids.id(of: take.files.take)
    if let failure = take.recording.failure {
      notify(.takeFailed, "The take ended early: \(failure) What was filmed until then is saved.", id: id)
    }
    notify(.takeSaved, "\(entry.name) is saved.", id: id)
    makeClip(of: take.files.take, speed: wish.map(\.speed) ?? settings.speed, id: id)
  }

  private func makeClip(of take: FilePath, speed: String?, id: String) {
    do {
      let curve = try speed.map { try SpeedCurve(text: $0) }
      try clips.add(ClipQueue.Job(take: take, speed: curve))
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

  private func note(_ stage: PhotoStage, _ count: Int) {
    update { model in model.photosInProgress = count + model.motionPhotos.values.reduce(0, +) }
    switch stage {
    case .written(let path): notify(.photoWritten, "\(path.name) is saved.", file: path.name)
    case .failed(let reason): notify(.photoFailed, reason)
    case .willBegin, .willCapture, .captured, .processed: break
    }
  }

  private func givePhotosUp(_ take: Int, _ reason: String) {
    let count = update { model -> Int in
      let count = model.motionPhotos.removeValue(forKey: take) ?? 0
      model.photosInProgress -= count
      return count
    }
    for _ in 0..<count { notify(.photoFailed, reason) }
  }

  private func makePhotos(of take: FinishedTake, _ entry: LibraryEntry) async {
    var isWhole = true
    do {
      for index in try take.triggerFrames(in: entry) {
        let path = entry.path.beside(entry.name + MotionPhotoFile.suffix).free
        let photo = try await MotionPhoto.make(
          ofFrame: index, in: entry, to: path, at: take.date(ofFrame: index))
        notify(.photoWritten, "\(photo.path.name) is saved.", file: photo.path.name)
      }
    } catch {
      isWhole = false
      notify(.photoFailed, "\(error) The take that it was to be made of is kept.")
    }
    update { model in
      model.photosInProgress -= model.motionPhotos.removeValue(forKey: take.number) ?? 0
      model.library += 1
    }
    // Only what nobody needs any more goes.
    if isWhole { try? entry.remove() }
  }

  // MARK: Review and end

  private func review(_ camera: CameraAtWork) async {
    guard let frames = await camera.recorder.session.reviewedFrames() else { return }
    let first = frames.timestamps.first ?? Instant(nanoseconds: 0)
    let last = frames.timestamps.last ?? first
    update { model in
      model.phase = .reviewing
      model.reviewCount += 1
      model.review = StudioState.Review(
        id: model.reviewCount, frames: frames.sequences.count, trigger: frames.triggerIndex,
        duration: last - first,
        interval: camera.recorder.mode.interval.rate.map {
          .nanoseconds(Int64(clamping: 1e9 / $0.framesPerSecond.doubleValue))
        } ?? .zero,
        lost: frames.lost, saved: [])
    }
  }

  private func ended(_ end: SessionEnd, _ ended: CameraAtWork) {
    // One that was ended to open another has been replaced by then.
    let wasOpen = camera.withLock { camera -> Bool in
      guard camera === ended else { return false }
      camera = nil
      return true
    }
    guard wasOpen else { return }
    update { model in
      model.forgetCamera()
      model.phase = .failed
      guard let failure = end.failure else { return }
      model.problem = StudioError(.refused, failure.description)
      model.phase = .interrupted
      model.interruption = StudioState.Interruption(
        reason: model.lastReason ?? "failed", message: failure.description, waitsForResume: true)
    }
    if let failure = end.failure { notify(.interrupted, failure.description) }
  }
}

extension ReviewedFrames {
  /// The first frame that was captured at the trigger or after it.
  var triggerIndex: Int? { trigger.flatMap { trigger in timestamps.firstIndex { $0 >= trigger } } }
}
