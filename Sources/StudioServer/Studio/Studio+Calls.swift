import Overcrank

extension Studio: StudioCalls {
  /// Returns the open camera of this letter; for `nil`, the one that hears the triggers.
  ///
  /// - Throws: ``StudioError`` if none is open, or that one has ended.
  func openCamera(_ letter: String? = nil) throws -> OpenCamera {
    guard let opened else {
      throw StudioError(.notNow, "No camera is in use. Choose one first.")
    }
    guard let letter else { return opened.lead }
    guard let camera = opened[letter] else { throw Self.noCamera(letter) }
    if let problem = model.members.first(where: { $0.letter == letter })?.problem { throw problem }
    return camera
  }

  static func noCamera(_ letter: String) -> StudioError {
    StudioError(
      .notFound, "There is no camera \(letter) in this studio. Choose one of \"cameras\" of its state.")
  }

  func need(_ phases: Set<StudioState.Phase>, _ remedy: String) throws {
    guard phases.contains(model.phase) else { throw StudioError(.notNow, remedy) }
  }

  private static let isNotArmed = StudioError(
    .notNow, "The studio is not armed. Arm it, or wait for the first frame.")
  private static let isNoLongerArmed = StudioError(
    .notNow, "The studio is no longer armed. Try again.")

  /// Sends a trigger for the span that `choose` derives from the model, and returns its outcome.
  ///
  /// - Throws: the error that `choose` throws; no trigger is sent in that case.
  private func trigger(
    _ purpose: AwaitedTrigger.Purpose = .take, _ choose: (StudioModel) throws -> TakeSpan
  ) async throws -> TriggerOutcome {
    let session = try openCamera().recorder.session
    // One step up to the sending, so that the camera is not ended in between.
    let awaited = AwaitedTrigger(purpose: purpose, span: try choose(model), time: session.now)
    triggersAwaited.append(awaited)
    let outcome = await withCheckedContinuation { continuation in
      var event = TriggerEvent(.program, at: awaited.time) { continuation.resume(returning: $0) }
      event.span = awaited.span
      // A recording that the user started is ended only by Stop.
      event.endsTake = false
      session.commands.trigger(event)
    }
    note(outcome, at: awaited.time)
    return outcome
  }

  /// Notes the outcome of the studio's own trigger at `time`, if it is not known yet: the answer and the session's event
  /// report it, in any order. It is known before any event of its take is handled.
  func note(_ outcome: TriggerOutcome, at time: Instant) {
    guard let place = triggersAwaited.firstIndex(where: { $0.time == time }) else { return }
    let trigger = triggersAwaited.remove(at: place)
    guard let take = outcome.take else { return }
    if case .started = outcome {
      model.newestStart = StudioModel.Start(
        isRecord: trigger.purpose == .record, length: trigger.span.limit.duration)
    }
    if trigger.purpose == .photo {
      model.motionPhotos[take, default: 0] += 1
      model.photoTimes[take, default: []].append(time)
    } else {
      model.wanted.insert(take)
    }
  }

  func trigger() async throws {
    let outcome = try await trigger { model in
      guard [.armed, .recording].contains(model.phase) else { throw Self.isNotArmed }
      return model.settings.span
    }
    if outcome == .refused { throw Self.isNoLongerArmed }
  }

  func record(for duration: Duration?) async throws {
    let outcome = try await trigger(.record) { model in
      guard model.phase == .armed else {
        throw [.recording, .gathering, .reviewing].contains(model.phase) ? Self.isAtWork : Self.isNotArmed
      }
      return TakeSpan(
        preRoll: .zero, limit: RecordingLimit(duration: duration), outcome: model.settings.span.outcome)
    }
    guard case .started = outcome else { throw Self.isNoLongerArmed }
  }

  func stop() async throws {
    guard [.recording, .gathering].contains(model.phase) else {
      throw StudioError(.notNow, "No take is being recorded. Record first.")
    }
    model.newestStart.isStopped = true
    let number = model.status?.takeNumber ?? 0
    guard let opened else { throw StudioError(.notNow, "No camera is in use. Choose one first.") }
    opened.endTakes()
    // The answer shows the outcome, unless no frame arrives that could end the take.
    try await wait(for: .seconds(2)) { model in
      ![.recording, .gathering].contains(model.phase) || (model.status?.takeNumber ?? 0) > number
    }
  }

  /// Waits until `isReached` returns `true`, but no longer than `most`.
  private func wait(
    for most: Duration = .seconds(3600), _ isReached: (StudioModel) -> Bool
  ) async throws {
    let end = MonotonicClock.now + most
    while MonotonicClock.now < end, !isReached(model) {
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  func resume() async throws {
    if model.hasLost { return try await openAgain() }
    try need([.interrupted, .failed, .noCamera], "There is no interruption to resume from.")
    if let camera {
      camera.recorder.session.commands.send(.resume)
    } else {
      try await open(wish)
    }
  }

  /// Opens all cameras again after one of several has ended, if each is there: otherwise the others go on.
  private func openAgain() async throws {
    let names = zip(model.members.indices, model.members).compactMap { place, member in
      member.problem == nil ? nil : wish[place].id
    }
    try await Self.blocking {
      for name in names {
        do { _ = try CaptureDevice.first(of: [name]) } catch { throw StudioError(refusal: error) }
      }
    }
    try await open(wish)
  }

  func arm() async throws {
    let commands = try openCamera().recorder.session.commands
    guard model.isReviewing else { throw StudioError(.notNow, "No take is in review.") }
    let failures = model.saveFailures
    // Otherwise the session could not arm, and the frames in memory would be lost for nothing.
    try await checkFolderTakesFiles()
    while true {
      // Requested saves come first.
      try await wait { $0.saveWishes.isEmpty || !$0.isReviewing }
      // One step, so that no save is accepted for frames that are gone.
      guard model.isReviewing else { throw StudioError(.notNow, "No take is in review any more.") }
      guard model.saveFailures == failures else {
        throw StudioError(
          .refused, "A part could not be saved, so the take stays in memory. Save it again, or arm again.")
      }
      guard model.saveWishes.isEmpty else { continue }
      model.reviewLetGo = model.status?.reviewCount ?? 0
      model.saved = []
      commands.send(.resume)
      return
    }
  }

  /// Refuses to go on if no take could be written: the reviewed frames exist only in memory.
  func checkFolderTakesFiles() async throws {
    let folder = folder
    do {
      try await Self.blocking {
        try OwnFolder.checkTakesFiles(
          folder, as: "the folder of takes",
          remedy: "The take stays in memory. Plug in the disk, or create the folder, and try again.")
      }
    } catch let error as OvercrankError {
      throw StudioError(.refused, error.description)
    }
  }

  func photo(lit isLit: Bool = false, of letter: String? = nil) async throws {
    try need([.armed, .recording, .gathering], "The camera is not sending frames. Arm the studio first.")
    let camera = try openCamera(letter)
    let session = camera.recorder.session
    do { try Still.checkFormat(of: session.activeFormat) } catch {
      throw StudioError(.refused, error.description)
    }
    let switchOff = try await isLit ? light(of: camera) : nil
    guard opened?[camera.letter] === camera else {
      switchOff?()
      throw StudioError(.notNow, "The camera was changed meanwhile. Take the photo again.")
    }
    // One step, so that the still is counted before it is written.
    let still = session.commands.takeStill { _, _ in switchOff?() }
    model.stills.insert(StudioModel.Still(letter: camera.letter, request: still))
  }

  func motionPhoto() async throws {
    guard opened?.group == nil else {
      throw StudioError(
        .refused,
        "A Motion Photo is of one camera, and several record together. Record a take, and make the photo of one of "
          + "its frames."
      )
    }
    let outcome = try await trigger(.photo) { model in
      guard model.phase != .gathering else {
        throw StudioError(
          .notNow, "A take is being recorded for review. Take the Motion Photo afterwards, or from the take.")
      }
      guard [.armed, .recording].contains(model.phase) else {
        throw StudioError(.notNow, "The camera is not sending frames. Arm the studio first.")
      }
      return TakeSpan(
        preRoll: OpenCamera.photoReach, limit: RecordingLimit(duration: OpenCamera.photoReach))
    }
    guard let take = outcome.take, outcome != .ended(take: take) else { throw Self.isNoLongerArmed }
  }

  func change(_ change: SettingsChange) async throws {
    try await turns.begin { try await self.changeInTurn(change) }.value
  }

  func changeInTurn(_ change: SettingsChange) async throws {
    let before = model.settings
    var after = before
    after.apply(change)
    try after.check()
    if let id = after.microphone, id != before.microphone { try await checkIsListed(microphone: id) }
    if !wish.further.isEmpty, after.afterTrigger == .review {
      throw StudioError(
        .refused,
        "Takes of several cameras cannot be reviewed before they are saved. Choose to save them at once.")
    }
    guard let opened else { return model.settings.apply(change) }
    for camera in opened.all { try after.check(for: camera.recorder.mode) }
    if let motion = after.motion {
      do { try motion.settings.check(for: opened.all[0].recorder.mode) } catch {
        throw StudioError(.badRequest, "\(error)")
      }
    }
    for camera in after.span != before.span ? opened.all : [] {
      let status = camera.recorder.session.status
      try after.checkMemory(
        for: camera.recorder.mode, measured: model.bytesPerSecond(status),
        beside: status.ring?.capacity ?? 0)
    }
    let isOtherTake =
      after.span != before.span || after.microphone != before.microphone || after.turn != before.turn
    guard !isOtherTake || !model.isAtWork else { throw Self.isAtWork }
    if after.microphone != before.microphone {
      return try await reopen(wish, change)
    }
    if after.span != before.span {
      switch await opened.change(to: after.span) {
      // If the session has ended, the next camera gets the settings.
      case .changed, .sessionEnded: break
      case .needsMoreMemory: return try await reopen(wish, change)
      case .refused: throw Self.isAtWork
      }
    }
    if after.turn != before.turn {
      for camera in opened.all {
        camera.recorder.turn = after.turn
        model.update(camera.letter) { $0.camera.turn = after.turn }
      }
    }
    model.settings.apply(change)
    if after.motion != before.motion { try await watch(after.motion, with: opened.all[0]) }
  }

  static let isAtWork = StudioError(.notNow, "A take is being recorded or reviewed. End it first.")
}

/// A trigger that the studio sent itself, until its outcome is known.
struct AwaitedTrigger {
  /// The purpose of a trigger.
  enum Purpose {
    /// A take around the trigger.
    case take
    /// A take from the trigger on.
    case record
    /// A Motion Photo.
    case photo
  }

  var purpose: Purpose
  var span: TakeSpan
  var time: Instant
}
