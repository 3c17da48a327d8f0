import CameraModel
import Timebase
public import V4L2

/// The lists of a sensor's sub-device, read one entry at a time; each function returns `nil` at the end of
/// its list.
protocol SensorDriver: ~Copyable {
  func busCode(at index: UInt32, ofPad pad: UInt32) throws(V4L2Error) -> MediaBusCode?
  func frameSize(
    of code: MediaBusCode, at index: UInt32, ofPad pad: UInt32
  ) throws(V4L2Error) -> FrameSize?
  func frameInterval(
    of code: MediaBusCode, size: Dimensions, at index: UInt32, ofPad pad: UInt32
  ) throws(V4L2Error) -> FrameInterval?
}

extension Subdevice: SensorDriver {}

extension ListReader {
  /// Returns all modes that the sensor behind `driver` lists for its `pad`; codes without a size are left
  /// out.
  mutating func sensorModes(
    of driver: borrowing some SensorDriver & ~Copyable, pad: UInt32
  ) throws(V4L2Error) -> [SensorMode] {
    var modes: [SensorMode] = []
    for code in try busCodes(of: driver, pad: pad) {
      let sizes = try list("sizes of \(code)") { index throws(V4L2Error) in
        try driver.frameSize(of: code, at: index, ofPad: pad)
      }
      for size in sizes {
        let largest = size.largest
        let intervals = try list("intervals of \(code) at \(largest)") {
          index throws(V4L2Error) in
          try driver.frameInterval(of: code, size: largest, at: index, ofPad: pad)
        }
        modes.append(SensorMode(code: code.description, size: size, intervals: intervals))
      }
    }
    return modes
  }

  /// Returns the bus formats that `pad` lists.
  mutating func busCodes(
    of driver: borrowing some SensorDriver & ~Copyable, pad: UInt32
  ) throws(V4L2Error) -> [MediaBusCode] {
    try list("bus formats of pad \(pad)") { index throws(V4L2Error) in
      try driver.busCode(at: index, ofPad: pad)
    }
  }
}
