package import CameraModel
package import Cameras
package import Platform

/// What a session captures from: how to open a camera, and how to find it again.
public struct CaptureSource: Sendable {
  /// The camera's name.
  public let name: String
  /// The clock that a session with it lives by.
  let clock: SessionClock
  /// Opens the camera with a configuration and captures it; a stop that is asked for meanwhile may leave it without
  /// frames.
  let open:
    @Sendable (SessionConfiguration, CaptureSettings, _ isStopped: @escaping () -> Bool)
      throws(CaptureError) -> CaptureRun
  /// Finds the camera again, perhaps under another name; `nil` if it is not there.
  let find: @Sendable () -> CaptureSource?
  /// Opens the controls through a descriptor of their own, while a stream of this configuration
  /// captures; `nil` where there are none.
  let controls: (@Sendable (SessionConfiguration) throws(OvercrankError) -> ControlPort)?
  /// Whether others may change the controls too.
  let isShared: Bool

  /// The source that `camera` is.
  public init(_ camera: CaptureDevice) {
    let mark = CameraMark(of: camera)
    name = camera.name
    clock = camera.clock
    open = { (configuration, settings, isStopped) throws(CaptureError) in
      switch camera {
      case .camera(let camera):
        let stream = try Self.opening { () throws(OvercrankError) in
          try camera.start(configuration.mode, making: configuration.controlChanges)
        }
        return try CaptureRun(stream, settings, .monotonic)
      case .simulated(let camera, _):
        let stream = try Self.opening { () throws(OvercrankError) in
          try camera.start(
            configuration.mode, making: configuration.controlChanges, unless: isStopped)
        }
        return try CaptureRun(stream, settings, camera.clock)
      }
    }
    find = { mark.find().map(CaptureSource.init) }
    controls = { (configuration) throws(OvercrankError) in
      try camera.controlPort(making: configuration.controlChanges)
    }
    isShared = if case .camera = camera { true } else { false }
  }

  private static func opening<Stream: ~Copyable>(
    _ start: () throws(OvercrankError) -> Stream
  ) throws(CaptureError) -> Stream {
    do throws(OvercrankError) { return try start() } catch { throw .camera(error) }
  }

  /// A source of the streams that `start` makes, such as a test's.
  package init<Stream: CameraStream & ~Copyable>(
    name: String, clock: SessionClock = .monotonic,
    _ start: @escaping @Sendable (Mode) throws(OvercrankError) -> Stream
  ) {
    self.name = name
    self.clock = clock
    open = { (configuration, settings, _) throws(CaptureError) in
      let stream = try Self.opening { () throws(OvercrankError) in try start(configuration.mode) }
      return try CaptureRun(stream, settings, clock)
    }
    find = { CaptureSource(name: name, clock: clock, start) }
    controls = nil
    isShared = false
  }
}
