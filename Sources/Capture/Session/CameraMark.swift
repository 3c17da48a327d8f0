import Cameras
public import Platform
import SystemPackage
import V4L2

/// What a camera that went away is known again by, be it under another node.
///
/// That is its link under `/dev/v4l/by-id`, which names maker, model and serial number; else its node, if the same
/// kind of camera is behind it; else the only new node with this kind of camera.
public struct CameraMark: Sendable {
  private let camera: CaptureDevice
  private let node: String
  private let kind: Kind
  private let links: Set<FilePath>
  /// Nodes of other cameras of this kind.
  private let others: Set<String>
  private let system: SystemFolder

  /// The folder with a folder for each node.
  private static let nodesFolder: FilePath = "/sys/class/video4linux"

  /// What sysfs says of a node without opening it.
  private struct Kind: Hashable, Sendable {
    /// The driver's name for the camera.
    var name: String?
    /// Which of the camera's nodes it is, from 0.
    var index: String?
  }

  /// The mark of `camera`, which must still be there.
  public init(of camera: CaptureDevice, in system: SystemFolder = SystemFolder()) {
    self.camera = camera
    self.system = system
    // A camera may be named by any link.
    node = FilePath(camera.name).resolvingLinks.name
    kind = Self.kind(of: node, in: system)
    links = Set(system.linksByNode[node] ?? [])
    others = Set(Self.nodes(of: kind, in: system)).subtracting([node])
  }

  /// The camera, if it is there again; a simulated one always is.
  public func find() -> CaptureDevice? {
    guard case .camera = camera else { return camera }
    guard let node = nodeNow else { return nil }
    let path = FilePath("/dev").appending(node)
    // The node comes before the driver answers, and udev may not have let this user in yet.
    guard let device = try? Device(path: path), (try? device.requireCapture()) != nil else { return nil }
    return .camera(V4L2Camera(path: path))
  }

  /// The node that the camera has now; `nil` where there is none, or several might be it.
  package var nodeNow: String? {
    let alike = Self.nodes(of: kind, in: system).filter { !others.contains($0) }
    if !links.isEmpty {
      // A camera with a serial number is not taken for another.
      let linksNow = system.linksByNode
      return alike.first { !links.isDisjoint(with: linksNow[$0] ?? []) }
    }
    if alike.contains(node) { return node }
    return alike.count == 1 ? alike.first : nil
  }

  private static func nodes(of kind: Kind, in system: SystemFolder) -> [String] {
    system.names(in: nodesFolder).filter { $0.hasPrefix("video") && Self.kind(of: $0, in: system) == kind }
  }

  private static func kind(of node: String, in system: SystemFolder) -> Kind {
    let folder = nodesFolder.appending(node)
    return Kind(name: system.line(folder.appending("name")), index: system.line(folder.appending("index")))
  }
}
