import CameraModel
import SystemPackage
import V4L2

extension CameraMounting {
  /// `V4L2_CID_CAMERA_ORIENTATION` of linux/v4l2-controls.h: 0 front, 1 back, 2 external.
  static let orientationID: UInt32 = 0x009a_0922
  /// `V4L2_CID_CAMERA_SENSOR_ROTATION`: degrees, counterclockwise.
  static let rotationID: UInt32 = 0x009a_0923

  /// Creates a mounting from a driver's controls and from what sysfs reports about the port.
  ///
  /// - Parameters:
  ///   - isPortRemovable: whether the camera can be unplugged; `nil` if unknown. A camera that is built in
  ///     may look either way.
  ///   - control: the value of the control with this id; `nil` if the driver has no such control.
  init(isPortRemovable: Bool?, control: (UInt32) -> Int64?) {
    let orientations: [Int64: CameraOrientation] = [0: .front, 1: .back, 2: .external]
    self.init(
      orientation: control(Self.orientationID).flatMap { orientations[$0] }
        ?? (isPortRemovable == true ? .external : nil),
      rotation: control(Self.rotationID).flatMap { (0..<360).contains($0) ? Int($0) : nil })
  }

  /// Reads the mounting of the camera behind `device`, from the node's own controls, else from those of its
  /// sensor in the media graph.
  init(of device: borrowing Device, usb: USBDevice?, sensor: SensorNode?) {
    let ids = [Self.orientationID, Self.rotationID]
    var values = ids.map { device.control($0)?.value }
    if values.contains(nil), let sensor, let subdevice = try? Subdevice(path: sensor.path) {
      for place in ids.indices { values[place] = values[place] ?? subdevice.control(ids[place])?.value }
    }
    let known = Dictionary(uniqueKeysWithValues: zip(ids, values))
    self.init(isPortRemovable: usb?.isPortRemovable) { known[$0] ?? nil }
  }
}

/// The sensor that leads to a video node.
struct SensorNode {
  /// Its name in the media graph.
  var name: String
  /// Its sub-device.
  var path: FilePath

  /// Finds the sensor of `device`; `nil` if there is none, or it has no sub-device.
  init?(of device: borrowing Device) {
    guard let place = GraphPlace(of: device), let id = place.chain.sensor,
      let name = place.topology.entities.first(where: { $0.id == id })?.name,
      let node = place.topology.nodes[id]
    else { return nil }
    (self.name, path) = (name, FilePath(node))
  }
}
