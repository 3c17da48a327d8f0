import Overcrank

extension Studio: StudioCalls {
  /// Returns the open camera.
  ///
  /// - Throws: ``StudioError`` if none is open.
  private func openCamera() throws -> OpenCamera {
    guard let camera = camera.withLock({ $0 }) else {
      throw StudioError(.notNow, "No camera is in use. Choose one first.")
    }
    return camera
  }

  private var phase: StudioState.Phase { model.withLock { $0.phase } }

  private func need(_ phases: Set<StudioState.Phase>, _ remedy: String) throws {
    guard phases.contains(phase) else { throw StudioError(.notNow, remedy) }
  }

  // MARK: Commands

  private static let isNotArmed = StudioError(
    .notNow, "The studio is not armed. Arm it, or wait for the first frame.")
  private static let isNoLongerArmed = StudioError(
    .notNow, "The studio is no longer armed. Try again.")

  /// The purpose of a trigger.
  private enum Purpose {
    /// A take around the trigger.
    case take
    /// A take from the trigger on.
    case record
    /// A Motion Photo.
    case photo
  }

  /// Sends a trigger for the span that `choose` derives from the model, and returns its outcome.
  ///
  /// - Throws: the error that `choose` throws; no trigger is sent in that case.
  private func trigger(
    _ purpose: Purpose = .take, _ choose: @Sendable (borrowing StudioModel) throws -> TakeSpan
  ) async throws -> TriggerOutcome {
    let session = try openCamera().recorder.session
    return try await withCheckedThrowingContinuation { continuation in
      do {
        // One step, so that the camera is not ended in between.
        try model.withLock { model in
          let span = try choose(model)
          triggersAwaited.add(1, ordering: .relaxed)
          let time = session.now
          var event = TriggerEvent(.program, at: time) { outcome in
            self.note(outcome, of: span, purpose, at: time)
            self.triggersAwaited.subtract(1, ordering: .releasing)
            continuation.resume(returning: outcome)
          }
          event.span = span
          // A recording that the user started is ended only by Stop.
          event.endsTake = false
          session.commands.trigger(event)
        }
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }

  /// Notes a trigger's outcome, before the session reports anything of the take.
  private func note(_ outcome: TriggerOutcome, of span: TakeSpan, _ purpose: Purpose, at time: Instant) {
    guard let take = outcome.take else { return }
    update { model in
      if case .started = outcome {
        model.newestStart = StudioModel.Start(isRecord: purpose == .record, length: span.limit.duration)
      }
      if purpose == .photo {
        model.motionPhotos[take, default: 0] += 1
        model.photoTimes[take, default: []].append(time)
      } else {
        model.wanted.insert(take)
      }
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
    let number = try model.withLock { model in
      guard [.recording, .gathering].contains(model.phase) else {
        throw StudioError(.notNow, "No take is being recorded. Record first.")
      }
      model.newestStart.isStopped = true
      return model.status?.takeNumber ?? 0
    }
    try openCamera().recorder.session.commands.send(.endTake)
    // The answer shows the outcome, unless no frame arrives that could end the take.
    try await wait(for: .seconds(2)) { model in
      ![.recording, .gathering].contains(model.phase) || (model.status?.takeNumber ?? 0) > number
    }
  }

  /// Waits until `isReached` returns `true`, but no longer than `most`.
  private func wait(
    for most: Duration = .seconds(3600), _ isReached: @Sendable (borrowing StudioModel) -> Bool
  ) async throws {
    let end = MonotonicClock.now + most
    while MonotonicClock.now < end, !model.withLock({ isReached($0) }) {
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  func resume() async throws {
    try need([.interrupted, .failed, .noCamera], "There is no interruption to resume from.")
    if let camera = camera.withLock({ $0 }) {
      camera.recorder.session.commands.send(.resume)
    } else {
      try await open(wish.withLock { $0 })
    }
  }

  func arm() async throws {
    let commands = try openCamera().recorder.session.commands
    let failures = try model.withLock { model in
      guard model.isReviewing else { throw StudioError(.notNow, "No take is in review.") }
      return model.saveFailures
    }
    // Otherwise the session could not arm, and the frames in memory would be lost for nothing.
    try await checkFolderTakesFiles()
    while true {
      // Requested saves come first.
      try await wait { $0.saveWishes.isEmpty || !$0.isReviewing }
      // One step, so that no save is accepted for frames that are gone.
      let isArmed = try update { model throws(StudioError) -> Bool in
        guard model.isReviewing else { throw StudioError(.notNow, "No take is in review any more.") }
        guard model.saveFailures == failures else {
          throw StudioError(
            .refused, "A part could not be saved, so the take stays in memory. Save it again, or arm again.")
        }
        guard model.saveWishes.isEmpty else { return false }
        model.reviewLetGo = model.status?.reviewCount ?? 0
        model.saved = []
        commands.send(.resume)
        return true
      }
      if isArmed { return }
    }
  }

  /// Refuses to go on if no take could be written: the reviewed frames exist only in memory.
  private func checkFolderTakesFiles() async throws {
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

  func photo() async throws {
    try need([.armed, .recording, .gathering], "The camera is not sending frames. Arm the studio first.")
    let commands = try openCamera().recorder.session.commands
    // One step, so that the still is counted before it is written.
    update { model in _ = model.stills.insert(commands.takeStill()) }
  }

  func motionPhoto() async throws {
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

  // MARK: Settings and camera

  func change(_ change: SettingsChange) async throws {
    try await turns.take { try await self.changeInTurn(change) }
  }

  func changeInTurn(_ change: SettingsChange) async throws {
    let (before, status, isAtWork) = model.withLock { ($0.settings, $0.status, $0.isAtWork) }
    var after = before
    after.apply(change)
    try after.check()
    if let id = after.microphone, id != before.microphone { try await checkIsListed(microphone: id) }
    guard let camera = camera.withLock({ $0 }) else { return update { $0.settings.apply(change) } }
    try after.check(for: camera.recorder.mode)
    if let motion = after.motion {
      do { try motion.settings.check(for: camera.recorder.mode) } catch {
        throw StudioError(.badRequest, "\(error)")
      }
    }
    if after.span != before.span {
      try after.checkMemory(
        for: camera.recorder.mode, measured: model.withLock { $0.bytesPerSecond(status) },
        beside: status?.ring?.capacity ?? 0)
    }
    let isOtherTake =
      after.span != before.span || after.microphone != before.microphone || after.turn != before.turn
    guard !isOtherTake || !isAtWork else { throw Self.isAtWork }
    if after.microphone != before.microphone {
      return try await reopen(wish.withLock { $0 }) { $0.apply(change) }
    }
    if after.span != before.span {
      switch await camera.recorder.session.change(to: after.span) {
      // If the session has ended, the next camera gets the settings.
      case .changed, .sessionEnded: break
      case .needsMoreMemory: return try await reopen(wish.withLock { $0 }) { $0.apply(change) }
      case .refused: throw Self.isAtWork
      }
    }
    camera.recorder.turn = after.turn
    update { model in
      model.settings.apply(change)
      model.camera?.turn = after.turn
    }
    if after.motion != before.motion { try watch(after.motion, with: camera) }
  }

  static let isAtWork = StudioError(.notNow, "A take is being recorded or reviewed. End it first.")

  func cameras() async throws -> [StudioCamera] {
    try await Self.blocking { [named = options.cameras] in StudioCamera.all(startedWith: named) }
  }

  func microphones() async throws -> [StudioMicrophone] {
    let named = options.microphones.map(\.description)
    return try await Self.blocking { StudioMicrophone.all(startedWith: named) }
  }

  func useCamera(_ id: String?, _ wish: StudioModeRequest?) async throws {
    let former = self.wish.withLock { $0 }
    if let id, id != former.id { try await checkIsListed(camera: id) }
    let isOther = id != nil && id != former.id
    if let wish, let open = camera.withLock({ $0 }) {
      let name = isOther ? id : open.id
      let table = try await isOther ? Self.table(of: id) : open.recorder.table
      try OpenCamera.check(wish, in: table, of: table.card ?? name ?? "The camera", options)
    }
    if isOther { personal.withLock { $0 = [] } }
    try await open(CameraRequest(id: id ?? former.id, mode: wish ?? (isOther ? nil : former.mode)))
  }

  /// Refuses a camera that is neither listed nor among those at the start: a page must not choose a file to
  /// open.
  private func checkIsListed(camera id: String) async throws {
    guard !options.cameras.contains(id) else { return }
    guard try await cameras().contains(where: { $0.id == id }) else {
      throw StudioError(
        .refused, "This machine has no such camera. Choose one that is listed.")
    }
  }

  /// Refuses a microphone that is neither listed nor among those at the start: libasound may run a name as a
  /// command.
  private func checkIsListed(microphone id: String) async throws {
    guard !options.microphones.contains(where: { $0.description == id }) else { return }
    guard try await microphones().contains(where: { $0.id == id }) else {
      throw StudioError(
        .refused, "This machine has no such microphone. Choose one that is listed.")
    }
  }

  /// Returns the mode table of a camera that is not open.
  private static func table(of id: String?) async throws -> CameraTable {
    try await blocking {
      let profiles = ProfileLibrary()
      do { return try CaptureDevice(named: id, profiles: profiles).table(profiles: profiles) } catch {
        throw StudioError(refusal: error)
      }
    }
  }

  func modes() async throws -> [StudioMode] {
    let table = try openCamera().recorder.table
    return table.modes.sorted {
      ($1.rate?.framesPerSecond ?? Fraction(0), $1.width, $1.height)
        < ($0.rate?.framesPerSecond ?? Fraction(0), $0.width, $0.height)
    }.map(StudioMode.init)
  }

  func controls() async throws -> [StudioControl] {
    let camera = try openCamera()
    let interval = camera.recorder.mode.interval.rate.map {
      Duration.nanoseconds(Int64(clamping: 1e9 / $0.framesPerSecond.doubleValue))
    }
    return try await listed(of: camera).compactMap { StudioControl($0, interval: interval) }
  }

  /// Returns the controls with their current values: a simulated camera's session has its own set.
  private func listed(of camera: OpenCamera) async throws -> [CameraControl] {
    let device = camera.recorder.device
    let controls = try await Self.blocking { try device.controls() }
    guard case .simulated = device else { return controls }
    let values = controlValues.withLock { $0 }
    return controls.map { listed in
      guard let value = values[listed.control.id] else { return listed }
      var control = listed.control
      control.value = value
      return CameraControl(control, items: listed.items)
    }
  }

  func setControl(_ name: String, to value: Int64, rate: Double?) async throws -> StudioControl {
    let camera = try openCamera()
    guard let control = try await listed(of: camera).first(where: { $0.name == name }) else {
      throw StudioError(.notFound, "The camera has no control \"\(name)\".")
    }
    guard !control.flagNames.contains("read-only") else {
      throw StudioError(.refused, "\(name) is read-only and cannot be set.")
    }
    let limits = control.control.minimum...max(control.control.minimum, control.control.maximum)
    guard limits.contains(value) || control.kindName == "button" else {
      throw StudioError(.badRequest, "\(name) must be from \(limits.lowerBound) to \(limits.upperBound).")
    }
    let change = ControlChange(id: control.control.id, name: name, value: value, isRequired: true)
    if let rate {
      camera.recorder.session.move(control, to: value, rate: rate)
    } else {
      controlValues.withLock { $0[change.id] = nil }
      camera.recorder.session.commands.send(.set(change))
      await waitForValue(of: change.id)
    }
    if control.kindName != "button" {
      personal.withLock { changes in
        changes.removeAll { $0.id == change.id }
        changes.append(change)
      }
    }
    let all = try await controls()
    guard let answer = all.first(where: { $0.control.name == name }) else {
      throw StudioError(.notFound, "The camera no longer has a control \"\(name)\".")
    }
    return answer
  }

  /// Waits until a control was set, for at most half a second.
  private func waitForValue(of id: UInt32) async {
    for _ in 0..<50 where controlValues.withLock({ $0[id] }) == nil {
      try? await Task.sleep(for: .milliseconds(10))
    }
  }

  // MARK: Pictures

  func preview(after: UInt32?, width: Int) async throws -> StudioPicture? {
    let camera = try openCamera()
    return try await camera.pictures.next(after: after, width: width)
  }

  private func reviewed() async throws -> (OpenCamera, ReviewedFrames) {
    try need([.reviewing, .saving], "No take is in review.")
    let camera = try openCamera()
    guard let frames = await camera.recorder.session.reviewedFrames() else {
      throw StudioError(.notNow, "No take is in review.")
    }
    return (camera, frames)
  }

  func reviewFrames() async throws -> StudioReviewFrames {
    let (_, frames) = try await reviewed()
    let zero =
      frames.triggerIndex.map { frames.timestamps[$0] } ?? frames.timestamps.first
      ?? Instant(nanoseconds: 0)
    return StudioReviewFrames(
      sequence: frames.sequences.map(Int64.init), time: frames.timestamps.map { ($0 - zero).wholeNanoseconds }
    )
  }

  func reviewFrame(_ index: Int, width: Int) async throws -> [UInt8] {
    try need([.reviewing, .saving], "No take is in review.")
    let camera = try openCamera()
    guard index >= 0, let frame = await camera.recorder.session.reviewedFrame(index) else {
      throw StudioError(.notFound, "The review has no frame \(index).")
    }
    return try await Self.blocking {
      if width >= frame.configuration.frameFormat.width, let still = try? Still(frame) { return still.bytes }
      return try frame.preview(fitting: Dimensions(width: UInt32(width), height: UInt32(4 * width))).jpeg(
        quality: 85)
    }
  }

  func save(first: Int, last: Int, speed: String?, label: String?) async throws {
    let (camera, frames) = try await reviewed()
    guard first <= last else {
      throw StudioError(
        .badRequest, "The part ends before it begins: its first frame is \(first), its last is \(last).")
    }
    guard first >= 0, last < frames.timestamps.count else {
      throw StudioError(.badRequest, "The review has only frames 0 to \(frames.timestamps.count - 1).")
    }
    if let label {
      do { try LibraryEntry.checkLabel(label) } catch { throw StudioError(.badRequest, "\(error)") }
    }
    if let speed, let curve = try? SpeedCurve(text: speed) {
      let interval = camera.recorder.mode.interval.rate?.framesPerSecond.doubleValue ?? 1
      let length = frames.timestamps[last] - frames.timestamps[first] + .seconds(1 / max(interval, 1e-3))
      try curve.check(until: length, of: "the marked part")
    }
    try await checkFolderTakesFiles()
    let part = StudioState.Review.Part(first: first, last: last)
    let times = TakePart(start: frames.timestamps[first], end: frames.timestamps[last] + .nanoseconds(1))
    // One step, so that takes begin in the order of the requests.
    try update { model throws(StudioError) in
      guard model.isReviewing else { throw StudioError(.notNow, "No take is in review.") }
      guard !model.saveWishes.contains(where: { $0.part == part }) else {
        throw StudioError(.notNow, "This part is already being saved.")
      }
      model.saveWishes.append(StudioSave(part: part, speed: speed ?? model.settings.speed, label: label))
      camera.recorder.session.commands.send(.save(times))
    }
  }
}

extension StudioSettings {
  mutating func apply(_ change: SettingsChange) {
    preRoll = change.preRoll ?? preRoll
    postRoll = change.postRoll ?? postRoll
    afterTrigger = change.afterTrigger ?? afterTrigger
    microphone = change.microphone ?? microphone
    speed = change.speed ?? speed
    turn =
      PictureTurn(degrees: change.rotate ?? turn.degrees, isMirrored: change.mirror ?? turn.isMirrored)
      ?? turn
    motion = change.motion ?? motion
    label = change.label ?? label
  }

  /// The longest time before or after a trigger, which is more than any memory holds.
  private static let longest = Duration.seconds(600)

  /// Refuses settings that are out of range.
  func check() throws(StudioError) {
    guard preRoll >= .zero, preRoll <= Self.longest, postRoll > .zero, postRoll <= Self.longest else {
      throw StudioError(
        .badRequest, "Pre-roll must be from 0 to 10 minutes, post-roll above 0 and at most 10 minutes.")
    }
    guard let label else { return }
    do { try LibraryEntry.checkLabel(label) } catch { throw StudioError(.badRequest, "\(error)") }
  }

  /// Refuses settings that yield no frame in `mode`.
  func check(for mode: Mode) throws(StudioError) {
    if let rate = mode.rate?.framesPerSecond, rate > Fraction(0) {
      let interval = Duration.nanoseconds(Int64(clamping: 1e9 / rate.doubleValue))
      guard preRoll + postRoll >= interval else {
        throw StudioError(
          .badRequest,
          "Pre-roll and post-roll together are shorter than the frame interval, "
            + "\(interval.inSeconds.decimal(places: 6)) s, so a take would have no frame. Lengthen them.")
      }
    }
  }

  /// Refuses times that this machine's memory cannot hold.
  ///
  /// - Parameters:
  ///   - mode: the mode to capture.
  ///   - measured: the measured bytes per second; `nil` if unknown.
  ///   - ringBytes: the bytes of the current ring, which would be freed.
  func checkMemory(for mode: Mode, measured: Double?, beside ringBytes: Int) throws(StudioError) {
    guard let bytesPerSecond = measured ?? RingSize.leastBytesPerSecond(of: mode), bytesPerSecond > 0 else {
      return
    }
    let held = span.outcome == .review ? preRoll + postRoll : preRoll
    let most = RingSize.mostBytes(beside: ringBytes)
    let needed = held / .seconds(1) * bytesPerSecond
    guard needed > Double(most) else { return }
    func gigabytes(_ bytes: Double) -> String { "\((bytes / 1e8).rounded() / 10) GB" }
    let what = span.outcome == .review ? "A review's pre-roll and post-roll" : "The pre-roll"
    throw StudioError(
      .refused,
      "\(what) would take \(gigabytes(needed)) of memory in this mode, but only "
        + "\(gigabytes(Double(most))) is available: half of the free memory, and at most 4.3 GB. Choose "
        + "\(Int(clamping: Double(most) / bytesPerSecond)) s or less, or a smaller mode.")
  }
}
