public import CameraModel
public import Platform
public import SystemPackage
public import V4L2

/// A camera behind a video node.
public struct V4L2Camera: Sendable {
  /// The node, such as `/dev/video0`.
  public let path: FilePath
  /// The name of the sensor to film with, as the media graph has it, where several lead to the node; `nil` for the one
  /// that is linked to it.
  public let sensor: String?

  /// The camera at `path`, which is not opened yet.
  ///
  /// - Parameters:
  ///   - path: the video node.
  ///   - sensor: the sensor in the media graph to link to the node during a capture; `nil` for the
  ///     one that is linked.
  public init(path: FilePath, sensor: String? = nil) {
    self.path = path
    self.sensor = sensor
  }

  /// Asks the driver for all its modes.
  ///
  /// - Throws: `OvercrankError` where the node cannot be opened or does not capture.
  public func table() throws(OvercrankError) -> CameraTable {
    do {
      let device = try Device(path: path)
      try device.requireCapture()
      var warnings: [String] = []
      let graph = MediaGraph(around: device, from: sensor, warnings: &warnings)
      let more = graph?.busCodes.keys.sorted().compactMap { PixelFormat(fourcc: $0) }
      let walk = try ModeWalk(device, more: more ?? [])
      var table = CameraTable(
        card: device.capabilities.card, driver: device.capabilities.driver, bus: device.capabilities.busInfo,
        vendorProduct: usb?.vendorProduct, isMultiplanar: device.capabilities.isMultiplanar, rows: walk.rows,
        warnings: walk.warnings + warnings)
      try table.state(graph, of: device)
      table.mounting = CameraMounting(of: device, usb: usb, sensor: SensorNode(of: device))
      return table
    } catch {
      throw OvercrankError(error)
    }
  }

  /// Finds out whether there is such a node, and whether it captures.
  ///
  /// - Throws: `OvercrankError` with `noCamera` where not, others where it cannot be asked.
  package func checkIsThere() throws(OvercrankError) {
    do {
      try Device(path: path).requireCapture()
    } catch {
      throw OvercrankError(error)
    }
  }

  /// The USB device behind the node; `nil` where there is none.
  public var usb: USBDevice? { USBDevice(ofNode: nodeName) }

  /// `video0`, whatever link it was named by: sysfs knows no other.
  private var nodeName: String { path.resolvingLinks.name }

  /// Opens the camera, sets it to `mode` and makes `changes`; it films from ``V4L2Stream/begin()`` on.
  ///
  /// - Throws: `OvercrankError`; `noMode` where the driver gives another format or size than was asked, and what kept a
  ///   required change from being made.
  public func start(_ mode: Mode, making changes: [ControlChange] = []) throws(OvercrankError) -> V4L2Stream {
    var node = try node(for: mode)
    let given = node.queue.format
    guard given.pixelFormat == mode.pixelFormat, given.width == mode.width, given.height == mode.height else {
      throw OvercrankError(
        .noMode,
        "\(path): asked for \(mode.width)x\(mode.height) \(mode.fourcc), the driver gives \(given.width)x\(given.height) \(given.pixelFormat). Ask for that, or for another mode.",
        remedy: .chooseMode(camera: path.string))
    }
    let outcomes = node.make(changes, on: path.string)
    if let failure = outcomes.first(where: { $0.change.isRequired && $0.failure != nil })?.failure {
      throw failure
    }
    let controls = node.controlsInForce(after: outcomes)
    return V4L2Stream(node, of: path, controls: controls)
  }

  /// The pixel format of `mode`, as the kernel knows it.
  func pixelFormat(of mode: Mode) throws(OvercrankError) -> PixelFormat {
    guard let format = mode.pixelFormat else {
      throw OvercrankError(
        .noMode, "\(path): \"\(mode.fourcc)\" is no pixel format that a driver can be asked for.")
    }
    return format
  }

  /// How many buffers the driver is asked for: at 240 fps the capture thread may come 30 ms late.
  static let wantedBuffers = 8
}

extension OvercrankError {
  /// The error of a camera whose kernel call failed; the message stays whole.
  public init(_ error: V4L2Error) {
    let code: Code =
      switch error.code {
      case .noDevice, .notVideo: .noCamera
      case .noPermission: .noPermission
      case .busy: .busy
      case .unsupported: .noMode
      case .disconnected: .disconnected
      default: .failed
      }
    let holders = error.code == .busy ? DeviceHolder.all(of: error.device) : []
    let names = holders.map(\.description).joined(separator: ", ")
    self.init(
      code, names.isEmpty ? error.description : "\(error.description) It is open in \(names).",
      remedy: Remedy(error), cause: error.errno, subject: error.device.string)
  }
}

extension OvercrankError.Remedy {
  /// The remedy where the kernel refused; `nil` where the message says all.
  fileprivate init?(_ error: V4L2Error) {
    switch (error.code, error.call) {
    case (.noDevice, _), (.notVideo, _): self = .listCameras
    case (.bandwidth, _): self = .chooseLighterMode
    case (.unsupported, "VIDIOC_STREAMON"): self = .chooseFormatOrSize
    case (.outOfMemory, _): self = .chooseSmallerMode
    default: return nil
    }
  }
}
