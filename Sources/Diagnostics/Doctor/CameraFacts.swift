public import Cameras
import FoundationEssentials
public import Platform
public import SystemPackage
import V4L2

/// What is known of a camera and its port before it films; what is not known is `nil`.
public struct CameraFacts: Hashable, Sendable {
  /// The node.
  public var path: FilePath
  /// Why it cannot be opened or used; `nil` where it can.
  public var failure: OvercrankError?
  /// Who may open it.
  public var access: NodeAccess?
  /// The driver's name.
  public var driver: String?
  /// The card's name.
  public var card: String?
  /// Whether another program streams from it.
  public var isStreamingElsewhere: Bool?
  /// The processes that have it open, as far as this user may see.
  public var holders: [DeviceHolder] = []
  /// The USB device that it is part of.
  public var usb: USBDevice?
  /// Its controls.
  public var controls: [CameraControl] = []

  init(path: FilePath) { self.path = path }

  /// Looks at the camera at `path`, without disturbing whoever uses it.
  public init(lookingAt path: FilePath, in folder: SystemFolder = SystemFolder()) {
    self.init(path: path)
    access = NodeAccess(of: path)
    holders = DeviceHolder.all(of: path, in: folder)
    usb = USBDevice(ofNode: path.resolvingLinks.name, in: folder)
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

/// Who owns a node and who may open it.
public struct NodeAccess: Hashable, Sendable {
  /// The user that owns it.
  public var owner: String
  /// The group that it belongs to.
  public var group: String
  /// The permission bits.
  public var mode: Int

  init(owner: String, group: String, mode: Int) {
    self.owner = owner
    self.group = group
    self.mode = mode
  }

  /// Those of the file at `path`; `nil` where there is none.
  init?(of path: FilePath) {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path.string),
      let mode = attributes[.posixPermissions] as? Int
    else { return nil }
    owner = attributes[.ownerAccountName] as? String ?? "not known"
    group = attributes[.groupOwnerAccountName] as? String ?? "not known"
    self.mode = mode
  }
}
