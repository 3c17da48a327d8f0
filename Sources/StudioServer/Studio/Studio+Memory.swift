import Overcrank

extension Studio {
  /// Returns what the studio had last with the camera that `next` opens; `nil` if there is nothing, or that camera's
  /// settings are in use already. What the studio was started with takes precedence.
  func recollection(for next: CameraRequest) async -> StudioMemory.Recollection? {
    // Several cameras have their settings in common, so they are those of no camera.
    guard let memory = options.memory, next.further.isEmpty else { return nil }
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

  /// The settings as they would be kept; `nil` without a camera, and with several.
  private var current: (recollection: StudioMemory.Recollection, camera: String)? {
    guard let opened, opened.group == nil else { return nil }
    return (recollection(of: opened.all[0]), opened.all[0].key)
  }

  private func recollection(of camera: OpenCamera) -> StudioMemory.Recollection {
    let controls = Dictionary((personal[camera.letter] ?? []).map { ($0.name, $0.value) }) { $1 }
    return StudioMemory.Recollection(settings: model.settings, mode: wish.mode, controls: controls)
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
    guard let opened else {
      throw StudioError(.notNow, "No camera is in use. Choose one first.")
    }
    let first = opened.all[0]
    var recollection = recollection(of: first)
    let mode = first.recorder.mode
    recollection.mode = .mode(
      fourcc: mode.fourcc, width: mode.width, height: mode.height, interval: mode.interval)
    let entries = recollection.setupEntries(camera: first.id) + Self.entries(of: opened.all.dropFirst())
    do { try await Self.blocking { _ = try Setup.save(name, entries, replacing: replacing) } } catch {
      guard let error = error as? OvercrankError, error.remedy == .replace else { throw error }
      throw StudioError(.refused, "There is a setup \(name) already. Replace it, or choose another name.")
    }
  }

  /// Returns the entry of a setup for further cameras; none without any.
  private static func entries(of further: ArraySlice<OpenCamera>) -> [Setup.Entry] {
    let values = further.map { camera in
      let mode = camera.recorder.mode
      let rate = mode.rate.map { ",fps=\($0.text)" } ?? ""
      return "\(camera.id)\(rate),size=\(mode.width)x\(mode.height),format=\(mode.fourcc)"
    }
    return values.isEmpty ? [] : [Setup.Entry(key: "with", values: values)]
  }
}
