public import CameraModel
public import Cameras
public import Capture
public import Diagnostics
public import Platform

/// Measures modes of a camera one after the other, with the controls and scheduling of a recording.
///
/// Unlike a recording, it does not try a mode first: the driver's handling of it is part of the measurement.
///
/// ```swift
/// let device = try CaptureDevice(named: "sim:")
/// let bench = try ModeBench(device, duration: .seconds(3))
/// for mode in bench.modes() {
///   let report = bench.measure(mode, with: try bench.controlPlan(for: mode))
///   print(mode, report.verdict?.summary ?? "nothing came")
/// }
/// ```
public struct ModeBench: Sendable {
  /// The camera to measure.
  public let device: CaptureDevice
  /// The modes that the camera claims.
  public let table: CameraTable
  /// The time for which each mode is captured.
  public let duration: Duration
  private let controls: ControlPolicy
  private let scheduling: CaptureScheduling

  /// Creates a bench for `device`.
  ///
  /// - Parameters:
  ///   - device: the camera to measure.
  ///   - table: the camera's modes; `nil` to query the camera.
  ///   - duration: the time for which each mode is captured; above zero.
  ///   - controls: the policy for the camera's controls during measurements.
  ///   - profiles: what is known of cameras beyond their drivers' reports.
  ///   - scheduling: the scheduling of the capture thread; `nil` for `CaptureScheduling.usual(for:)`.
  /// - Throws: `OvercrankError` if the camera does not report its modes.
  public init(
    _ device: CaptureDevice, table: CameraTable? = nil, duration: Duration,
    controls: ControlPolicy = ControlPolicy(), profiles: ProfileLibrary = ProfileLibrary(),
    scheduling: CaptureScheduling? = nil
  ) throws(OvercrankError) {
    self.device = device
    let table = if let table { table } else { try device.table(profiles: profiles) }
    self.table = table
    self.duration = duration
    self.controls = controls.needing(profiles.profile(of: table))
    self.scheduling = scheduling ?? .usual(for: device)
  }

  /// Returns every mode with a rate that meets `criteria`, in the driver's order; empty if there is none.
  public func modes(_ criteria: ModeChoice.Criteria = .init()) -> [Mode] {
    table.modes.filter { criteria.admits(fourcc: $0.fourcc, width: $0.width, height: $0.height) }
  }

  /// Returns the changes to the camera's controls for measuring `mode`.
  ///
  /// - Throws: `OvercrankError` if a requested control cannot be set.
  public func controlPlan(for mode: Mode) throws(OvercrankError) -> ControlPlan {
    try device.plan(controls, for: mode)
  }

  /// Measures `mode`.
  ///
  /// Blocks the calling thread for ``duration``, or until `stop` receives `SessionCommand.stop`. If no frame
  /// arrives, the report states why.
  ///
  /// - Parameters:
  ///   - mode: the mode to measure.
  ///   - plan: the changes to the camera's controls during the measurement.
  ///   - stop: the channel on which `SessionCommand.stop` ends the measurement early.
  ///   - progress: called with the progress about ten times a second.
  public func measure(
    _ mode: Mode, with plan: ControlPlan, stop: SessionCommands = SessionCommands(),
    progress: @escaping @Sendable (RateProgress) -> Void = { _ in }
  ) -> RateReport {
    let outcome = Result { () throws(CaptureError) in
      try RateBench.measure(
        device, in: mode, for: RecordingLimit(duration: duration),
        making: plan.changes, scheduling: scheduling, stop: stop, progress: progress)
    }
    return RateReport(
      camera: CameraIdentity(name: device.name, table: table), mode: mode, outcome: outcome,
      usb: device.usb)
  }
}
