public import Platform
import V4L2

extension V4L2Camera {
  /// All controls with their menus and present values: those of the video node, and of the parts of its
  /// media graph.
  public func controls() throws(OvercrankError) -> [CameraControl] {
    do throws(V4L2Error) { return try openControls().cameraControls() } catch { throw OvercrankError(error) }
  }

  /// Makes `changes`, which stay when the camera is closed, and says what came of each.
  public func make(_ changes: [ControlChange]) throws(OvercrankError) -> [ControlOutcome] {
    do throws(V4L2Error) {
      var controls = try openControls()
      return controls.make(changes, on: path.string)
    } catch {
      throw OvercrankError(error)
    }
  }

  /// Its controls, opened: the video node's, and those of the parts behind it.
  func openControls() throws(V4L2Error) -> CameraControls {
    CameraControls(try Device(path: path), sensor: sensor)
  }
}
