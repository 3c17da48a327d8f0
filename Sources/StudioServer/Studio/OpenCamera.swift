import Overcrank
import Synchronization

/// A request for a camera and a mode, and for the cameras that record with it.
struct CameraRequest: Hashable, Sendable {
  /// The name by which it is opened; `nil` for the first available one of the studio's options.
  var id: String?
  /// The mode; `nil` for the default.
  var mode: StudioModeRequest?
  /// The further cameras.
  var further: [Further] = []

  /// A further camera.
  struct Further: Hashable, Sendable {
    /// The camera, with its usual mode.
    var camera: StudioOptions.Camera
    /// The mode; `nil` for the usual one.
    var mode: StudioModeRequest?
  }

  /// The name and the mode of the camera at `place`, in the order of the cameras.
  subscript(place: Int) -> (id: String?, mode: StudioModeRequest?) {
    get { place == 0 ? (id, mode) : (further[place - 1].camera.name, further[place - 1].mode) }
    set {
      guard place > 0 else { return (id, mode) = newValue }
      further[place - 1].camera.name = newValue.id ?? further[place - 1].camera.name
      further[place - 1].mode = newValue.mode
    }
  }
}

extension StudioOptions {
  /// The first request for the cameras.
  var wish: CameraRequest { CameraRequest(further: further.map { CameraRequest.Further(camera: $0) }) }

  /// The wishes for the first camera.
  var first: Camera {
    Camera(name: cameras.first ?? "", rate: rate, criteria: criteria, quality: quality)
  }
}

extension StudioOptions.Camera {
  /// A request for its usual mode.
  var request: RecordRequest { RecordRequest(rate: rate, criteria: criteria, quality: quality) }
}

/// A studio's camera from its opening to its end, with its recorder and the taps on its frames.
final class OpenCamera: Sendable {
  let recorder: TakeRecorder
  let id: String
  /// Its letter among the cameras of the studio; A if it is alone.
  let letter: String
  /// Whether other cameras record the same moments.
  let isOneOfSeveral: Bool
  let pictures: LivePictures
  /// The detection of motion and its newest result, which the tap's thread notes.
  private let motion = Mutex<(tap: MotionTap?, newest: StudioState.Motion?)>((nil, nil))
  private let levels: AudioTap?
  /// The number of photos for which the camera's light is on, and the values of its controls before.
  let litPhotos = Mutex<(count: Int, former: [ControlChange])>((0, []))

  /// The time before and after a Motion Photo's trigger. It allows for a trigger that is seen late, and for
  /// one frame more, so that the video is complete.
  static let photoReach = MotionPhoto.reach + .milliseconds(100)

  /// Creates the camera of `recorder`, which has not started.
  ///
  /// - Parameter letter: its letter among several cameras; `nil` for a lone one.
  init(_ recorder: TakeRecorder, letter: String? = nil) {
    self.recorder = recorder
    self.letter = letter ?? GroupCamera.name(0)
    isOneOfSeveral = letter != nil
    id = recorder.device.name
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

  /// The beginning of a message about it: its letter, if it is one of several.
  var subject: String { isOneOfSeveral ? "Camera \(letter): " : "" }

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
    _ wish: StudioModeRequest, in table: CameraTable, of camera: String, _ usual: StudioOptions.Camera
  ) throws(StudioError) {
    var request = usual.request
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

  /// Returns the times and triggers of takes by `settings`.
  static func plan(_ settings: StudioSettings) -> SessionPlan {
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
  func end() async {
    recorder.stop()
    _ = await recorder.recorded()
    closeTaps()
    // When this returns, the stills are written.
    _ = try? await recorder.finish()
  }

  /// Closes the taps on its frames.
  func closeTaps() {
    let tap = motion.withLock { motion in
      motion.newest = nil
      return motion.tap.take()
    }
    tap?.close()
    levels?.close()
    pictures.close()
  }
}

extension RecordRequest {
  /// Requests the mode that `wish` describes.
  mutating func choose(_ wish: StudioModeRequest?) throws {
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
