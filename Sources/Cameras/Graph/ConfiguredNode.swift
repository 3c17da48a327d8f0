import CameraModel
import SystemPackage
import Timebase
import V4L2

/// A video node that is set to a mode, and the media graph behind it.
///
/// Dropped in the order of its fields: the stream ends before its graph is put back.
struct ConfiguredNode: ~Copyable {
  var queue: CaptureQueue
  let graph: PipelineSetup

  /// The interval that was given: by the node, where it has one, else by the sensor.
  let acceptedInterval: FrameInterval?

  init(queue: consuming CaptureQueue, graph: consuming PipelineSetup) {
    let sensorInterval = graph.acceptedInterval
    acceptedInterval = queue.acceptedInterval ?? sensorInterval
    self.queue = queue
    self.graph = graph
  }

  /// Stops the stream and puts node and graph back as they were found.
  ///
  /// - Throws: ``CameraError`` for the first that could not be put back; the other is, even so.
  consuming func stop(on camera: FilePath) throws(CameraError) {
    var failure: CameraError?
    do throws(V4L2Error) { try queue.stop() } catch { failure = CameraError(error) }
    do throws(CameraError) { try graph.restore(on: camera) } catch { failure = failure ?? error }
    if let failure { throw failure }
  }
}

extension V4L2Camera {
  /// Opens the camera, sets up its media graph and asks for `mode`; the driver may have made
  /// another of it.
  func node(for mode: Mode) throws(CameraError) -> ConfiguredNode {
    let format = try pixelFormat(of: mode)
    let device = try open()
    let graph = try setUpGraph(of: device, for: mode)
    do throws(V4L2Error) {
      let queue =
        try device
        .configure(format, width: mode.width, height: mode.height, interval: mode.interval)
        .requestBuffers(count: Self.wantedBuffers)
      return ConfiguredNode(queue: queue, graph: graph)
    } catch {
      throw CameraError(error)
    }
  }

  /// The node, opened.
  func open() throws(CameraError) -> Device {
    do throws(V4L2Error) { return try Device(path: path) } catch { throw CameraError(error) }
  }
}
