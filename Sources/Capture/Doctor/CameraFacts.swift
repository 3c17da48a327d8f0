public import Cameras
import FoundationEssentials
import V4L2

/// What is known of a camera and its port before it films; what is not known is `nil`.
public struct CameraFacts: Hashable, Sendable {
  /// The node.
  public var path: String
  /// Why it cannot be opened or used; `nil` where it can.
  public var failure: CameraError?
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
  public var usb: USBFacts?
  /// Its controls.
  public var controls: [CameraControl] = []

  init(path: String) { self.path = path }

  /// Looks at the camera at `path`, without disturbing whoever uses it.
  public init(lookingAt path: String, in folder: SystemFolder = SystemFolder()) {
    self.init(path: path)
    access = NodeAccess(of: path)
    holders = DeviceHolder.all(of: path, in: folder)
    let node = URL(filePath: path).resolvingSymlinksInPath().lastPathComponent
    usb = USBFacts(ofNode: node, in: folder)
    do throws(V4L2Error) {
      let device = try Device(path: path)
      (driver, card) = (device.capabilities.driver, device.capabilities.card)
      try device.requireCapture()
      isStreamingElsewhere = device.isStreamingElsewhere()
    } catch {
      failure = CameraError(error)
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
  init?(of path: String) {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
      let mode = attributes[.posixPermissions] as? Int
    else { return nil }
    owner = attributes[.ownerAccountName] as? String ?? "not known"
    group = attributes[.groupOwnerAccountName] as? String ?? "not known"
    self.mode = mode
  }
}

/// The USB device behind a node, as sysfs describes it.
public struct USBFacts: Hashable, Sendable {
  /// Its folder's name in /sys/bus/usb/devices, such as `1-2`; `nil` where it is not known.
  public var name: String?
  /// The link's speed in Mbit/s.
  public var megabitsPerSecond: Double?
  /// The version of USB that it says it follows (`bcdUSB`), such as 2.1.
  public var version: Double?
  /// Whether the kernel may put it to sleep.
  public var isAutosuspended: Bool?

  init(name: String?, megabitsPerSecond: Double?, version: Double?, isAutosuspended: Bool?) {
    self.name = name
    self.megabitsPerSecond = megabitsPerSecond
    self.version = version
    self.isAutosuspended = isAutosuspended
  }

  /// That of the node `node` (`video0`); `nil` where the camera is not on USB.
  init?(ofNode node: String, in folder: SystemFolder) {
    // The node's device is a USB interface; its parent is the USB device.
    let device = "/sys/class/video4linux/\(node)/device/.."
    guard folder.line("\(device)/idVendor") != nil else { return nil }
    func number(_ attribute: String) -> Double? {
      folder.line("\(device)/\(attribute)").flatMap { Double($0.filter { $0 != " " }) }
    }
    let path = URL(filePath: folder.root + "/sys/class/video4linux/\(node)/device").resolvingSymlinksInPath()
    self.init(
      name: path.deletingLastPathComponent().lastPathComponent, megabitsPerSecond: number("speed"),
      version: number("version"),
      isAutosuspended: folder.line("\(device)/power/control").map { $0 == "auto" })
  }
}
