import ArgumentParser
import CameraModel
import Cameras
import Capture
import Foundation
import Media
import Platform
import Retime
import Synchronization
import Takes
import Timebase

struct RecordCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Films a take: a master, a slow-motion clip, and what was lost.",
    discussion: """
      Films until Enter or Ctrl-C, or for --duration or --frames. Leaves CLIP.mp4, CLIP.master.mov with the \
      frames as they were captured, and CLIP.take.json, which says how the take was made and what was lost. \
      With --trigger it stands by, keeps the last --pre in memory, and films around each trigger.
      """)

  @OptionGroup(title: "Camera and mode") var mode: ModeOptions
  @OptionGroup(title: "Take") var take: TakeOptions
  @OptionGroup(title: "Triggers") var triggers: TriggerOptions
  @OptionGroup(title: "Stream") var stream: StreamOptions
  @OptionGroup(title: "Clip") var clip: ClipArguments

  @Option(
    name: .customLong("clip-fps"), parsing: .unconditional,
    help: ArgumentHelp(
      "Frames per second of the clip: 30, 60, 30000/1001. The camera's are those of --fps. (default: 30)",
      valueName: "rate"),
    transform: { try FrameRate(text: $0) })
  var clipRate: FrameRate?

  @OptionGroup(title: "Controls") var manners: MannersOptions
  @OptionGroup(title: "Capture thread") var scheduling: SchedulingOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    try triggers.validate(with: take)
    if clip.copy, clipRate != nil {
      throw ValidationError("--copy keeps every frame and makes none, so --clip-fps has no meaning with it.")
    }
    if take.noClip, clipRate != nil {
      throw ValidationError("--no-clip makes no clip, so --clip-fps has no meaning with it.")
    }
    if take.reconnect, triggers.isUsed {
      throw ValidationError("--reconnect goes on filming, --trigger waits for an event; give one of them.")
    }
  }

  func run() async throws {
    let options = try clip.options(outputRate: clipRate ?? FrameRate(whole: 30))
    let profiles = ProfileLibrary(for: output)
    let camera = try CaptureDevice(named: mode.camera, profiles: profiles)
    let table = try camera.table(profiles: profiles)
    for warning in table.warnings { output.remark(warning) }
    let words = ModeWords(table: table, head: "overcrank record", camera: mode.camera, name: camera.name)
    let choices = mode.choices(from: table)
    let trial = try words.trial(of: choices, on: camera, output)
    let chosen = try words.mode(of: trial)
    guard let format = chosen.pixelFormat.flatMap(MasterFormat.init) else {
      throw Failure(
        "\(camera.name) in \(chosen): frames of this format cannot be written yet. Choose another with --format.",
        exitCode: ExitStatus.unavailable)
    }
    let shoot = Shoot(
      camera: camera,
      slate: Slate(
        camera: CameraIdentity(name: camera.name, table: table), mode: chosen,
        asked: mode.fps.flatMap { _ in trial.choice?.askedRate }, started: Date(), version: Version.current,
        askedMode: choices.first?.mode, refused: trial.refused),
      format: format, plan: try camera.plan(manners.manners, for: chosen),
      scheduling: scheduling.scheduling(for: camera, output),
      names: TakeNames(
        clip: try take.clipPath(at: Date(), clip), container: format.container,
        isNumbered: triggers.takeCount != 1))
    if !take.noClip, !clip.copy {
      let path = shoot.names.files().clip
      try options.check(for: ClipName.container(path), path)
    }
    try shoot.names.check(replacing: take.force)
    if !output.quiet,
      let forecast = RingForecast(
        chosen, as: format, to: shoot.names.files().master, ring: stream.ring,
        preRoll: triggers.pre?.wholeNanoseconds ?? 0)
    {
      output.remark(forecast.description)
    }
    output.remark("Filming \(camera.name) in \(chosen).")
    for remark in shoot.plan.remarks { output.remark(remark) }
    let interruption = Interruption()
    let stop = StopFlag()
    interruption.set { stop.set() }
    let film = try triggers.isUsed ? standBy(shoot, stop) : record(shoot, stop, interruption)
    try await finish(film, options, interruption)
  }

  /// What is filmed, and under which names.
  private struct Shoot: Sendable {
    var camera: CaptureDevice
    var slate: Slate
    var format: MasterFormat
    /// What is set on the camera for as long as it films.
    var plan: ControlPlan
    var scheduling: CaptureScheduling
    var names: TakeNames

    /// What is known of a take by `camera`, which may have another name since it came back.
    func slate(by camera: CaptureDevice) -> Slate {
      var slate = slate
      slate.camera.name = camera.name
      slate.startedAt = Date().formatted(.iso8601)
      return slate
    }

    /// Puts down what a recording was.
    func finished(
      _ number: Int, _ recording: Recording, as files: TakeFiles, by camera: CaptureDevice, replacing: Bool
    ) throws -> FinishedTake {
      let record = Take(recording, slate: slate(by: camera), master: TakeFiles.name(of: files.master))
      try record.write(to: files.take, replacing: replacing)
      return FinishedTake(number: number, files: files, recording: recording, record: record)
    }
  }

  /// All that was filmed, and why it ended before its time.
  private struct Film {
    var takes: [FinishedTake]
    var failure: CaptureError?
    var restoreFailure: CameraError?
  }

  private func request(_ shoot: Shoot, by camera: CaptureDevice, limit: RecordingLimit) -> RecordingRequest {
    var request = stream.request(limit: limit, replacing: take.force, slate: shoot.slate(by: camera))
    request.controlChanges = shoot.plan.changes
    request.scheduling = shoot.scheduling
    return request
  }

  /// Films one take from now on.
  private func record(_ shoot: Shoot, _ stop: StopFlag, _ interruption: Interruption) throws -> Film {
    let isOpenEnded = take.limit == RecordingLimit()
    interruption.watchEnter(readsPipe: isOpenEnded)
    if isOpenEnded { output.remark("Enter or Ctrl-C ends the take.") }
    var reconnection = Reconnection(to: shoot.camera, names: shoot.names, limit: take.limit)
    var film = Film(takes: [])
    repeat {
      let line = ProgressLine(isShown: !output.quiet)
      let recording: Recording
      do throws(CaptureError) {
        recording = try Recorder.record(
          reconnection.camera, in: shoot.slate.mode, to: reconnection.files.master, as: shoot.format,
          request(shoot, by: reconnection.camera, limit: reconnection.limit), stop: stop,
          ready: { output.detail($0.details) }, progress: { line.draw($0.line()) })
      } catch {
        line.clear()
        film.failure = error
        continue
      }
      line.clear()
      output.detail(recording.details)
      let finished = try shoot.finished(
        film.takes.count + 1, recording, as: reconnection.files, by: reconnection.camera,
        replacing: take.force)
      film.takes.append(finished)
      film.failure = recording.failure
      film.restoreFailure = recording.restoreFailure
      reconnection.advance(past: finished.record)
    } while take.reconnect && reconnection.isWorthWaiting(after: film.failure)
      && reconnection.wait(until: stop, tell: { output.remark($0) })
    return film
  }

  /// Films a take around each trigger.
  private func standBy(_ shoot: Shoot, _ stop: StopFlag) throws -> Film {
    let plan = triggers.plan(take, times: [])
    let isOpenEnded = plan.limit == RecordingLimit()
    let open = try OpenTriggers(triggers.trigger, endsByEnter: isOpenEnded)
    let (isNumbered, prompt) = (triggers.takeCount != 1, triggers.prompt)
    output.remark("Standing by: \(prompt); Ctrl-C ends.")
    if isOpenEnded { output.remark("The next trigger ends the take.") }
    let line = ProgressLine(isShown: !output.quiet)
    let ended = Mutex<[Result<FinishedTake, any Error>]>([])
    let end = try Recorder.standBy(
      shoot.camera, in: shoot.slate.mode, as: shoot.format,
      request(shoot, by: shoot.camera, limit: plan.limit),
      triggers.plan(take, times: open.times), triggers: open.latch, stop: stop,
      path: { shoot.names.files($0).master },
      reports: StandbyReports(
        progress: { line.draw($0.line(prompt: prompt, isNumbered: isNumbered)) },
        ready: { report in
          output.detail(report.details)
          if let warning = report.warning { output.remark(warning) }
        },
        ended: { number, result in
          let finished = Result {
            try shoot.finished(
              number, try result.get(), as: shoot.names.files(number), by: shoot.camera, replacing: take.force
            )
          }
          line.clear()
          output.remark((try? finished.get().remark) ?? "Take \(number) failed.")
          ended.withLock { $0.append(finished) }
        }))
    // Its sources are at work as long as it lives.
    withExtendedLifetime(open) {}
    line.clear()
    var film = Film(takes: [], failure: end.failure, restoreFailure: end.restoreFailure)
    for result in ended.withLock({ $0 }) {
      do {
        film.takes.append(try result.get())
      } catch let error as CaptureError {
        film.failure = film.failure ?? error
      } catch let error as MediaError {
        film.failure = film.failure ?? .master(error)
      }
    }
    film.takes.sort { $0.number < $1.number }
    for take in film.takes { output.detail(take.recording.details) }
    film.failure = film.failure ?? film.takes.compactMap(\.recording.failure).first
    if end.takeCount == 0, end.failure == nil { output.remark("No take was made.") }
    return film
  }

  /// Makes the clips, after all has been filmed, and tells what there is.
  private func finish(
    _ film: Film, _ options: ClipOptions, _ interruption: Interruption
  ) async throws {
    if let failure = film.restoreFailure { Console.complain(failure.description) }
    var takes = film.takes
    let developing = Developing(options: options, isCopy: clip.copy, take: take, output: output)
    do {
      for index in takes.indices where !take.noClip {
        try await developing.makeClip(&takes[index], interruption)
      }
    } catch {
      // What was filmed counts for more than the clips: both are told.
      for take in takes { Console.say(take.summary) }
      if let failure = film.failure { Console.complain(failure.message) }
      throw error
    }
    if !output.json {
      for take in takes { Console.say(take.summary) }
    } else if triggers.takeCount != 1 || take.reconnect {
      try Console.sayJSON(takes.map(\.record))
    } else if let first = takes.first {
      // One object for the one take that there usually is.
      try Console.sayJSON(first.record)
    }
    if takes.isEmpty, film.failure == .empty, interruption.hasCome {
      throw Failure(
        "Interrupted before the first frame came: there is no take.", exitCode: ExitStatus.interrupted)
    }
    if let failure = film.failure {
      throw Failure(
        takes.isEmpty ? failure.message : "\(failure.message) What was filmed until then is whole.",
        exitCode: failure.exitCode)
    }
    if take.strict, takes.contains(where: { $0.record.frames.lost.total > 0 }) {
      throw ExitCode(ExitStatus.framesLost)
    }
  }
}
