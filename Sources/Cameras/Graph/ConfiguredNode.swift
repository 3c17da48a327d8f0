import Platform
import CameraModel
import SystemPackage
import Timebase
import V4L2

/// A video node that is set to a mode, and the media graph behind it.
///
/// Dropped in the order of its fields: the stream ends before the controls of the parts and the graph are
/// restored.
struct ConfiguredNode: ~Copyable {
  var queue: CaptureQueue
  private var parts: SetPartControls
  let graph: PipelineSetup

  /// The accepted interval: the node's, if it has one, else the sensor's.
  let acceptedInterval: FrameInterval?

  init(queue: consuming CaptureQueue, graph: consuming PipelineSetup, sensor: String? = nil) {
    let sensorInterval = graph.acceptedInterval
    acceptedInterval = queue.acceptedInterval ?? sensorInterval
    parts = SetPartControls(PartControls(behind: queue.device, from: sensor))
    self.queue = queue
    self.graph = graph
  }

  /// Stops the stream and restores node and graph.
  ///
  /// - Throws: `OvercrankError` for the first that could not be restored; the others are restored even so.
  consuming func stop(on camera: FilePath) throws(OvercrankError) {
    var failure: OvercrankError?
    do throws(V4L2Error) { try queue.stop() } catch { failure = OvercrankError(error) }
    do throws(V4L2Error) { try parts.restore() } catch { failure = failure ?? OvercrankError(error) }
    do throws(OvercrankError) { try graph.restore(on: camera) } catch { failure = failure ?? error }
    if let failure { throw failure }
  }
}

extension ConfiguredNode: ControlDriver {
  borrowing func allControls() throws(V4L2Error) -> [Control] {
    try queue.device.allControls() + parts.parts.all()
  }

  borrowing func control(_ id: UInt32) -> Control? {
    parts.parts.has(id) ? parts.parts.control(id) : queue.device.control(id)
  }

  borrowing func items(of control: Control) -> [ControlMenuItem] {
    parts.parts.has(control.id) ? parts.parts.items(of: control) : queue.device.items(of: control)
  }

  mutating func setControl(_ id: UInt32, to value: Int64) throws(V4L2Error) {
    if parts.parts.has(id) {
      try parts.setControl(id, to: value)
    } else {
      try queue.setControl(id, to: value)
    }
  }
}

extension V4L2Camera {
  /// Opens the camera, sets up its media graph and requests `mode`; the driver may have changed it.
  func node(for mode: Mode) throws(OvercrankError) -> ConfiguredNode {
    let format = try pixelFormat(of: mode)
    let device = try open()
    let graph = try setUpGraph(of: device, for: mode)
    let queue: CaptureQueue
    do throws(V4L2Error) {
      queue =
        try device
        .configure(format, width: mode.width, height: mode.height, interval: mode.interval)
        .requestBuffers(count: Self.wantedBuffers)
    } catch {
      throw OvercrankError(error)
    }
    guard queue.format.encoding != .hueIn256Steps else {
      throw OvercrankError(
        .noMode,
        "\(path): hues in 256 steps, as its driver states them for \(format), are not supported, only in steps of two "
          + "degrees. Choose another format.")
    }
    return ConfiguredNode(queue: queue, graph: graph, sensor: sensor)
  }

  /// Opens the node.
  func open() throws(OvercrankError) -> Device {
    do throws(V4L2Error) { return try Device(path: path) } catch { throw OvercrankError(error) }
  }
}
