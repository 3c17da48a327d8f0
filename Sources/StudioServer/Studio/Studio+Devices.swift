import Overcrank

/// The cameras and microphones of a studio, and the controls of the open camera.
extension Studio {
  func cameras() async throws -> [StudioCamera] {
    try await Self.blocking { [named = options.cameras + options.further.map(\.name)] in
      StudioCamera.all(startedWith: named)
    }
  }

  func microphones() async throws -> [StudioMicrophone] {
    let named = options.microphones.map(\.description)
    return try await Self.blocking { StudioMicrophone.all(startedWith: named) }
  }

  func useCamera(_ id: String?, _ wish: StudioModeRequest?, of letter: String? = nil) async throws {
    var next = self.wish
    let place = try place(of: letter)
    let former = next[place]
    if let id, id != former.id { try await checkIsListed(camera: id) }
    let isOther = id != nil && id != former.id
    if let wish, let opened, place < opened.all.count {
      let open = opened.all[place]
      let name = isOther ? id : open.id
      let table = try await isOther ? Self.table(of: id) : open.recorder.table
      let usual = place == 0 ? options.first : next.further[place - 1].camera
      try OpenCamera.check(wish, in: table, of: table.card ?? name ?? "The camera", usual)
    }
    if isOther { personal[GroupCamera.name(place)] = nil }
    next[place] = (id ?? former.id, wish ?? (isOther ? nil : former.mode))
    try await open(next)
  }

  /// Returns the place of the camera of this letter among those that are requested; the first for `nil`.
  private func place(of letter: String?) throws -> Int {
    guard let letter else { return 0 }
    guard let place = (0...wish.further.count).first(where: { GroupCamera.name($0) == letter }) else {
      throw Self.noCamera(letter)
    }
    return place
  }

  /// Refuses a camera that is neither listed nor among those at the start: a page must not choose a file to
  /// open.
  private func checkIsListed(camera id: String) async throws {
    guard !options.cameras.contains(id), !options.further.contains(where: { $0.name == id }) else { return }
    guard try await cameras().contains(where: { $0.id == id }) else {
      throw StudioError(
        .refused, "This machine has no such camera. Choose one that is listed.")
    }
  }

  /// Refuses a microphone that is neither listed nor among those at the start: libasound may run a name as a
  /// command.
  func checkIsListed(microphone id: String) async throws {
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

  func modes(of letter: String? = nil) async throws -> [StudioMode] {
    let table = try openCamera(letter).recorder.table
    return table.modes.sorted {
      ($1.rate?.framesPerSecond ?? Fraction(0), $1.width, $1.height)
        < ($0.rate?.framesPerSecond ?? Fraction(0), $0.width, $0.height)
    }.map(StudioMode.init)
  }

  func controls(of letter: String? = nil) async throws -> [StudioControl] {
    let camera = try openCamera(letter)
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
    return controls.map { listed in
      guard let value = controlValues[camera.letter]?[listed.control.id] else { return listed }
      var control = listed.control
      control.value = value
      return CameraControl(control, items: listed.items)
    }
  }

  func setControl(
    _ name: String, to value: Int64, rate: Double?, of letter: String? = nil
  ) async throws -> StudioControl {
    let camera = try openCamera(letter)
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
      controlValues[camera.letter]?[change.id] = nil
      camera.recorder.session.commands.send(.set(change))
      await waitForValue(of: change.id, camera)
    }
    if control.kindName != "button" {
      personal[camera.letter, default: []].removeAll { $0.id == change.id }
      personal[camera.letter, default: []].append(change)
    }
    let all = try await controls(of: letter)
    guard let answer = all.first(where: { $0.control.name == name }) else {
      throw StudioError(.notFound, "The camera no longer has a control \"\(name)\".")
    }
    return answer
  }

  /// Switches the camera's light on for a photo, and waits for a few frames in which the exposure settles.
  ///
  /// - Returns: what is to be called once the photo was captured. The light goes off with the last of several photos; if
  ///   the session ends before, it restores the light itself.
  /// - Throws: ``StudioError`` with `notFound` if the camera has no light that can stay on.
  func light(of camera: OpenCamera) async throws -> @Sendable () -> Void {
    let controls = try await listed(of: camera)
    var plan = ControlPlan()
    do { try plan.light(controls, of: camera.recorder.device.name) } catch {
      throw StudioError(.notFound, error.description)
    }
    let session = camera.recorder.session
    let former = plan.changes.map { change in
      let before = controls.first { $0.control.id == change.id }?.control.value ?? 0
      return ControlChange(id: change.id, name: change.name, value: before, isRequired: true)
    }
    // With the light on for another photo, the values before are that one's.
    let isFirst = camera.litPhotos.withLock { photos in
      photos.count += 1
      if photos.count == 1 { photos.former = former }
      return photos.count == 1
    }
    for change in isFirst ? plan.changes : [] {
      controlValues[camera.letter]?[change.id] = nil
      session.commands.send(.set(change))
      await waitForValue(of: change.id, camera)
    }
    let start = session.status.newest?.sent ?? 0
    for _ in 0..<200 where (session.status.newest?.sent ?? 0) < start + Int64(Still.usualSkip) {
      try? await Task.sleep(for: .milliseconds(10))
    }
    return {
      let former = camera.litPhotos.withLock { photos in
        photos.count -= 1
        return photos.count == 0 ? photos.former : []
      }
      for change in former { session.commands.send(.set(change)) }
    }
  }

  /// Waits until a control was set, for at most half a second.
  private func waitForValue(of id: UInt32, _ camera: OpenCamera) async {
    for _ in 0..<50 where controlValues[camera.letter]?[id] == nil {
      try? await Task.sleep(for: .milliseconds(10))
    }
  }
}
