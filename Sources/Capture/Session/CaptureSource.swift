package import CameraModel
package import Cameras
package import Platform

/// A source of a session's frames, with the means to open a camera and to find it again.
public struct CaptureSource: Sendable {
  /// The camera's name.
  public let name: String
  /// The clock of a session with this camera.
  let clock: SessionClock
  /// Opens the camera with a configuration and starts capturing. If `isStopped` returns `true` meanwhile, the
  /// run may have no frames.
  let open:
    @Sendable (SessionConfiguration, CaptureSettings, _ isStopped: @escaping () -> Bool)
      throws(CaptureError) -> CaptureRun
  /// Finds the camera again, perhaps under another name; `nil` if it is not connected.
  let find: @Sendable () -> CaptureSource?
  /// Opens the controls through a separate descriptor, while a stream of this configuration captures; `nil`
  /// if there are none.
  let controls: (@Sendable (SessionConfiguration) throws(OvercrankError) -> ControlPort)?
  /// Whether other programs may change the controls too.
  let isShared: Bool

  /// Creates the source for `camera`.
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
        return try CaptureRun(stream, settings, .monotonic, unless: isStopped)
      case .simulated(let camera, _):
        let stream = try Self.opening { () throws(OvercrankError) in
          try camera.start(
            configuration.mode, making: configuration.controlChanges, unless: isStopped)
        }
        return try CaptureRun(stream, settings, camera.clock, unless: isStopped)
      case .program(let camera):
        return try CaptureRun(camera.start(), settings, .monotonic, unless: isStopped)
      }
    }
    find = { mark.find().map(CaptureSource.init) }
    controls =
      if case .program = camera {
        nil
      } else {
        { (configuration) throws(OvercrankError) in
          try camera.controlPort(making: configuration.controlChanges)
        }
      }
    isShared = if case .camera = camera { true } else { false }
  }

  private static func opening<Stream: ~Copyable>(
    _ start: () throws(OvercrankError) -> Stream
  ) throws(CaptureError) -> Stream {
    do throws(OvercrankError) { return try start() } catch { throw .camera(error) }
  }

  /// Creates a source from a function that starts a stream, such as a test's.
  package init<Stream: CameraStream & ~Copyable>(
    name: String, clock: SessionClock = .monotonic,
    _ start: @escaping @Sendable (Mode) throws(OvercrankError) -> Stream
  ) {
    self.name = name
    self.clock = clock
    open = { (configuration, settings, isStopped) throws(CaptureError) in
      let stream = try Self.opening { () throws(OvercrankError) in try start(configuration.mode) }
      return try CaptureRun(stream, settings, clock, unless: isStopped)
    }
    find = { CaptureSource(name: name, clock: clock, start) }
    controls = nil
    isShared = false
  }
}
