import Cameras
public import Platform
import SystemPackage
import V4L2

/// The identity of a camera, to find it again after it was unplugged, even under another node.
///
/// The identity is the camera's link in `/dev/v4l/by-id`, which contains maker, model and serial number;
/// otherwise its node, if a camera of the same kind is behind it; otherwise the only new node with such a
/// camera.
public struct CameraMark: Sendable {
  private let camera: CaptureDevice
  private let node: String
  private let kind: Kind
  private let links: Set<FilePath>
  /// The nodes of other cameras of this kind.
  private let others: Set<String>
  private let system: SystemFolder

  /// The folder with a subfolder for each node.
  private static let nodesFolder: FilePath = "/sys/class/video4linux"

  /// The properties of a node in sysfs, available without opening it.
  private struct Kind: Hashable, Sendable {
    /// The driver's name for the camera.
    var name: String?
    /// The index of the node among the camera's nodes, from 0.
    var index: String?
  }

  /// Creates the mark of `camera`, which must still be connected.
  public init(of camera: CaptureDevice, in system: SystemFolder = SystemFolder()) {
    self.camera = camera
    self.system = system
    // The name may be any link to the node.
    node = FilePath(camera.name).resolvingLinks.name
    kind = Self.kind(of: node, in: system)
    links = Set(system.linksByNode[node] ?? [])
    others = Set(Self.nodes(of: kind, in: system)).subtracting([node])
  }

  /// Returns the camera if it is connected again; always returns a simulated one, or a program.
  public func find() -> CaptureDevice? {
    guard case .camera = camera else { return camera }
    guard let node = nodeNow else { return nil }
    let path = FilePath("/dev").appending(node)
    // The node appears before the driver responds and before udev sets its permissions.
    guard let device = try? Device(path: path), (try? device.requireCapture()) != nil else { return nil }
    return .camera(V4L2Camera(path: path))
  }

  /// The camera's current node; `nil` if there is none, or several are possible.
  package var nodeNow: String? {
    let alike = Self.nodes(of: kind, in: system).filter { !others.contains($0) }
    if !links.isEmpty {
      // A serial number rules out other cameras.
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
