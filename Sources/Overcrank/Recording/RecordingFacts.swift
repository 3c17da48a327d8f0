import CameraModel
import Cameras
import Capture
import FoundationEssentials
import SystemPackage

/// What is known of a camera and its machine before a recording is planned.
struct RecordingFacts: Sendable {
  /// What the camera is called.
  var camera: String
  /// All the modes that it claims.
  var table: CameraTable
  /// What came of the modes that the request wishes for.
  var trial: ModeTrial
  /// Its controls as they stand; empty where the recording sets none.
  var controls: [CameraControl]
  /// What its profile says of it; `nil` where no profile rules its controls.
  var profile: Profile?
  /// When the recording is planned.
  var date: Date
  /// Where takes go that were given neither a name nor a folder.
  var library: FilePath
}

extension RecordingFacts {
  /// Asks `device` what a plan for `request` has to know; it is as it was afterwards.
  init(
    of device: CaptureDevice, for request: RecordRequest, _ profiles: ProfileLibrary
  ) throws {
    camera = device.name
    table = try device.table(profiles: profiles)
    trial = try device.trial(of: ModeChoice.possible(request.choices(from: table)).filter { $0.mode != nil })
    controls = request.controls.keepsControls ? [] : try device.controls()
    // None of a simulated camera's rates depends on a control.
    profile = if case .simulated = device { nil } else { profiles.profile(of: table) }
    date = Date()
    library = LibraryFolder.path
  }
}
