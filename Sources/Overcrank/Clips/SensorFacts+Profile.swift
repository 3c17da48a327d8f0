import CameraModel
import Cameras
import Media
import Retime
import Takes

extension SensorFacts {
  /// Looks up the sensor of `camera` in `profiles`; `nil` if they do not describe it.
  init?(of camera: CameraIdentity, in profiles: ProfileLibrary) {
    guard let profile = profiles.rawProfile(of: camera), let raw = profile.raw else { return nil }
    self.init(profile: profile.id, black: raw.blackPart, matrix: raw.matrix?.flatMap(\.self))
  }

  /// Looks up the sensor of `take` in the profiles; `nil` if they do not describe it, or its master is not
  /// raw.
  ///
  /// - Parameter profiles: evaluated only for raw masters.
  init?(of take: Take, _ profiles: () -> ProfileLibrary = { ProfileLibrary() }) {
    guard let codec = take.mode.pixelFormat.flatMap(MasterFormat.init)?.codec,
      VideoTrack(codec: codec, width: Int(take.mode.width), height: Int(take.mode.height)).isRaw
    else { return nil }
    self.init(of: take.camera, in: profiles())
  }
}
