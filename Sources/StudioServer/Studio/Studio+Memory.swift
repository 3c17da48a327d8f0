import Overcrank

extension Studio {
  /// Returns what the studio had last with the camera that `next` opens; `nil` if there is nothing, or that camera's
  /// settings are in use already. What the studio was started with takes precedence.
  func recollection(for next: CameraRequest) async -> StudioMemory.Recollection? {
    guard let memory = options.memory else { return nil }
    let current = recalled
    let found: Result<StudioMemory.Recollection?, OvercrankError>? = try? await Self.blocking { [options] in
      let profiles = ProfileLibrary()
      let device = try OpenCamera.device(next, options, profiles)
      let key = try OpenCamera.key(of: device, table: device.table(profiles: profiles))
      guard key != current else { return .success(nil) }
      return Result { () throws(OvercrankError) in try memory.recollection(of: key) }
    }
    if case .failure(let error) = found { notify(.error, error.description) }
    guard var recollection = try? found?.get() else { return nil }
    if let settings = options.settings {
      recollection.settings = settings
    } else if recollection.settings.motion?.triggers == true {
      // The user may not be at the camera yet, or may have forgotten.
      recollection.settings.motion?.triggers = false
      told("Motion triggers no takes until you choose \"Trigger on motion\" again.")
    }
    if options.choosesMode || next.mode != nil { recollection.mode = nil }
    return recollection
  }

  /// The settings as they would be kept; `nil` without an open camera.
  private var current: (recollection: StudioMemory.Recollection, camera: String)? {
    guard let camera else { return nil }
    let controls = Dictionary(personal.map { ($0.name, $0.value) }) { $1 }
    return (
      StudioMemory.Recollection(settings: model.settings, mode: wish.mode, controls: controls), camera.key
    )
  }

  /// Notes that the settings in use are known: they were kept before, or are those of the start.
  func noteRecollection() {
    guard let current else { return }
    recalled = current.camera
    kept = current.recollection
  }

  /// Keeps the settings of the open camera if they have changed.
  func keepSettings() async {
    guard let memory = options.memory, let (recollection, camera) = current, kept != recollection else {
      return
    }
    kept = recollection
    do {
      let fault = try await Self.blocking { try memory.keep(recollection, of: camera) }
      if let fault { notify(.error, fault.description) }
    } catch {
      notify(.error, "The settings cannot be kept for the next start: \(error)")
    }
  }

  func saveSetup(_ name: String, replacing: Bool) async throws {
    guard let camera, let current else {
      throw StudioError(.notNow, "No camera is in use. Choose one first.")
    }
    var recollection = current.recollection
    let mode = camera.recorder.mode
    recollection.mode = .mode(
      fourcc: mode.fourcc, width: mode.width, height: mode.height, interval: mode.interval)
    let entries = recollection.setupEntries(camera: camera.id)
    do { try await Self.blocking { _ = try Setup.save(name, entries, replacing: replacing) } } catch {
      guard let error = error as? OvercrankError, error.remedy == .replace else { throw error }
      throw StudioError(.refused, "There is a setup \(name) already. Replace it, or choose another name.")
    }
  }
}
