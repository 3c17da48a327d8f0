public import CameraModel
package import Platform
public import SystemPackage
public import V4L2

/// A video node of this machine that can capture, or that could not be opened.
public struct VideoNode: Hashable, Sendable {
  /// `/dev/videoN`.
  public let path: FilePath
  /// Its links under `/dev/v4l/by-id`.
  public let links: [FilePath]
  /// The driver's capabilities; `nil` if the node could not be opened.
  public let capabilities: Capabilities?
  /// The reason why it could not be opened; `nil` if it could.
  public let failure: V4L2Error?
  /// The USB device behind it; `nil` if there is none.
  public let usb: USBDevice?
  /// The camera's orientation in the machine, and its purpose.
  public var mounting = CameraMounting()

  /// Returns every capture node of this machine, and every node that could not be opened, in order of number.
  ///
  /// - Parameter profiles: facts about cameras beyond what their drivers report.
  public static func all(profiles: ProfileLibrary = ProfileLibrary()) -> [VideoNode] {
    let system = SystemFolder()
    let links = system.linksByNode
    return system.nodeNumbers("video").compactMap { number -> VideoNode? in
      let name = "video\(number)"
      let path = FilePath("/dev").appending(name)
      let usb = USBDevice(ofNode: name)
      let links = links[name] ?? []
      do throws(V4L2Error) {
        let device = try Device(path: path)
        guard device.capabilities.canCapture else { return nil }
        let capabilities = device.capabilities
        let sensor = SensorNode(of: device)
        var mounting = CameraMounting(of: device, usb: usb, sensor: sensor)
        var table = CameraTable(
          card: capabilities.card, driver: capabilities.driver, bus: capabilities.busInfo,
          vendorProduct: usb?.vendorProduct, isMultiplanar: capabilities.isMultiplanar, rows: [])
        table.sensor = sensor?.name
        mounting.kind = profiles.profile(of: table)?.kind
        return VideoNode(
          path: path, links: links, capabilities: capabilities, failure: nil, usb: usb, mounting: mounting)
      } catch {
        return VideoNode(path: path, links: links, capabilities: nil, failure: error, usb: usb)
      }
    }
  }
}

extension VideoNode {
  /// Whether it may be chosen without being named.
  fileprivate var isUsual: Bool { capabilities != nil && mounting.kind?.isTakenOnlyByName != true }
}

extension CameraName {
  /// Finds the path of the node that a name means among this machine's cameras; without a name, the first
  /// that can capture.
  ///
  /// A camera for depth or infrared is found only by its path or name.
  ///
  /// - Parameters:
  ///   - name: the camera's name; `nil` for the first that can capture.
  ///   - profiles: facts about cameras beyond what their drivers report.
  /// - Throws: `OvercrankError` with code `noCamera` if none or several match.
  package static func path(
    of name: CameraName?, profiles: ProfileLibrary = ProfileLibrary()
  ) throws(OvercrankError) -> FilePath {
    try path(of: name, among: VideoNode.all(profiles: profiles))
  }

  /// Finds the path among these nodes.
  static func path(
    of name: CameraName?, among all: @autoclosure () -> [VideoNode]
  ) throws(OvercrankError) -> FilePath {
    switch name {
    case .path(let path):
      if Self.isVideo(path.string) { throw Self.video(path.string) }
      return path
    case .simulated(let address):
      throw OvercrankError(.noCamera, "\(address) is simulated, so it has no device node.")
    case .program(let name):
      throw OvercrankError(.noCamera, "\(name) is a program, so it has no device node.")
    case .card(let part):
      if Self.isVideo(part) { throw Self.video(part) }
      let nodes = all()
      let matches = nodes.filter { $0.capabilities?.card.lowercased().contains(part.lowercased()) ?? false }
      if let match = matches.first, matches.count == 1 { return match.path }
      let there = (matches.isEmpty ? nodes : matches).map { node in
        "\(node.path) (\(node.capabilities?.card ?? "may not be opened"))"
      }
      throw OvercrankError(
        .noCamera,
        matches.isEmpty
          ? "No camera's name contains \"\(part)\"" + Self.instead(of: part, there)
          : "\"\(part)\" is part of several names: \(there.joined(separator: ", ")). Give more of the name, or the path."
      )
    case .looking(let orientation):
      let nodes = all()
      if let first = nodes.first(where: { $0.isUsual && $0.mounting.orientation == orientation }) {
        return first.path
      }
      let there = nodes.map { node in
        "\(node.path) (\(node.mounting.orientation?.rawValue ?? "orientation unknown"))"
      }
      throw OvercrankError(
        .noCamera,
        "No camera is known to be \(orientation.rawValue). "
          + (there.isEmpty
            ? "This machine has no camera. The simulated one is \"\(simulatedPrefix)\"."
            : "The cameras are: \(there.joined(separator: ", "))."))
    case nil:
      let nodes = all()
      if let first = nodes.first(where: \.isUsual) { return first.path }
      if let refused = nodes.compactMap(\.failure).first { throw OvercrankError(refused) }
      let special = nodes.compactMap { node in node.mounting.kind.map { "\(node.path) (\($0.rawValue))" } }
      guard special.isEmpty else {
        throw OvercrankError(
          .noCamera,
          "There is no camera on this machine except \(special.joined(separator: ", ")), which must be named "
            + "to be used.")
      }
      throw OvercrankError(
        .noCamera, "There is no camera on this machine. Plug one in, or use the simulated one, \"sim:\".")
    }
  }

  /// Returns the end of a sentence that names the cameras to use instead of `part`.
  private static func instead(of part: String, _ cameras: [String]) -> String {
    let rest = part.drop { $0.isLetter || $0 == ":" }
    guard !part.lowercased().hasPrefix("sim") else {
      return ". Did you mean \"\(simulatedPrefix)\(rest)\", the simulated camera?"
    }
    return cameras.isEmpty
      ? ", and this machine has none. The simulated one is \"\(simulatedPrefix)\"."
      : ". The cameras are: \(cameras.joined(separator: ", "))."
  }

  /// Returns whether `name` is that of a video file.
  private static func isVideo(_ name: String) -> Bool {
    [".mp4", ".mov", ".mkv", ".nut", ".avi", ".webm", ".m4v"].contains(where: name.lowercased().hasSuffix)
  }

  private static func video(_ name: String) -> OvercrankError {
    OvercrankError(
      .noCamera, "\"\(name)\" is the name of a video file, but a camera must be named here.",
      remedy: .convertVideo(name))
  }
}

extension VideoNode: Encodable {
  enum CodingKeys: String, CodingKey {
    case node, card, driver, bus, usb, mplane, error
    case byID = "by_id"
    case usbSpeed = "usb_mbps"
    case mayOpen = "may_open"
  }

  /// Encodes an entry of the list of cameras; unknown values are `null`.
  public func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(path.string, forKey: .node)
    try keys.encode(links.map(\.string), forKey: .byID)
    try keys.encode(capabilities?.card, forKey: .card)
    try keys.encode(capabilities?.driver, forKey: .driver)
    try keys.encode(capabilities?.busInfo, forKey: .bus)
    try keys.encode(usb?.vendorProduct, forKey: .usb)
    try keys.encode(usb?.megabitsPerSecond, forKey: .usbSpeed)
    try keys.encode(capabilities?.isMultiplanar, forKey: .mplane)
    try keys.encode(capabilities != nil, forKey: .mayOpen)
    try keys.encode(failure?.description, forKey: .error)
    try mounting.encode(to: encoder)
  }
}
