import CameraModel
import V4L2

extension CameraTable {
  /// Takes over what the driver itself states of the sensor: its name, its pixels, and how the mode
  /// that the camera is set to is read from it.
  mutating func state(_ graph: MediaGraph?, of device: borrowing Device) throws(V4L2Error) {
    self.graph = graph
    if var graph, let sensor = graph.sensor {
      self.sensor = sensor.entity.name
      native = graph.nativeArea?.size
      if let reachable = graph.reachableRows(through: device, warnings: &warnings) {
        rows = reachable
      }
      self.graph = graph
      graph.activeReadout?.describe(&rows) { fourcc in
        // Where it is not known what leads to which format, the node is taken to change nothing but
        // the format.
        guard let codes = graph.busCodes[fourcc], let last = graph.lastCode else {
          return graph.busCodes.isEmpty
        }
        return codes.contains(last)
      }
      return
    }
    native = try device.selection(.nativeSize)?.size
    guard native != nil else { return }
    let format = try device.captureFormat()
    let readout = ActiveReadout(
      native: native, crop: try device.selection(.crop), compose: try device.selection(.compose),
      size: Dimensions(width: format.width, height: format.height))
    readout.describe(&rows) { $0 == format.pixelFormat.description }
  }
}
