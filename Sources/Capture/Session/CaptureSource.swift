package import CameraModel
package import Cameras

/// What a session captures from: how to open a camera, and how to find it again.
public struct CaptureSource: Sendable {
  /// The camera's name.
  public let name: String
  /// Opens the camera with a configuration and captures it.
  let open: @Sendable (SessionConfiguration, CaptureSettings) throws(CaptureError) -> CaptureRun
  /// Finds the camera again, perhaps under another name; `nil` if it is not there.
  let find: @Sendable () -> CaptureSource?
  /// Sets a control through a descriptor of its own.
  let set: @Sendable (ControlChange) throws(CameraError) -> ControlOutcome

  /// The source that `camera` is.
  public init(_ camera: CaptureDevice) {
    let mark = CameraMark(of: camera)
    name = camera.name
    open = { (configuration, settings) throws(CaptureError) in
      switch camera {
      case .camera(let camera):
        let stream = try Self.opening { () throws(CameraError) in
          try camera.start(configuration.mode, making: configuration.controlChanges)
        }
        return try CaptureRun(stream, settings)
      case .simulated(let camera, _):
        let stream = try Self.opening { () throws(CameraError) in
          try camera.start(configuration.mode, making: configuration.controlChanges)
        }
        return try CaptureRun(stream, settings)
      }
    }
    find = { mark.find().map(CaptureSource.init) }
    set = { (change) throws(CameraError) in
      guard let outcome = try camera.make([change]).first else {
        throw CameraError(.noControl, "\(camera.name) has no control \(change.name) that can be set.")
      }
      return outcome
    }
  }

  private static func opening<Stream: ~Copyable>(
    _ start: () throws(CameraError) -> Stream
  ) throws(CaptureError) -> Stream {
    do throws(CameraError) { return try start() } catch { throw .camera(error) }
  }

  /// A source of the streams that `start` makes, such as a test's.
  package init<Stream: CameraStream & ~Copyable>(
    name: String, _ start: @escaping @Sendable (Mode) throws(CameraError) -> Stream
  ) {
    self.name = name
    open = { (configuration, settings) throws(CaptureError) in
      let stream = try Self.opening { () throws(CameraError) in try start(configuration.mode) }
      return try CaptureRun(stream, settings)
    }
    find = { CaptureSource(name: name, start) }
    set = { (change) throws(CameraError) in
      throw CameraError(.noControl, "\(name) has no controls: \(change.name) cannot be set.")
    }
  }
}
