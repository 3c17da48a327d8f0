public import Platform
import V4L2

extension V4L2Camera {
  /// Returns all controls with their menus and present values: those of the video node, and of the parts of
  /// its media graph.
  public func controls() throws(OvercrankError) -> [CameraControl] {
    do throws(V4L2Error) { return try openControls().cameraControls() } catch { throw OvercrankError(error) }
  }

  /// Makes `changes`, which remain when the camera is closed, and returns the outcome of each.
  public func make(_ changes: [ControlChange]) throws(OvercrankError) -> [ControlOutcome] {
    do throws(V4L2Error) {
      var controls = try openControls()
      return controls.make(changes, on: path.string)
    } catch {
      throw OvercrankError(error)
    }
  }

  /// Opens its controls: the video node's, and those of the parts behind it.
  func openControls() throws(V4L2Error) -> CameraControls {
    CameraControls(try Device(path: path), sensor: sensor)
  }
}
