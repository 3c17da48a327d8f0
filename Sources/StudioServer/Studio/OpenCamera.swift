import Overcrank
import Synchronization

/// A request for a camera and a mode.
struct CameraRequest: Hashable, Sendable {
  /// The name by which it is opened; `nil` for the first available one of the studio's options.
  var id: String?
  /// The mode; `nil` for the default.
  var mode: StudioModeRequest?
}

/// A studio's camera from its opening to its end, with its recorder and the taps on its frames.
final class OpenCamera: Sendable {
  let recorder: TakeRecorder
  let id: String
  let pictures: LivePictures
  /// The detection of motion and its newest result, which the tap's thread notes.
  private let motion = Mutex<(tap: MotionTap?, newest: StudioState.Motion?)>((nil, nil))
  private let levels: AudioTap?
  /// The number of photos for which the camera's light is on, and the values of its controls before.
  let litPhotos = Mutex<(count: Int, former: [ControlChange])>((0, []))

  /// The time before and after a Motion Photo's trigger. It allows for a trigger that is seen late, and for
  /// one frame more, so that the video is complete.
  static let photoReach = MotionPhoto.reach + .milliseconds(100)

  /// Opens the camera without capturing yet.
  ///
  /// - Throws: ``RecordError``, `OvercrankError` or `QuantityError`; the camera is left as it was in that
  ///   case.
  init(
    _ wish: CameraRequest, _ options: StudioOptions, _ settings: StudioSettings,
    microphones: [MicrophoneName],
    triggers: [any TriggerSource]
  ) throws {
    let profiles = ProfileLibrary()
    let device = try Self.device(wish, options, profiles)
    guard !device.clock.isVirtual else {
      throw OvercrankError(
        .badName,
        "\(device.name.asSubject) the studio runs in real time. Leave out clock=virtual."
      )
    }
    id = device.name
    var request = RecordRequest(
      rate: options.rate, criteria: options.criteria, quality: options.quality, controls: options.controls,
      turn: settings.turn, clip: nil)
    try request.choose(wish.mode)
    request.plan = Self.plan(settings)
    let folder = options.folder ?? LibraryFolder.path
    try OwnFolder.make(folder, as: "the folder of takes", remedy: "Choose another folder.")
    TakeLibrary(folder).removeEmptyParts()
    request.output = folder.appending("overcrank-{date}T{time}.{ms}.mp4")
    request.microphones = microphones
    request.capture.scheduling = .usual(for: device)
    request.triggers = triggers
    recorder = try TakeRecorder(device, request, profiles: profiles)
    pictures = LivePictures(of: recorder.session)
    levels = recorder.microphone == nil ? nil : AudioTap(minimumInterval: .milliseconds(50))
    if let levels { recorder.session.add(levels) }
  }

  /// Returns the camera that `wish` opens.
  static func device(
    _ wish: CameraRequest, _ options: StudioOptions, _ profiles: ProfileLibrary
  ) throws -> CaptureDevice {
    let names = wish.id.map { [$0] } ?? options.cameras
    let name = names.count > 1 ? try CaptureDevice.first(of: names, profiles: profiles).name : names.first
    return try CaptureDevice(named: name, profiles: profiles)
  }

  /// The name under which this camera's settings are kept.
  var key: String { Self.key(of: recorder.device, table: recorder.table) }

  /// Returns the name under which a camera's settings are kept: a node's number may be another camera's tomorrow.
  static func key(of device: CaptureDevice, table: CameraTable) -> String {
    if case .simulated = device { device.name } else { table.card ?? device.name }
  }

  /// Refuses a mode that a camera does not have, before the current camera is ended for it.
  ///
  /// - Throws: ``StudioError``.
  static func check(
    _ wish: StudioModeRequest, in table: CameraTable, of camera: String, _ options: StudioOptions
  ) throws(StudioError) {
    var request = RecordRequest(rate: options.rate, criteria: options.criteria, quality: options.quality)
    do { try request.choose(wish) } catch {
      throw error as? StudioError ?? StudioError(.badRequest, "\(error).")
    }
    let choices = ModeChoice.choices(
      from: table, for: request.rate, request.criteria, quality: request.quality)
    let choice = ModeChoice.possible(choices).first
    if case .mode(let fourcc, let width, let height, let interval) = wish {
      let asked = Mode(fourcc: fourcc, width: width, height: height, interval: interval)
      guard let mode = choice?.mode, mode.fourcc == fourcc, (mode.width, mode.height) == (width, height),
        mode.interval.rate == interval.rate
      else {
        throw StudioError(
          .refused,
          "\(camera) has no mode \(asked). Choose one that it lists; the current mode stays in use.")
      }
    } else if let choice, choice.mode == nil {
      throw StudioError(.refused, "\(RecordError.noMode(choice, table, camera: camera))")
    }
  }

  private static func plan(_ settings: StudioSettings) -> SessionPlan {
    var plan = SessionPlan(
      preRoll: settings.preRoll, limit: RecordingLimit(duration: settings.postRoll), takeCount: nil,
      interruptionResponse: .reconnect)
    plan.outcome = settings.span.outcome
    plan.longestPreRoll = photoReach
    plan.triggerDelay = .milliseconds(500)
    return plan
  }

  /// Returns the microphone's newest levels since the last call, or `nil` if there are none.
  func newestLevels() -> [Double]? { levels?.poll()?.levels.map(\.peak) }

  /// The newest result of the detection of motion; `nil` if there is none.
  var newestMotion: StudioState.Motion? { motion.withLock { $0.newest } }

  /// Detects motion by `settings` from now on; `nil` ends the detection. Waits for the end of the former detection.
  ///
  /// - Parameters:
  ///   - failed: called with the error if frames cannot be analysed.
  ///   - seen: called with each analysis.
  /// - Throws: `OvercrankError` if the settings do not fit the picture.
  func watch(
    _ settings: MotionSettings?, failed: @escaping @Sendable (OvercrankError) -> Void,
    seen: @escaping @Sendable (FrameMotion) -> Void
  ) throws {
    try settings?.check(for: recorder.mode)
    let tap = try settings.map { settings in
      try MotionTap(settings, failed: failed) { [weak self] look in
        let fires = look.score >= settings.area
        let newest = StudioState.Motion(score: look.score, area: settings.area, fires: fires)
        self?.motion.withLock { $0.newest = newest }
        seen(look)
      }
    }
    let former = motion.withLock { motion in
      defer { motion.tap = tap }
      return motion.tap
    }
    former?.close()
    if let tap { recorder.session.add(tap) } else { motion.withLock { $0.newest = nil } }
  }

  /// Ends the session, completes a take in progress, and restores the camera.
  func end() async -> FinishedRecording {
    recorder.stop()
    let recording = await recorder.recorded()
    motion.withLock { $0.tap.take() }?.close()
    levels?.close()
    pictures.close()
    // When this returns, the stills are written.
    _ = try? await recorder.finish()
    return recording
  }
}

extension RecordRequest {
  /// Requests the mode that `wish` describes.
  fileprivate mutating func choose(_ wish: StudioModeRequest?) throws {
    switch wish {
    case nil: break
    case .rate(let rate):
      self.rate = .rate(try FrameRate(text: "\(rate)"))
      quality = []
    case .mode(let fourcc, let width, let height, let interval):
      guard let rate = interval.rate else {
        throw StudioError(.badRequest, "\(interval) is not a frame interval.")
      }
      self.rate = .rate(rate)
      quality = [try Quality(text: "\(width)x\(height)")]
      criteria = ModeChoice.Criteria(format: try FormatFilter(text: fourcc))
    }
  }
}
