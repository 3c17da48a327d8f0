import ArgumentParser
import Foundation
import Overcrank

extension RecordCommand {
  /// Records with several cameras.
  func runGroup(_ first: CaptureDevice, named camera: String?, _ spec: ClipSpec, _ profiles: ProfileLibrary)
    async throws
  {
    let interruption = Interruption.shared
    interruption.hold()
    let recorder = try prepareGroup(first, named: camera, spec, profiles)
    try interruption.check(Self.interruptedEarly)
    let end = UserStop()
    interruption.set {
      end.note(interruption.name)
      // A signal after the end of the recording is for its clips.
      if !recorder.stop() { interruption.keep() }
    }
    let log = try events.log(
      recorder.members.map { EventSource(camera: $0.name, events: $0.recorder.events) },
      beside: recorder.members.map(\.recorder.files), replacing: take.force)
    announce(recorder)
    let sessions = recorder.members.map(\.recorder.session)
    let input = triggers.isUsed ? nil : watchInput(of: sessions[0], end) { recorder.stop() }
    let display = RecordingDisplay(
      recorder.members.map { RecordingDisplay.Camera(name: $0.name, recorder: $0.recorder) }, triggers,
      words: wordsOfEnd(isInputWatched: input != nil), reconnects: false, output)
    let shown = Task { [sources = recorder.members.map(\.recorder.session.events)] in
      await display.follow(sources)
    }
    try await recorder.start()
    if !output.quiet, let forecast = recorder.forecast, forecast.concerns(triggers.limit(take).duration) {
      output.remark(forecast.description)
    }
    let recorded = await recorder.recorded()
    input?.end()
    Privileges.drop()
    await shown.value
    for failure in recorded.recordings.compactMap(\.restoreFailure) { Console.complain(failure.description) }
    if recorded.recordings.allSatisfy(\.takes.isEmpty), recorded.failure == nil {
      output.remark("No take was recorded.")
    }
    let clips = interruption.cancelling {
      Task { await recorder.finish { display.draw($1, of: $0) } }
    }
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

  /// Chooses and tries the mode of each camera.
  private func prepareGroup(
    _ first: CaptureDevice, named camera: String?, _ spec: ClipSpec, _ profiles: ProfileLibrary
  ) throws -> GroupRecorder {
    func settings(_ device: CaptureDevice) -> CaptureSettings {
      stream.settings(scheduling.scheduling(for: device, output))
    }
    var cameras = [
      GroupCamera(
        first, rate: mode.fps, criteria: mode.criteria, quality: mode.wishes.quality ?? [],
        capture: settings(first))
    ]
    for further in group.with {
      let device: CaptureDevice
      do throws(OvercrankError) {
        device = try CaptureDevice(named: further.name, profiles: profiles)
      } catch {
        throw Failure("--with \(further.name): \(error.message)", exitCode: error.code.exitCode)
      }
      cameras.append(further.camera(device, mode, settings(device)))
    }
    do throws(RecordError) {
      return try GroupRecorder(cameras, request(spec, for: first), profiles: profiles)
    } catch {
      throw failure(of: error, first, named: camera)
    }
  }

  /// Prints remarks before the cameras are started.
  private func announce(_ recorder: GroupRecorder) {
    let asked = [mode.fps] + group.with.map { $0.rate ?? mode.fps }
    for (member, rate) in zip(recorder.members, asked) {
      announceChoice(of: member.recorder, asked: rate)
      for remark in member.recorder.controlPlan.words { output.remark("\(member.name): \(remark)") }
    }
    for remark in recorder.demand.remarks { output.remark(remark) }
    announceAudio(recorder.members[0].recorder)
    if let remark = clip.fastRemark { output.remark(remark) }
    ProgressLine(isShown: !output.quiet).draw("Starting \(recorder.members.count) cameras...")
    if let remark = triggers.remark { output.remark(remark) }
  }

  /// Prints the takes and how the recording ended, and throws if it failed.
  private func report(_ finished: FinishedGroup, _ display: RecordingDisplay, _ end: UserStop) throws {
    let takes = finished.recordings.flatMap(\.takes)
    if output.json {
      try Console.sayJSON(
        finished.takes.map { number, name, take in
          TakeReport(
            take, hasFrames: printsFrames, in: finished.groups[number].map { (path: $0, camera: name) })
        })
    } else {
      var last: Int?
      for (number, name, take) in finished.takes {
        if let last, last != number { tellGroup(last, finished) }
        tell(display.summary(take, of: name))
        last = number
      }
      if let last { tellGroup(last, finished) }
      if let words = end.words(finished.recordings.first?.takes ?? [], plan) { tell(words) }
    }
    tellStills(display)
    if takes.isEmpty, let failure = end.failure(instead: finished.failure) { throw failure }
    for failure in finished.furtherFailures { Console.complain(failure.message) }
    if let failure = finished.clipFailure {
      if let failure = finished.failure { Console.complain(failure.message) }
      reportLaterClips(takes)
      throw failure
    }
    if let failure = finished.failure {
      let message = failure.message
      throw Failure(
        takes.isEmpty ? message : "\(message) What was recorded is complete.", exitCode: failure.code.exitCode
      )
    }
    if take.strict, takes.contains(where: { $0.take.frames.lost.total > 0 }) {
      throw ExitCode(ExitStatus.framesLost)
    }
  }

  /// Prints where the frames of the cameras lie.
  private func tellGroup(_ number: Int, _ finished: FinishedGroup) {
    guard let path = finished.groups[number], let group = try? TakeGroup.read(from: path) else { return }
    tell(group.summary(path))
  }
}

extension FinishedGroup {
  /// The takes, each with its number and the name of its camera, in order.
  fileprivate var takes: [(number: Int, camera: String, take: FinishedTake)] {
    recordings.enumerated().flatMap { place, recording in
      recording.takes.map { ($0.number, GroupCamera.name(place), $0) }
    }.sorted { ($0.number, $0.camera) < ($1.number, $1.camera) }
  }
}
