public import Timebase

/// The direction in which a camera faces.
public enum CameraOrientation: String, Codable, Hashable, Sendable, CaseIterable {
  /// Towards the user of the machine.
  case front
  /// Away from the user of the machine.
  case back
  /// Not fixed to the machine.
  case external
}

/// The purpose of a camera.
public enum CameraKind: String, Codable, Hashable, Sendable, CaseIterable {
  /// A wide field of view.
  case wide
  /// A narrow field of view.
  case telephoto
  /// Frames of distances.
  case depth
  /// Infrared light.
  case infrared

  /// Whether its frames are not ordinary pictures, so that it is only used if the user names it.
  public var isTakenOnlyByName: Bool { self == .depth || self == .infrared }
}

/// A camera's orientation in its machine, and its purpose; `nil` if unknown.
public struct CameraMounting: Codable, Hashable, Sendable {
  /// The direction in which it faces.
  @Nullable public var orientation: CameraOrientation?
  /// Its purpose.
  @Nullable public var kind: CameraKind?
  /// Degrees to turn its pictures counterclockwise so that they are upright:
  /// `V4L2_CID_CAMERA_SENSOR_ROTATION`.
  @Nullable public var rotation: Int?

  /// Creates a mounting of these facts.
  public init(orientation: CameraOrientation? = nil, kind: CameraKind? = nil, rotation: Int? = nil) {
    self.orientation = orientation
    self.kind = kind
    self.rotation = rotation
  }
}
