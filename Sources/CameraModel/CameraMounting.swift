public import Timebase

/// Which way a camera looks.
public enum CameraOrientation: String, Codable, Hashable, Sendable, CaseIterable {
  /// At who uses the machine.
  case front
  /// Away from who uses the machine.
  case back
  /// It is not fixed to the machine.
  case external
}

/// What a camera is for.
public enum CameraKind: String, Codable, Hashable, Sendable, CaseIterable {
  /// It sees a wide field.
  case wide
  /// It sees a narrow field.
  case telephoto
  /// Its frames hold distances.
  case depth
  /// It sees infrared light.
  case infrared

  /// Whether its frames are no pictures that people film, so that it is taken only where it is named.
  public var isTakenOnlyByName: Bool { self == .depth || self == .infrared }
}

/// How a camera sits in its machine, and what it is for; `nil` where nobody says.
public struct CameraMounting: Codable, Hashable, Sendable {
  /// Which way it looks.
  @Nullable public var orientation: CameraOrientation?
  /// What it is for.
  @Nullable public var kind: CameraKind?
  /// The degrees that its pictures are to be turned by to be upright, counterclockwise:
  /// `V4L2_CID_CAMERA_SENSOR_ROTATION`.
  @Nullable public var rotation: Int?

  /// A camera of which this is known.
  public init(orientation: CameraOrientation? = nil, kind: CameraKind? = nil, rotation: Int? = nil) {
    self.orientation = orientation
    self.kind = kind
    self.rotation = rotation
  }
}
