import Overcrank

extension SnapCommand {
  /// Waits for triggers, and makes a Motion Photo for each.
  func takeMotionPhotos(_ profiles: ProfileLibrary) async throws {
    let interruption = Interruption.shared
    let name = try mode.named.camera(profiles, words)
    let device = try CaptureDevice(named: name, profiles: profiles)
    let sources = try motion.sources()
    for source in sources { for file in source.inputs { try FileLock.keepInput(file) } }
    // The camera is briefly set to the mode: signals wait until its settings are restored.
    interruption.hold()
    let photographer = try prepare(device, named: name, sources, profiles)
    let recorder = photographer.recorder
    try interruption.check("Interrupted: no photo was taken.")
    interruption.set { recorder.stop() }
    let log = try motion.events.log(
      [EventSource(events: recorder.events)], beside: [recorder.files], replacing: force)
    for warning in recorder.table.warnings { words.remark(warning) }
    for remark in recorder.controlPlan.words { words.remark(remark) }
    if let microphone = recorder.microphone {
      words.remark("Audio: \(microphone.device), \(microphone.format).")
    } else if motion.audio.names.count > 1 {
      words.remark("No microphone was found; the video has no audio.")
    }
    let prompt = sources.map(\.prompt).joined(separator: " or ")
    recorder.session.onEvent { [words] event in
      guard case .started = event.kind else { return }
      words.remark(
        "Capturing \(device.name) in \(recorder.mode). To take a photo: \(prompt). Ctrl-C ends it.")
    }
    try photographer.start { [words] photo in words.detail("\(photo.path)") }
    let (photos, failure) = await photographer.finish()
    let areEventsWritten = await log?.finish() ?? true
    if !motion.events.areOnStandardOutput { try MotionPhotoReport.tell(photos, words) }
    if let failure {
      guard photos.isEmpty, interruption.hasCome else { throw failure }
    }
    if photos.isEmpty { throw Failure("No photo was taken.", exitCode: ExitStatus.interrupted) }
    guard areEventsWritten else {
      throw Failure("--events: not all events could be written.", exitCode: ExitStatus.inputOutput)
    }
  }

  private func prepare(
    _ device: CaptureDevice, named name: String?, _ sources: [any TriggerSource], _ profiles: ProfileLibrary
  ) throws -> MotionPhotoRecorder {
    let request = RecordRequest(
      rate: mode.fps, criteria: mode.criteria, quality: mode.wishes.quality ?? [], controls: policy.policy,
      turn: turning.turn, microphones: motion.audio.names, output: place.file, folder: place.folder,
      replacesFiles: force, triggers: sources)
    do throws(RecordError) {
      return try MotionPhotoRecorder(
        device, request, count: motion.count, as: motion.kind, profiles: profiles)
    } catch {
      switch error {
      case .noMode(let choice, let table, _):
        throw ModeWords(
          table: table, head: "overcrank snap \(motion.livePhoto ? "--live-photo" : "--motion-photo")",
          camera: name, name: device.name
        )
        .failure(of: choice)
      case .modesRefused(let trial, _): throw ModeWords.failure(of: trial, name: device.name)
      default: throw error
      }
    }
  }
}
