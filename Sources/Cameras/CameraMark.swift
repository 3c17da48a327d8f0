import FoundationEssentials
import V4L2

/// What a camera that went away is known again by, be it under another node.
///
/// That is its link under `/dev/v4l/by-id`, which names maker, model and serial number; else its node, if the same
/// kind of camera is behind it; else the only new node with this kind of camera.
public struct CameraMark: Sendable {
  private let camera: Camera
  private let node: String
  private let kind: Kind
  private let links: Set<String>
  /// Nodes of other cameras of this kind.
  private let others: Set<String>
  private let folders: Folders

  /// Where nodes are looked for.
  struct Folders: Sendable {
    var nodes = "/sys/class/video4linux"
    var links = "/dev/v4l/by-id"
  }

  /// What sysfs says of a node without opening it.
  private struct Kind: Hashable, Sendable {
    /// The driver's name for the camera.
    var name: String?
    /// Which of the camera's nodes it is, from 0.
    var index: String?
  }

  /// The mark of `camera`, which must still be there.
  public init(of camera: Camera) { self.init(of: camera, in: Folders()) }

  init(of camera: Camera, in folders: Folders) {
    self.camera = camera
    self.folders = folders
    // A camera may be named by any link.
    node = URL(filePath: camera.name).resolvingSymlinksInPath().lastPathComponent
    kind = Self.kind(of: node, in: folders)
    links = Set(Self.links(to: node, in: folders))
    others = Set(Self.nodes(of: kind, in: folders)).subtracting([node])
  }

  /// The camera, if it is there again; a simulated one always is.
  public func find() -> Camera? {
    guard case .device = camera else { return camera }
    guard let node = nodeNow else { return nil }
    let path = "/dev/\(node)"
    // The node comes before the driver answers, and udev may not have let this user in yet.
    guard let device = try? Device(path: path), (try? device.requireCapture()) != nil else { return nil }
    return .device(V4L2Camera(path: path))
  }

  /// The node that the camera has now; `nil` where there is none, or several might be it.
  var nodeNow: String? {
    let alike = Self.nodes(of: kind, in: folders).filter { !others.contains($0) }
    if !links.isEmpty {
      // A camera with a serial number is not taken for another.
      return alike.first { !links.isDisjoint(with: Self.links(to: $0, in: folders)) }
    }
    if alike.contains(node) { return node }
    return alike.count == 1 ? alike.first : nil
  }

  private static func nodes(of kind: Kind, in folders: Folders) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folders.nodes)) ?? []
    return names.filter { $0.hasPrefix("video") && Self.kind(of: $0, in: folders) == kind }
  }

  private static func kind(of node: String, in folders: Folders) -> Kind {
    func attribute(_ name: String) -> String? {
      FileManager.default.contents(atPath: "\(folders.nodes)/\(node)/\(name)").map {
        String(decoding: $0, as: UTF8.self)
      }
    }
    return Kind(name: attribute("name"), index: attribute("index"))
  }

  private static func links(to node: String, in folders: Folders) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folders.links)) ?? []
    return names.filter { name in
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folders.links)/\(name)")
      return target?.split(separator: "/").last.map(String.init) == node
    }
  }
}
