public import Platform
public import CameraModel
public import Cameras
public import Capture
import Takes

/// A measurement of motion without recording, for finding settings.
///
/// ```swift
/// let meter = try MotionMeter(CaptureDevice(named: "sim:"), MotionSettings())
/// try meter.run { look in print(look.score) }
/// ```
public final class MotionMeter: Sendable {
  /// The camera.
  public let device: CaptureDevice
  /// The trial that selected the mode.
  public let trial: ModeTrial
  /// The mode to capture.
  public let mode: Mode
  /// The criteria for motion.
  public let settings: MotionSettings
  private let session: CaptureSession

  /// Chooses the mode as for a recording, and tries it; captures nothing yet.
  ///
  /// - Parameters:
  ///   - device: the camera.
  ///   - settings: the criteria for motion.
  ///   - rate: the rate to capture at; `nil` for a recording's default.
  ///   - criteria: other requirements on the mode.
  ///   - quality: the preferred sizes, most wanted first.
  ///   - controls: the policy for the camera's controls during the measurement.
  ///   - profiles: what is known of cameras beyond their drivers' reports.
  /// - Throws: ``RecordError``; with `trigger` if the settings do not fit the picture.
  public init(
    _ device: CaptureDevice, _ settings: MotionSettings, rate: RequestedRate? = nil,
    criteria: ModeChoice.Criteria = .init(), quality: [Quality] = [], controls: ControlPolicy = .init(),
    profiles: ProfileLibrary = ProfileLibrary()
  ) throws(RecordError) {
    do {
      let table = try device.table(profiles: profiles)
      let choices = ModeChoice.possible(
        ModeChoice.choices(from: table, for: rate, criteria, quality: quality))
      if let choice = choices.first, choice.mode == nil {
        throw RecordError.noMode(choice, table, camera: device.name)
      }
      let trial = try device.trial(of: choices)
      guard let mode = trial.mode else { throw RecordError.modesRefused(trial, camera: device.name) }
      try settings.check(for: mode)
      let plan = try device.plan(controls.needing(profiles.profile(of: table)), for: mode)
      self.device = device
      self.trial = trial
      self.mode = mode
      self.settings = settings
      session = CaptureSession(
        SessionSetup(
          CaptureSource(device), SessionConfiguration(mode: mode, controlChanges: plan.changes),
          SessionPlan(preRoll: .zero, limit: RecordingLimit(), takeCount: nil),
          settings: CaptureSettings(scheduling: .usual(for: device)), makeOutput: { _ in NoOutput() }))
    } catch {
      throw RecordError(error)
    }
  }

  /// Measures motion on the calling thread until ``stop()``, or until the camera fails.
  ///
  /// - Parameters:
  ///   - failed: called with the error if frames cannot be examined.
  ///   - seen: called with each result, about sixty times a second, on a thread of its own.
  /// - Throws: `OvercrankError` if the camera fails.
  public func run(
    failed: @escaping @Sendable (OvercrankError) -> Void = { _ in },
    seen: @escaping @Sendable (FrameMotion) -> Void
  ) throws(OvercrankError) {
    do {
      let tap = try MotionTap(settings, failed: failed, seen: seen)
      session.commands.sourceBegan()
      session.add(tap)
      let end = try session.run()
      tap.close()
      if let failure = end.failure { throw failure }
      if let failure = end.restoreFailure { throw failure }
    } catch {
      throw OvercrankError(recording: error)
    }
  }

  /// Ends the measurement. Can be called from any thread.
  public func stop() { session.commands.send(.stop) }
}

/// An output for takes that never occur.
private final class NoOutput: TakeOutput {
  let bytesWritten: Int64 = 0

  func write(
    _ frame: UnsafeRawBufferPointer, sequence: UInt32, timestampNanoseconds: Int64, isTimedAtDequeue: Bool
  ) {}
}
