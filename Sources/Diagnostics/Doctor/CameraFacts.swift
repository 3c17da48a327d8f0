public import Cameras
import FoundationEssentials
public import Platform
public import SystemPackage
import V4L2

/// The known facts about a camera and its port before a recording; `nil` for those that are unknown.
public struct CameraFacts: Hashable, Sendable {
  /// The device node's path.
  public var path: FilePath
  /// The reason why the camera cannot be opened or used; `nil` if it can.
  public var failure: OvercrankError?
  /// The node's owner and permissions.
  public var access: NodeAccess?
  /// The driver's name.
  public var driver: String?
  /// The card's name.
  public var card: String?
  /// Whether another program is streaming from the camera.
  public var isStreamingElsewhere: Bool?
  /// The processes that have the node open, as far as this user may see.
  public var holders: [DeviceHolder] = []
  /// The USB device that the camera belongs to.
  public var usb: USBDevice?
  /// The disks, network adapters and cameras that share its USB bus.
  public var busSharers: [String]?
  /// The camera's controls.
  public var controls: [CameraControl] = []

  init(path: FilePath) { self.path = path }

  /// Inspects the camera at `path` without disturbing other programs that use it.
  public init(lookingAt path: FilePath, in folder: SystemFolder = SystemFolder()) {
    self.init(path: path)
    access = NodeAccess(of: path)
    holders = DeviceHolder.all(of: path, in: folder)
    usb = USBDevice(ofNode: path.resolvingLinks.name, in: folder)
    busSharers = usb.flatMap { USBBus.others(than: $0, in: folder) }
    do throws(V4L2Error) {
      let device = try Device(path: path)
      (driver, card) = (device.capabilities.driver, device.capabilities.card)
      try device.requireCapture()
      isStreamingElsewhere = device.isStreamingElsewhere()
    } catch {
      failure = OvercrankError(error)
      return
    }
    controls = (try? V4L2Camera(path: path).controls()) ?? []
  }
}

/// A node's owner and permissions.
public struct NodeAccess: Hashable, Sendable {
  /// The owner's user name.
  public var owner: String
  /// The group's name.
  public var group: String
  /// The permission bits.
  public var mode: Int
}

extension NodeAccess {
  /// Creates the access to the file at `path`; `nil` if it does not exist.
  init?(of path: FilePath) {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path.string),
      let mode = attributes[.posixPermissions] as? Int
    else { return nil }
    self.init(
      owner: attributes[.ownerAccountName] as? String ?? "not known",
      group: attributes[.groupOwnerAccountName] as? String ?? "not known", mode: mode)
  }
}
