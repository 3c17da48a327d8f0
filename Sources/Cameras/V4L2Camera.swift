public import CameraModel
public import Platform
public import SystemPackage
public import V4L2

/// A camera behind a video node.
public struct V4L2Camera: Sendable {
  /// The node, such as `/dev/video0`.
  public let path: FilePath
  /// The media graph's name of the sensor to capture with, if several lead to the node; `nil` for the one
  /// that is linked to it.
  public let sensor: String?

  /// Creates the camera at `path`, which is not opened yet.
  ///
  /// - Parameters:
  ///   - path: the video node.
  ///   - sensor: the sensor in the media graph to link to the node during a capture; `nil` for the one that
  ///     is linked.
  public init(path: FilePath, sensor: String? = nil) {
    self.path = path
    self.sensor = sensor
  }

  /// Reads all modes from the driver.
  ///
  /// - Throws: `OvercrankError` if the node cannot be opened or does not capture.
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

  /// Checks that the node exists and captures.
  ///
  /// - Throws: `OvercrankError` with `noCamera` if not, with other codes if it cannot be opened.
  package func checkExists() throws(OvercrankError) {
    do {
      try Device(path: path).requireCapture()
    } catch {
      throw OvercrankError(error)
    }
  }

  /// The USB device behind the node; `nil` if there is none.
  public var usb: USBDevice? { USBDevice(ofNode: nodeName) }

  /// The node's name, such as `video0`, with links resolved: sysfs knows no other.
  private var nodeName: String { path.resolvingLinks.name }

  /// Opens the camera, sets it to `mode` and makes `changes`; it captures from ``V4L2Stream/begin()`` on.
  ///
  /// - Throws: `OvercrankError`; `noMode` if the driver sets another format or size than requested, or the
  ///   failure of a required change.
  public func start(_ mode: Mode, making changes: [ControlChange] = []) throws(OvercrankError) -> V4L2Stream {
    var node = try node(for: mode)
    let given = node.queue.format
    guard given.pixelFormat == mode.pixelFormat, given.width == mode.width, given.height == mode.height else {
      throw OvercrankError(
        .noMode,
        "\(path): asked for \(mode.width)x\(mode.height) \(mode.fourcc), the driver gives \(given.width)x\(given.height) \(given.pixelFormat). Request that mode or another one.",
        remedy: .chooseMode(camera: path.string))
    }
    let outcomes = node.make(changes, on: path.string)
    if let failure = outcomes.first(where: { $0.change.isRequired && $0.failure != nil })?.failure {
      throw failure
    }
    let controls = node.controlsInForce(after: outcomes)
    return V4L2Stream(node, of: path, controls: controls)
  }

  /// Returns the kernel's pixel format for `mode`.
  func pixelFormat(of mode: Mode) throws(OvercrankError) -> PixelFormat {
    guard let format = mode.pixelFormat else {
      throw OvercrankError(
        .noMode, "\(path): \"\(mode.fourcc)\" is not a V4L2 pixel format.")
    }
    return format
  }

  /// The number of buffers to request: at 240 fps the capture thread may then be 30 ms late.
  package static let wantedBuffers = 8
}

extension OvercrankError {
  /// Creates the error for a camera's failed kernel call; keeps the whole message.
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
  /// Creates the remedy for a failed kernel call; `nil` if the message says all.
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
