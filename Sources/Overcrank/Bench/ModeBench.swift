public import CameraModel
public import Cameras
public import Capture
public import Diagnostics
public import Platform
import Timebase

/// Measures modes of a camera one after the other, with the controls and the scheduling that a
/// recording would have.
///
/// A mode is not tried first, as a recording does: what the driver makes of it is part of what is
/// measured.
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
  /// What is measured.
  public let device: CaptureDevice
  /// All the modes that it claims.
  public let table: CameraTable
  /// How long each mode is captured.
  public let duration: Duration
  private let controls: ControlPolicy
  private let scheduling: CaptureScheduling

  /// A bench for `device`.
  ///
  /// - Parameters:
  ///   - device: what is measured.
  ///   - table: the camera's modes; `nil` to ask it.
  ///   - duration: how long each mode is captured; more than nothing.
  ///   - controls: how the camera's controls are set meanwhile.
  ///   - profiles: what is known of cameras beyond what their drivers say.
  ///   - scheduling: how the capture thread is scheduled; `nil` for `CaptureScheduling.usual(for:)`.
  /// - Throws: `OvercrankError` where the camera does not tell its modes.
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

  /// Every mode with a rate that `criteria` admit, in the driver's order; empty where there is none.
  public func modes(_ criteria: ModeChoice.Criteria = .init()) -> [Mode] {
    table.modes.filter { criteria.admits(fourcc: $0.fourcc, width: $0.width, height: $0.height) }
  }

  /// What is to be set on the camera while `mode` is measured.
  ///
  /// - Throws: `OvercrankError` where a control that was asked for cannot be set.
  public func controlPlan(for mode: Mode) throws(OvercrankError) -> ControlPlan {
    try device.plan(controls, for: mode)
  }

  /// What comes of `mode`.
  ///
  /// Blocks the calling thread for ``duration``, or until `stop` is sent `SessionCommand.stop`.
  /// Where no frame came, the report says why.
  ///
  /// - Parameters:
  ///   - mode: what is measured.
  ///   - plan: what is set on the camera meanwhile.
  ///   - stop: where a `SessionCommand.stop` ends the measurement early.
  ///   - progress: is told how it stands, about ten times a second.
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
