import V4L2

extension V4L2Camera {
  /// All controls with their menus and present values.
  public func controls() throws(CameraError) -> [CameraControl] {
    do {
      let device = try Device(path: path)
      return try device.cameraControls()
    } catch {
      throw CameraError(error)
    }
  }

  /// Makes `changes`, which stay when the camera is closed, and says what came of each.
  public func make(_ changes: [ControlChange]) throws(CameraError) -> [ControlOutcome] {
    do {
      var device = try Device(path: path)
      return device.make(changes, on: path.string)
    } catch {
      throw CameraError(error)
    }
  }
}
