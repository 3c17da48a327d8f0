import Overcrank
import Synchronization

/// What a camera is asked for.
struct CameraWish: Hashable, Sendable {
  /// What it is opened by; `nil` for the first of this machine.
  var id: String?
  /// The mode; `nil` for the usual one.
  var mode: StudioModeWish?
}

/// A camera of a studio from its opening to its end: what records, and what looks.
final class CameraAtWork: Sendable {
  let recorder: TakeRecorder
  let id: String
  let pictures: LivePictures
  private let motion = Mutex<MotionTap?>(nil)
  private let levels: AudioTap?
  /// What hears the session's events, to the last.
  private let listener = Mutex<Task<Void, Never>?>(nil)

  /// A trigger that is seen late, and a frame more, so that a Motion Photo's film is whole.
  static let photoReach = MotionPhoto.reach + .milliseconds(100)

  /// Opens the camera; it captures nothing yet.
  ///
  /// - Throws: ``RecordError``, `OvercrankError` or `QuantityError`; nothing is set then.
  init(
    _ wish: CameraWish, _ options: StudioOptions, _ settings: StudioSettings, microphones: [MicrophoneName],
    triggers: [any TriggerSource]
  ) throws {
    let profiles = ProfileLibrary()
    var names = options.cameras
    if let id = wish.id { names = [id] }
    let name = names.count > 1 ? try CaptureDevice.first(of: names, profiles: profiles).name : names.first
    let device = try CaptureDevice(named: name, profiles: profiles)
    guard !device.clock.isVirtual else {
      throw OvercrankError(
        .badName,
        "\(device.name.asSubject) the studio shows a camera to people, in their time. Leave clock=virtual out."
      )
    }
    id = device.name
    var request = RecordRequest(
      rate: options.rate, criteria: options.criteria, quality: options.quality, controls: options.controls,
      turn: settings.turn == .none ? nil : settings.turn, clip: nil)
    try request.choose(wish.mode)
    request.plan = Self.plan(settings)
    let folder = options.folder ?? LibraryFolder.path
    try OwnFolder.make(folder, as: "the folder of takes", remedy: "Choose another folder.")
    TakeLibrary(folder).removeEmptyParts()
    request.output = folder.appending("overcrank-{date}T{time}.mp4")
    request.microphones = microphones
    request.capture.scheduling = .usual(for: device)
    request.triggers = triggers
    recorder = try TakeRecorder(device, request, profiles: profiles)
    pictures = LivePictures(of: recorder.session)
    levels = recorder.microphone == nil ? nil : AudioTap(minimumInterval: .milliseconds(50))
    if let levels { recorder.session.add(levels) }
  }

  /// Refuses a mode that a camera does not have, before the one at work is ended for it.
  ///
  /// - Throws: ``StudioError``.
  static func check(
    _ wish: StudioModeWish, in table: CameraTable, of camera: String, _ options: StudioOptions
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
          .refused, "\(camera) has no mode \(asked). Choose one that it lists; the camera stays as it is.")
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

  /// The newest levels of the microphone since the last call; `nil` where there are none.
  func newestLevels() -> [Double]? { levels?.poll()?.levels.map(\.peak) }

  /// Looks for motion by `settings` from now on; `nil` ends it.
  ///
  /// - Parameters:
  ///   - failed: is told why frames cannot be looked at.
  ///   - seen: is told each look.
  /// - Throws: `OvercrankError` where the settings do not fit the picture.
  func watch(
    _ settings: MotionSettings?, failed: @escaping @Sendable (OvercrankError) -> Void,
    seen: @escaping @Sendable (MotionLook) -> Void
  ) throws {
    try settings?.check(for: recorder.mode)
    let tap = try settings.map { try MotionTap($0, failed: failed, seen: seen) }
    let former = motion.withLock { motion in
      defer { motion = tap }
      return motion
    }
    former?.close()
    if let tap { recorder.session.add(tap) }
  }

  /// Has `task`, which hears the session's events, be waited for at the end.
  func isHeard(by task: Task<Void, Never>) { listener.withLock { $0 = task } }

  /// Waits until all that the session told has been dealt with.
  func heardAll() async { await listener.withLock { $0 }?.value }

  /// Ends the session, with a take in progress whole, and puts the camera back as it was.
  func end() async -> FinishedRecording {
    recorder.stop()
    let recording = await recorder.recorded()
    motion.withLock { $0.take() }?.close()
    levels?.close()
    pictures.close()
    // Its stills are written by then.
    _ = try? await recorder.finish()
    return recording
  }
}

extension RecordRequest {
  /// Asks for the mode that `wish` means.
  fileprivate mutating func choose(_ wish: StudioModeWish?) throws {
    switch wish {
    case nil: break
    case .rate(let rate):
      self.rate = .rate(try FrameRate(text: "\(rate)"))
      quality = []
    case .mode(let fourcc, let width, let height, let interval):
      guard let rate = interval.rate else {
        throw StudioError(.badRequest, "\(interval) is no time between two frames.")
      }
      self.rate = .rate(rate)
      quality = [try Quality(text: "\(width)x\(height)")]
      criteria = ModeChoice.Criteria(format: try FormatFilter(text: fourcc))
    }
  }
}
