import Platform
import CameraModel
import Cameras
import Capture
import Takes

/// Finds the camera's configuration for a mode that is requested during a recording.
struct RequestedConfiguration: Sendable {
  let device: CaptureDevice
  let table: CameraTable
  let request: RecordRequest
  let policy: ControlPolicy
  /// The controls before the recording; their current values depend on its mode.
  let controls: [CameraControl]

  /// Returns the configuration for `wish`.
  ///
  /// - Throws: `CaptureError` if the camera's table has no such mode, or the recording cannot store it.
  func find(_ wish: ModeRequest) throws(CaptureError) -> SessionConfiguration {
    let choice = wish.choice(from: table, request.criteria)
    guard let mode = choice.mode else {
      let nearest = choice.nearest.prefix(3).map(\.description).joined(separator: "; ")
      throw .camera(
        OvercrankError(
          .noMode,
          "\(device.name) has no mode \(wish): \(choice.reason)."
            + (nearest.isEmpty ? "" : " Nearest: \(nearest)."), remedy: .chooseMode(camera: device.name)))
    }
    guard mode.pixelFormat.flatMap(MasterFormat.init) != nil else {
      throw .camera(
        OvercrankError(
          .noMode, "\(device.name) in \(mode): frames of this format cannot be written yet.",
          remedy: .chooseMode(camera: device.name)))
    }
    do throws(OvercrankError) { try request.checkClip(of: mode) } catch { throw .master(error) }
    return try configuration(of: mode)
  }

  /// Returns the configuration for a still in the camera's largest mode.
  ///
  /// - Throws: `CaptureError` if no frame of the camera can be converted to a picture.
  func findLargest() throws(CaptureError) -> SessionConfiguration {
    var criteria = request.criteria
    (criteria.maxWidth, criteria.quality) = (nil, nil)
    let choice = ModeChoice(largestFrom: table, criteria)
    guard let mode = choice.mode else {
      throw .camera(OvercrankError(.noMode, "\(device.name) has no mode for a still: \(choice.reason)."))
    }
    try Still.checkFormat(of: mode)
    return try configuration(of: mode)
  }

  private func configuration(of mode: Mode) throws(CaptureError) -> SessionConfiguration {
    do throws(OvercrankError) {
      let plan = try device.plan(policy, for: mode, among: controls)
      return SessionConfiguration(mode: mode, controlChanges: plan.changes)
    } catch {
      throw .camera(error)
    }
  }
}
