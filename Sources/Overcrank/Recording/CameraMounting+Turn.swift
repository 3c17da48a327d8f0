import CameraModel

extension CameraMounting {
  /// The turn that makes its pictures upright; `nil` if they are, or if it is unknown.
  package var turn: PictureTurn? {
    guard let rotation, rotation % 360 != 0 else { return nil }
    // The driver counts counterclockwise.
    return PictureTurn(degrees: (360 - rotation % 360) % 360)
  }
}
