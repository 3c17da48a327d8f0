import ArgumentParser
import Foundation
import Overcrank

struct RecordCommand: AsyncParsableCommand, RuledOptions {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Records a take: the untouched master, a slow-motion clip, and a report of lost frames.",
    discussion: BriefHelp.discussion(
      examples: """
          overcrank record -o jump.mp4                          until Enter or Ctrl-C
          overcrank record --trigger key --pre 2s --post 1s     with a pre-roll
          overcrank record sim: --duration 3s --speed 1/8       without a camera
        """,
      """
      Records until Enter or Ctrl-C, but no longer than --duration or --frames. Writes CLIP.mp4, CLIP.master.mov with \
      the frames as captured, and CLIP.take.json, which states how the take was recorded and what was lost. \
      With --trigger, it waits, keeps the last --pre seconds in memory, and records a take around each trigger.

      Without a camera, try sim:. "overcrank simulate --help" lists the faults that a simulated camera can have.
      """))

  @Option(
    help: ArgumentHelp(
      "Use the options saved as setup NAME: see \"overcrank setups\". The command line takes precedence.",
      valueName: "name", visibility: .rare),
    completion: .setup)
  var setup: String?

  @OptionGroup(title: "Camera and mode") var mode: ModeOptions
  @OptionGroup(title: "Camera and mode") var group: GroupOptions
  @OptionGroup(title: "Take") var take: TakeOptions
  @OptionGroup(title: "Audio") var audio: AudioOptions
  @OptionGroup(title: "Triggers") var triggers: TriggerOptions
  @OptionGroup(title: "Stream") var stream: StreamOptions
  @OptionGroup(title: "Clip") var clip: ClipArguments
  @OptionGroup(title: "Clip") var turning: TurnOptions
  @OptionGroup(title: "Controls") var controls: ControlPolicyOptions
  @Option(
    name: .customLong("ramp"),
    help: ArgumentHelp(
      "Move a control during each take: zoom='0s:100, ease 2s:400'; may be repeated.",
      discussion: """
        NAME is a control's name, or zoom, focus, exposure or gain. 0s is the trigger, or the first frame. Between two \
        points, the value moves evenly; with ease, it starts and ends slowly. It is restored afterwards.
        """,
      valueName: "name=curve", visibility: .rare),
    transform: { try ControlRampSetting(text: $0) })
  var ramps: [ControlRampSetting] = []

  @Flag(
    help: ArgumentHelp(
      "Have the camera focus once when the scene changes between takes.",
      discussion: "Needs --trigger, and a camera with the control auto_focus_start.",
      visibility: .rare))
  var refocus = false

  @OptionGroup(title: "Capture thread") var scheduling: SchedulingOptions
  @OptionGroup var events: EventOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var help: FullHelp

  @Flag(
    name: .customLong("frames-json"),
    help: ArgumentHelp(
      "With --json: print the number and the time of each frame too, as in the take file.",
      visibility: .rare))
  var printsFrames = false

  func validate() throws {
    try refuseConflicts()
    if let file = place.file { try ClipName.validate(file, isCopy: clip.copy) }
  }

  var given: [String] {
    [String](given: [
      "--ramp": !ramps.isEmpty, "--refocus": refocus, "--frames-json": printsFrames,
      "--frames --takes": take.frames != nil && triggers.takes != nil,
      "--max-size --takes": take.maxSize != nil && triggers.takes != nil,
    ]) + group.given + take.given + audio.given + triggers.given + clip.given + controls.given + events.given
      + output.given
  }

  /// The destination of the takes.
  private var place: OutputPlace {
    OutputPlace(take.output) { ClipName.suits($0, isCopy: clip.copy) }
  }

  func run() async throws {
    let spec = try clip.spec(named: place.file)
    if let purpose = clip.purpose { output.detail(purpose.explanation) }
    if take.noClip, let words = clip.uselessWithoutClip { output.remark(words) }
    if take.clipWhileRecording, let reason = spec.render?.wholeSourceNeed()?.reason {
      output.remark("\(reason), so the clip is made after the last one.")
    }
    let profiles = ProfileLibrary(for: output)
    let camera = try mode.named.camera(profiles, output)
    let device = try CaptureDevice(named: camera, profiles: profiles)
    for camera in group.with { try CameraArgument.keepFiles(of: camera.name) }
    for source in triggers.trigger { for file in source.inputs { try FileLock.keepInput(file) } }
    // From here on, signals wait until they are handled below. The camera is also briefly set to the mode,
    // and its settings must be restored.
    let interruption = Interruption.shared
    interruption.hold()
    let recorder = try prepare(device, named: camera, spec, profiles)
    let cameras = recorder.cameras
    try interruption.check(Self.interruptedEarly)
    let end = UserStop()
    interruption.set {
      end.note(interruption.name)
      // A signal after the end of the recording is for its clips.
      if !recorder.stop() { interruption.keep() }
    }
    let log = try events.log(
      cameras.map { EventSource(camera: $0.name, events: $0.recorder.events) },
      beside: cameras.map(\.recorder.files), replacing: take.force)
    announce(recorder)
    let input =
      triggers.isUsed ? nil : watchInput(of: cameras[0].recorder.session, end) { _ = recorder.stop() }
    let display = RecordingDisplay(
      cameras, triggers, words: wordsOfEnd(isInputWatched: input != nil), reconnects: take.reconnect, output)
    let shown = Task { [sources = cameras.map(\.recorder.session.events)] in await display.follow(sources) }
    try await recorder.start()
    // Not earlier: if the camera does not start, nothing is written.
    if !output.quiet, let forecast = recorder.forecast, forecast.concerns(triggers.limit(take).duration) {
      output.remark(forecast.description)
    }
    let recorded = await recorder.recorded()
    input?.end()
    Privileges.drop()
    await shown.value
    for failure in recorded.recordings.compactMap(\.restoreFailure) { Console.complain(failure.description) }
    if recorded.recordings.allSatisfy(\.takes.isEmpty), recorded.failure == nil, plan.start != .firstFrame {
      output.remark("No take was recorded.")
    }
    let clips = interruption.cancelling { Task { await recorder.finish(display) } }
    let finished = await clips.value
    finishReporting()
    let areEventsWritten = await log?.finish() ?? true
    try report(finished, display, end)
    guard areEventsWritten else {
      throw Failure(
        "--events \(events.destination?.description ?? ""): not all events could be written: the disk is full, or the reader has gone. "
          + "The recording itself is complete.", exitCode: ExitStatus.inputOutput)
    }
  }

  static let interruptedEarly = "Interrupted before the first frame arrived: there is no take."

  /// Makes Enter end the recording. A line from a pipe does so only if nothing else would, because the input
  /// may be meant for another program.
  private func watchInput(
    of session: CaptureSession, _ end: UserStop, stop: @escaping @Sendable () -> Void
  ) -> StandardInput? {
    let isTerminal = isatty(STDIN_FILENO) == 1
    guard isTerminal || plan.isOpenEnded else { return nil }
    // Input before the prompt is not an answer to it.
    let isPrompted = StopFlag()
    session.onEvent { event in
      if case .started = event.kind { isPrompted.set() }
    }
    return StandardInput(.lines) { _ in
      guard isPrompted.isSet || !isTerminal else { return }
      end.note("Enter")
      stop()
    }
  }

  /// Returns the lines about how the recording begins and ends, to be printed once frames arrive.
  private func wordsOfEnd(isInputWatched: Bool) -> [String] {
    if triggers.isUsed { return triggers.words(take) }
    let keys = isInputWatched ? "Enter or Ctrl-C" : "Ctrl-C"
    if plan.isOpenEnded { return ["\(keys) ends the take."] }
    return isInputWatched ? ["It ends after \(take.limit.words); \(keys) ends it sooner."] : []
  }

  /// Prepares the end: only messages remain, and they must not delay it.
  private func finishReporting() {
    Interruption.shared.clear()
    Console.draw(nil)
    Console.hurry()
  }

  /// Prints commands that make the missing clips.
  private func reportLaterClips(_ takes: [FinishedTake], after failure: OvercrankError) {
    let missing = takes.filter { $0.clip == nil }
    guard !missing.isEmpty else { return }
    output.remark(missing.count == 1 ? "Make the clip later with" : "Make the clips later with")
    for take in missing {
      output.remark("  \(LaterClip.command(for: take, replacing: self.take.force, after: failure))")
    }
  }

  /// The plan for beginning and ending takes.
  var plan: SessionPlan {
    var plan = triggers.isUsed ? triggers.plan(take) : SessionPlan(limit: take.limit)
    plan.interruptionResponse = take.reconnect ? .reconnect : .end
    return plan
  }

  /// The policy for the camera's controls.
  private var policy: ControlPolicy {
    var policy = controls.policy
    policy.ramps = ramps
    return policy
  }

  /// Chooses and tries the mode; if there is none, the error lists commands that work.
  private func prepare(
    _ device: CaptureDevice, named camera: String?, _ spec: ClipSpec, _ profiles: ProfileLibrary
  ) throws -> RecorderInUse {
    let cameras = group.isUsed ? try groupCameras(device, profiles) : []
    let request = request(spec, for: device)
    do throws(RecordError) {
      return cameras.isEmpty
        ? RecorderInUse(try TakeRecorder(device, request, profiles: profiles))
        : RecorderInUse(try GroupRecorder(cameras, request, profiles: profiles))
    } catch {
      throw failure(of: error, device, named: camera)
    }
  }

  /// Returns the request for a recording with `device`.
  private func request(_ spec: ClipSpec, for device: CaptureDevice) -> RecordRequest {
    var request = RecordRequest(
      rate: mode.fps, criteria: mode.criteria, quality: mode.wishes.quality ?? [], controls: policy,
      plan: plan,
      turn: turning.turn, sizeLimit: take.maxSize, microphones: audio.names,
      capture: stream.settings(scheduling.scheduling(for: device, output)),
      output: place.file, folder: place.folder,
      numbersTakes: triggers.takeCount != 1, replacesFiles: take.force,
      clip: take.noClip ? nil : spec, makesClipsWhileRecording: take.clipWhileRecording,
      discardsMasters: take.discardMaster,
      label: take.label, makesThumbnails: !take.noThumbnail,
      export: take.export.map { TakeExport(to: $0, moving: take.move) }, triggers: triggers.trigger)
    request.pulse = triggers.pulse
    request.refocuses = refocus
    request.watchesScene = triggers.isUsed && (refocus || events.destination != nil)
    return request
  }

  /// Returns the error of a recording that was refused; for a mode that does not exist, with commands that
  /// work.
  private func failure(of error: RecordError, _ device: CaptureDevice, named camera: String?) -> any Error {
    switch error {
    case .noMode(let choice, let table, _):
      for warning in table.warnings { output.remark(warning) }
      return ModeWords(
        table: table, head: "overcrank record", camera: camera, name: device.name,
        rest: ModeWords.rest(of: Invocation.arguments)
      ).failure(of: choice)
    case .modesRefused(let trial, _): return ModeWords.failure(of: trial, name: device.name)
    case .failure: return error
    }
  }

  /// Prints remarks before the cameras are started.
  private func announce(_ recorder: RecorderInUse) {
    let (name, rates) = (recorder.cameras[0].recorder.device.name, group.with.map { $0.rate ?? mode.fps })
    if mode.named.cameras.count > 1, !group.isUsed {
      output.remark("Of the cameras named, only \(name) is recorded. --with records several together.")
    }
    for (camera, rate) in zip(recorder.cameras, [mode.fps] + rates) {
      announceChoice(of: camera.recorder, asked: rate)
      if !group.isUsed { announceAudio(camera.recorder) }
      for remark in camera.recorder.controlPlan.words { output.remark(camera.line(remark)) }
    }
    for remark in recorder.remarks { output.remark(remark) }
    if group.isUsed { announceAudio(recorder.cameras[0].recorder) }
    if let remark = clip.fastRemark { output.remark(remark) }
    if refocus, recorder.cameras[0].recorder.focus == nil {
      output.remark("\(name) has no control that focuses once (auto_focus_start): --refocus has no effect.")
    }
    ProgressLine(isShown: !output.quiet).draw(
      "Starting \(group.isUsed ? "\(recorder.cameras.count) cameras" : name)...")
    if let remark = triggers.remark { output.remark(remark) }
  }

  /// Prints remarks on the mode of a camera, of which `rate` was requested.
  private func announceChoice(of recorder: TakeRecorder, asked rate: RequestedRate?) {
    let name = recorder.device.name
    for warning in recorder.table.warnings { output.remark(warning) }
    ModeWords.announce(recorder.trial, name: name, output)
    if let words = ModeWords.skipped(for: recorder.mode, in: recorder.table) { output.remark(words) }
    if let words = recorder.quality?.words { output.remark(words) }
    if let words = ModeWords.faster(recorder.mode, than: rate) { output.remark(words) }
  }

  /// Prints a remark on the microphone.
  private func announceAudio(_ recorder: TakeRecorder) {
    if let microphone = recorder.microphone {
      output.remark("Audio: \(microphone.device), \(microphone.format).")
    } else if audio.names.count > 1 {
      output.remark("No microphone was found; the recording has no audio.")
    }
  }

  /// Prints a fact, unless standard output belongs to the events.
  func tell(_ text: String) {
    if events.areOnStandardOutput { output.remark(text) } else { Console.say(text) }
  }

  /// Prints the takes.
  private func tellTakes(_ finished: FinishedGroup, _ display: RecordingDisplay) throws {
    let takes = finished.takes(of: display.cameras)
    guard !output.json else {
      return try Console.sayJSON(
        takes.map { number, name, take in
          TakeReport(
            take, hasFrames: printsFrames,
            in: name.flatMap { name in finished.groups[number].map { (path: $0, camera: name) } })
        })
    }
    for (place, (number, name, take)) in takes.enumerated() {
      tell(display.summary(take, of: name))
      if let outcome = take.export { tell(outcome.words) }
      if place == takes.count - 1 || takes[place + 1].number != number { tellGroup(number, finished) }
    }
  }

  /// Prints the stills that were taken during the recording.
  private func tellStills(_ display: RecordingDisplay) {
    for outcome in display.cameras.flatMap(\.recorder.stillOutcomes) {
      switch outcome {
      case .success(let path): output.remark("Still: \(path)")
      case .failure(let error): Console.complain(error.message)
      }
    }
  }

  /// Prints the takes and how the recording ended, and throws if it failed.
  private func report(_ finished: FinishedGroup, _ display: RecordingDisplay, _ end: UserStop) throws {
    let takes = finished.recordings.flatMap(\.takes)
    try tellTakes(finished, display)
    if !output.json, finished.clipFailure == nil {
      if let words = end.words(finished.recordings.first?.takes ?? [], plan) { tell(words) }
      var remarks = finished.remarks
      if end.cause == nil, finished.failure == nil {
        // After an interruption, a take lasts for the rest of the duration.
        for take in finished.recordings.map(\.takes).filter({
          $0.count == 1 || plan.interruptionResponse == .end
        })
        .joined() {
          if let words = take.silenceWords(plan) { remarks[take.files.take] = words }
        }
      }
      for (take, words) in remarks.sorted(by: { $0.key.string < $1.key.string }) {
        output.remark("\(take): \(words)")
      }
    }
    tellStills(display)
    if takes.isEmpty, let failure = end.failure(instead: finished.failure) { throw failure }
    // Several cameras begin their take by a trigger once all have frames, so its lack is no error of theirs.
    if takes.isEmpty, end.cause != nil, plan.start == .firstFrame, finished.failure == nil {
      throw Failure(Self.interruptedEarly, exitCode: ExitStatus.interrupted)
    }
    let exportFailures = takes.compactMap(\.export?.failure)
    for failure in finished.furtherFailures + exportFailures { Console.complain(failure.message) }
    if let failure = finished.clipFailure {
      // The recording matters more than the clips: report both.
      if let failure = finished.failure { Console.complain(failure.message) }
      reportLaterClips(takes, after: failure)
      throw failure
    }
    if let failure = finished.failure {
      let message = failure.message
      let what = group.isUsed ? "What was recorded" : "What was recorded until then"
      throw Failure(
        takes.isEmpty ? message : "\(message) \(what) is complete.", exitCode: failure.code.exitCode)
    }
    if let failure = exportFailures.first { throw ExitCode(failure.code.exitCode) }
    if take.strict, takes.contains(where: { $0.take.frames.lost.total > 0 }) {
      throw ExitCode(ExitStatus.framesLost)
    }
  }
}

extension WholeSourceNeed {
  /// The reason, as a clause; `nil` if it depends on the source.
  fileprivate var reason: String? {
    switch self {
    case .flicker: "--deflicker measures the light of all frames"
    case .order: "\(OrderOptions.list) need the last frame"
    case .development: nil
    }
  }
}
