import FoundationEssentials
import Timebase
import V4L2

/// Anything that can film: a video node, or a simulated camera.
///
/// Chosen once, before filming: on the frame path the two are different types, so that a frame costs no
/// dynamic dispatch.
public enum Camera: Sendable {
  /// A camera behind a video node.
  case device(V4L2Camera)
  /// A simulated camera, and the table that it behaves by.
  case simulated(SimulatedCamera<MonotonicClock>, CameraTable)

  /// The camera that `name` means; without a name, the first of this machine that can capture.
  ///
  /// - Parameter profiles: what a simulated camera may behave by.
  /// - Throws: ``CameraError`` where there is none, or the name fits several.
  public init(named name: String?, profiles: ProfileLibrary) throws(CameraError) {
    let name = name.map(CameraName.init)
    guard case .simulated(let text) = name else {
      self = .device(V4L2Camera(path: try CameraName.path(of: name)))
      return
    }
    let address: SimulatedCameraAddress
    do throws(QuantityError) {
      address = try SimulatedCameraAddress(text: text)
    } catch {
      throw CameraError(.badName, "\(error).")
    }
    let table = try Self.table(ofSimulated: address.name, profiles)
    let camera = SimulatedCamera(
      name: text, description: SimulatedCameraDescription(table), faults: address.faults)
    self = .simulated(camera, table)
  }

  private static func table(
    ofSimulated name: String, _ profiles: ProfileLibrary
  ) throws(CameraError) -> CameraTable {
    guard !name.isEmpty else { return .simulated }
    if let entry = profiles[name] { return CameraTable(entry.profile) }
    guard let bytes = FileManager.default.contents(atPath: name) else {
      let near = profiles.ids(near: name).map { "\"sim:\($0)\"" }.joined(separator: ", ")
      throw CameraError(
        .noCamera,
        "There is no simulated camera \"sim:\(name)\". \(near.isEmpty ? "" : "Near: \(near). ")\"sim:\" is the default one; \"sim:ID\" behaves by a profile of \"overcrank profiles list\", \"sim:FILE\" by a table such as \"overcrank formats --json\" or \"v4l2-ctl --list-formats-ext\" prints; faults follow a comma, as in \"sim:,drop=100-109\"."
      )
    }
    return try CameraTable(contents: bytes, named: name)
  }

  /// How it was opened: a path, or `sim:` and what followed.
  public var name: String {
    switch self {
    case .device(let camera): camera.path
    case .simulated(let camera, _): camera.name
    }
  }

  /// All the modes that it claims, with what `profiles` know of them.
  public func table(profiles: ProfileLibrary) throws(CameraError) -> CameraTable {
    switch self {
    case .device(let camera): try camera.table().described(by: profiles)
    case .simulated(_, let table): table.measured(by: profiles)
    }
  }
}

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
  /// Starts filming in `mode`.
  ///
  /// - Throws: ``CameraError`` with `noMode` where it cannot be drawn.
  public func start(_ mode: Mode) throws(CameraError) -> SimulatedStream<Clock> {
    guard let format = mode.pixelFormat else {
      throw CameraError(.noMode, "\(name): \"\(mode.fourcc)\" is no pixel format that can be drawn.")
    }
    return try start(
      format: format, width: Int(mode.width), height: Int(mode.height), interval: mode.interval)
  }
}

extension SimulatedCameraDescription {
  /// The modes of `table` that can be drawn, each at the largest of its sizes.
  init(_ table: CameraTable) {
    self.init(
      modes: Offer.merging(table.rows).compactMap { offer in
        guard let format = PixelFormat(fourcc: offer.fourcc) else { return nil }
        return Mode(
          format: format, width: Int(offer.width), height: Int(offer.height), intervals: offer.intervals,
          rateRange: offer.rateRange)
      })
  }
}
