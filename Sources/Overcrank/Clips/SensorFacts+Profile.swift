import CameraModel
import Cameras
import Media
import Retime
import Takes

extension SensorFacts {
  /// What `profiles` know of the sensor of `camera`; `nil` where they know nothing.
  init?(of camera: CameraIdentity, in profiles: ProfileLibrary) {
    guard let profile = profiles.rawProfile(of: camera), let raw = profile.raw else { return nil }
    self.init(profile: profile.id, black: raw.blackPart, matrix: raw.matrix?.flatMap(\.self))
  }

  /// What profiles know of the sensor of `take`; `nil` where they know nothing, or its master has no numbers of a sensor.
  ///
  /// - Parameter profiles: read for such masters alone.
  init?(of take: Take, _ profiles: () -> ProfileLibrary = { ProfileLibrary() }) {
    guard let codec = take.mode.pixelFormat.flatMap(MasterFormat.init)?.codec,
      VideoTrack(codec: codec, width: Int(take.mode.width), height: Int(take.mode.height)).isRaw
    else { return nil }
    self.init(of: take.camera, in: profiles())
  }
}
