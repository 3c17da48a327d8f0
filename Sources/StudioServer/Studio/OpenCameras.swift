import Overcrank

/// The cameras of a studio that are open together: a lone one, or several that record the same moments.
final class OpenCameras: Sendable {
  /// The cameras, in their order.
  let all: [OpenCamera]
  /// The recorder of several cameras; `nil` for a lone one.
  let group: GroupRecorder?

  /// Opens the cameras without capturing yet.
  ///
  /// - Throws: ``RecordError``, `OvercrankError` or `QuantityError`; the cameras are left as they were in that
  ///   case.
  init(
    _ wish: CameraRequest, _ options: StudioOptions, _ settings: StudioSettings,
    microphones: [MicrophoneName], triggers: [any TriggerSource]
  ) throws {
    let profiles = ProfileLibrary()
    var cameras = [try Self.camera(OpenCamera.device(wish, options, profiles), options.first, wish.mode)]
    for further in wish.further {
      let device = try CaptureDevice(named: further.camera.name, profiles: profiles)
      cameras.append(try Self.camera(device, further.camera, further.mode))
    }
    let folder = options.folder ?? LibraryFolder.path
    try OwnFolder.make(folder, as: "the folder of takes", remedy: "Choose another folder.")
    TakeLibrary(folder).removeEmptyParts()
    var request = RecordRequest(controls: options.controls, turn: settings.turn, clip: nil)
    request.plan = OpenCamera.plan(settings)
    request.output = folder.appending("overcrank-{date}T{time}.{ms}.mp4")
    request.microphones = microphones
    request.triggers = triggers
    guard cameras.count > 1 else {
      let first = cameras[0]
      (request.rate, request.criteria, request.quality) = (first.rate, first.criteria, first.quality)
      request.capture = first.capture
      group = nil
      all = [OpenCamera(try TakeRecorder(first.device, request, profiles: profiles))]
      return
    }
    // Each camera is turned as its mounting needs.
    if settings.turn == .none { request.turn = nil }
    // The words in braces are filled in once for all takes.
    request.numbersTakes = true
    let group = try GroupRecorder(cameras, request, profiles: profiles)
    self.group = group
    all = group.members.map { OpenCamera($0.recorder, letter: $0.name) }
  }

  private static func camera(
    _ device: CaptureDevice, _ wish: StudioOptions.Camera, _ mode: StudioModeRequest?
  ) throws -> GroupCamera {
    guard !device.clock.isVirtual else {
      throw OvercrankError(
        .badName, "\(device.name.asSubject) the studio runs in real time. Leave out clock=virtual.")
    }
    var request = wish.request
    try request.choose(mode)
    request.capture.scheduling = .usual(for: device)
    return GroupCamera(
      device, rate: request.rate, criteria: request.criteria, quality: request.quality,
      capture: request.capture)
  }

  /// The camera that hears the triggers.
  var lead: OpenCamera {
    guard let group else { return all[0] }
    return all.first { $0.letter == group.leader.name } ?? all[0]
  }

  /// Returns the camera of this letter; `nil` if there is none.
  subscript(letter: String) -> OpenCamera? { all.first { $0.letter == letter } }

  /// Starts to capture.
  ///
  /// - Throws: `OvercrankError`; all cameras have ended in that case.
  func start() async throws {
    do {
      if let group {
        try await group.start()
      } else {
        try await Studio.blocking { [lone = all[0]] in try lone.recorder.start() }
      }
    } catch {
      for camera in all { camera.pictures.close() }
      throw error
    }
  }

  /// Ends all sessions, now or as soon as they have started.
  func stop() { for camera in all { camera.recorder.stop() } }

  /// Ends all sessions, completes takes in progress, and restores the cameras.
  func end() async {
    stop()
    for camera in all { await camera.end() }
  }

  /// Ends the takes in progress.
  func endTakes() {
    if let group {
      group.endTakes()
    } else {
      all[0].recorder.session.commands.send(.endTake)
    }
  }

  /// Changes the default span of triggers.
  func change(to span: TakeSpan) async -> SpanOutcome {
    if let group { return await group.change(to: span) }
    return await all[0].recorder.session.change(to: span)
  }
}
