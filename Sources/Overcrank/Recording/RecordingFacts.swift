import CameraModel
import Cameras
import Capture
import FoundationEssentials
import SystemPackage

/// The facts about a camera and its machine on which the plan of a recording is based.
struct RecordingFacts: Sendable {
  /// The camera's name.
  var camera: String
  /// The modes that the camera claims.
  var table: CameraTable
  /// The driver's answers to the modes that were tried for the request.
  var trial: ModeTrial
  /// The controls' current values; empty if the recording sets none.
  var controls: [CameraControl]
  /// The camera's profile; `nil` if no profile affects its controls.
  var profile: Profile?
  /// The time of planning.
  var date: Date
  /// The folder for takes without a given name or folder.
  var library: FilePath
}

extension RecordingFacts {
  /// Queries `device` for the facts that a plan for `request` needs; leaves its state unchanged.
  init(
    of device: CaptureDevice, for request: RecordRequest, _ profiles: ProfileLibrary
  ) throws {
    camera = device.name
    table = try device.table(profiles: profiles)
    trial = try device.trial(of: ModeChoice.possible(request.choices(from: table)).filter { $0.mode != nil })
    controls = request.controls.keepsControls ? [] : try device.controls()
    // The rates of a simulated camera do not depend on its controls.
    profile = if case .simulated = device { nil } else { profiles.profile(of: table) }
    date = Date()
    library = LibraryFolder.path
  }
}
