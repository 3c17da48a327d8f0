public import Platform
public import CameraModel
public import Cameras
import Timebase

extension CameraTable {
  /// What `sim:` alone behaves by.
  public static let simulated = CameraTable(
    id: "sim", card: "Simulated camera", driver: "sim", bus: "sim", isMultiplanar: false,
    rows: SimulatedCameraDescription.default.modes.map { mode in
      ModeRow(
        fourcc: mode.format.description,
        size: .discrete(width: UInt32(mode.width), height: UInt32(mode.height)), intervals: mode.intervals)
    })
}

extension SimulatedCamera {
  /// Makes `changes` for as long as the stream lasts, and starts filming in `mode`.
  ///
  /// Where `isStopped` says so while it draws, the stream has no frames, and ends as soon as it begins.
  /// - Throws: `OvercrankError`; `noMode` where it cannot be drawn, and what kept a required change from
  ///   being made.
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
        .noMode, "\(name.asSubject) \"\(mode.fourcc)\" is no pixel format that can be drawn.")
    }
    return try start(
      format: format, width: Int(mode.width), height: Int(mode.height), interval: mode.interval,
      controls: controls.inForce(after: outcomes), unless: isStopped)
  }
}

extension SimulatedCameraDescription {
  /// The modes of `table` that can be drawn, each at the largest of its sizes.
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
  /// What its driver makes of `mode`.
  package func acceptance(of mode: Mode) throws(OvercrankError) -> AcceptedMode {
    AcceptedMode(
      fourcc: mode.fourcc, width: mode.width, height: mode.height,
      interval: mode.rate.flatMap { asked in
        let rate = acceptedRate(asked, width: Int(mode.width), height: Int(mode.height))
        return rate == asked ? mode.interval : FrameInterval(rate)
      })
  }
}
