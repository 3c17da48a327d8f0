import CameraModel
import Cameras
import Capture
import FoundationEssentials
import SystemPackage

/// The facts of a camera and its machine that a recording is planned by.
struct RecordingFacts: Sendable {
  /// The camera's name.
  var camera: String
  /// All the modes that it claims.
  var table: CameraTable
  /// The driver's answers to the modes that the request wishes for.
  var trial: ModeTrial
  /// Its controls as they stand; empty where the recording sets none.
  var controls: [CameraControl]
  /// The camera's profile; `nil` where no profile rules its controls.
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
