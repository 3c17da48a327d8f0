public import Platform
public import CameraModel
public import Cameras
import Timebase

extension CameraTable {
  /// The table of the default simulated camera, `sim:`.
  public static let simulated = CameraTable(
    id: "sim", card: "Simulated camera", driver: "sim", bus: "sim", isMultiplanar: false,
    rows: SimulatedCameraDescription.default.modes.map { mode in
      ModeRow(
        fourcc: mode.format.description,
        size: .discrete(width: UInt32(mode.width), height: UInt32(mode.height)), intervals: mode.intervals)
    })
}

extension SimulatedCamera {
  /// Applies `changes` for the life of the stream, and starts capturing in `mode`.
  ///
  /// If `isStopped` returns `true` during drawing, the stream has no frames and ends as soon as it begins.
  ///
  /// - Throws: `OvercrankError`: `noMode` if the mode cannot be drawn, or the error of a required change that
  ///   failed.
  public func start(
    _ mode: Mode, making changes: [ControlChange] = [], unless isStopped: @escaping () -> Bool = { false }
  ) throws(OvercrankError) -> SimulatedStream<Clock> {
    let controls = controls.separate()
    let outcomes = controls.set(changes, on: name)
    if let failure = outcomes.first(where: { $0.change.isRequired && $0.failure != nil })?.failure {
      throw failure
    }
    guard let format = mode.pixelFormat else {
      throw OvercrankError(
        .noMode, "\(name.asSubject) \"\(mode.fourcc)\" is not a pixel format that can be drawn.")
    }
    return try start(
      format: format, width: Int(mode.width), height: Int(mode.height), interval: mode.interval,
      controls: controls.inForce(after: outcomes), unless: isStopped)
  }
}

extension SimulatedCameraDescription {
  /// Creates a description of the modes in `table` that can be drawn, each at its largest size.
  package init(_ table: CameraTable) {
    self.init(
      modes: ModeRanking.Offer.merging(table.rows).compactMap { offer -> Mode? in
        guard let format = PixelFormat(fourcc: offer.fourcc) else { return nil }
        return Mode(
          format: format, width: Int(offer.width), height: Int(offer.height), intervals: offer.intervals,
          rateRange: offer.rateRange)
      })
  }
}

extension SimulatedCamera {
  /// Returns the mode that the simulated driver accepts for `mode`.
  package func acceptance(of mode: Mode) throws(OvercrankError) -> AcceptedMode {
    AcceptedMode(
      fourcc: mode.fourcc, width: mode.width, height: mode.height,
      interval: mode.rate.flatMap { asked in
        let rate = acceptedRate(asked, width: Int(mode.width), height: Int(mode.height))
        return rate == asked ? mode.interval : FrameInterval(rate)
      })
  }
}
