public import Platform
public import CameraModel
public import Cameras
public import Capture
import Media
import Takes
import Timebase

/// Looks for motion without recording, to find settings by.
///
/// ```swift
/// let meter = try MotionMeter(CaptureDevice(named: "sim:"), MotionSettings())
/// try meter.run { look in print(look.score) }
/// ```
public final class MotionMeter: Sendable {
  /// What captures.
  public let device: CaptureDevice
  /// How the mode came about.
  public let trial: ModeTrial
  /// The mode that is captured.
  public let mode: Mode
  /// What counts as motion.
  public let settings: MotionSettings
  private let session: CaptureSession

  /// Chooses the mode as a recording does, and tries it; captures nothing yet.
  ///
  /// - Parameters:
  ///   - device: the camera.
  ///   - settings: what counts as motion.
  ///   - rate: the rate to capture at; `nil` as for a recording.
  ///   - criteria: what else is asked of the mode.
  ///   - quality: the sizes that are wished for, the most wanted first.
  ///   - controls: how the camera's controls are set meanwhile.
  ///   - profiles: what is known of cameras beyond what their drivers say.
  /// - Throws: ``RecordError``; with `trigger` where the settings do not fit the picture.
  public init(
    _ device: CaptureDevice, _ settings: MotionSettings, rate: AskedRate? = nil,
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

  /// Looks until ``stop()``, on the calling thread, or until the camera fails.
  ///
  /// - Parameters:
  ///   - failed: is told why frames cannot be looked at.
  ///   - seen: is told each look, about sixty a second, on a thread of its own.
  /// - Throws: `OvercrankError` where the camera fails.
  public func run(
    failed: @escaping @Sendable (OvercrankError) -> Void = { _ in },
    seen: @escaping @Sendable (MotionLook) -> Void
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

  /// Ends the looks; from any thread.
  public func stop() { session.commands.send(.stop) }
}

/// The output of takes that never come.
private final class NoOutput: TakeOutput {
  let bytesWritten: Int64 = 0

  func write(
    _ frame: UnsafeRawBufferPointer, sequence: UInt32, timestampNanoseconds: Int64, isTimedAtDequeue: Bool
  ) {}
}
