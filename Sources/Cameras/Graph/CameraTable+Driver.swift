import CameraModel
import V4L2

extension CameraTable {
  /// Adopts what the driver itself states about the sensor: its name, its pixels, and how it is read in the
  /// current mode.
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
        // If the formats behind a bus code are unknown, the node is assumed to change nothing but the format.
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
