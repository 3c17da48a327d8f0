import Overcrank
import Synchronization

/// The messages to the user during a recording with one or several cameras.
struct RecordingDisplay: Sendable {
  /// One of the cameras.
  struct Camera: Sendable {
    /// Its name among several; `nil` for a lone camera.
    let name: String?
    let recorder: TakeRecorder

    /// Returns a line about it.
    func line(_ text: String) -> String { name.map { "\($0): \(text)" } ?? text }
  }

  let cameras: [Camera]
  let prompt: String
  let isTriggered: Bool
  /// Whether all triggers need the first camera's session.
  private let isTriggeredBySession: Bool
  let isNumbered: Bool
  let reconnects: Bool
  let output: OutputOptions
  private let preRoll: Duration
  /// The lines to print once all cameras send frames.
  private let words: [String]
  private let line: ProgressLine
  private let clipLine: ClipProgressLine
  private let state: States

  /// The reports of the cameras so far.
  private final class States: Sendable {
    let status: Mutex<[SessionStatus?]>
    /// The lines about the cameras that send frames, by their places.
    let started = Mutex<[Int: String]>([:])

    init(_ count: Int) { status = Mutex(Array(repeating: nil, count: count)) }
  }

  /// Creates a display.
  ///
  /// - Parameter words: lines about what the user can do, printed once frames arrive.
  init(
    _ cameras: [Camera], _ triggers: TriggerOptions, words: [String], reconnects: Bool,
    _ output: OutputOptions
  ) {
    self.cameras = cameras
    self.reconnects = reconnects
    self.output = output
    self.words = words
    prompt = triggers.prompt
    preRoll = triggers.pre ?? .zero
    isTriggered = triggers.isUsed
    isTriggeredBySession = !triggers.trigger.isEmpty && triggers.trigger.allSatisfy(\.isOfSession)
    isNumbered = triggers.takeCount != 1
    line = ProgressLine(isShown: !output.quiet)
    clipLine = ClipProgressLine(isShown: !output.quiet)
    state = States(cameras.count)
  }

  /// Reports the events of the cameras' sessions until all have ended.
  func follow(_ sources: [SessionEvents]) async {
    await withTaskGroup(of: Void.self) { group in
      for (place, events) in sources.enumerated() {
        group.addTask {
          do {
            for try await event in events { tell(event.kind, from: place) }
          } catch {
            // Output was blocked for so long that most events are outdated: the summary reports what matters.
          }
        }
      }
    }
    line.clear()
  }

  /// Shows the progress of a clip; of several cameras', that of `camera`.
  func draw(_ progress: ClipProgress, of camera: String? = nil) { clipLine.draw(progress, of: camera) }

  /// Returns the summary of a take, with its number if there may be several.
  func summary(_ take: FinishedTake, of camera: String? = nil) -> String {
    let parts = (isTriggered && isNumbered ? ["Take \(take.number)"] : []) + (camera.map { [$0] } ?? [])
    return (parts.isEmpty ? "" : parts.joined(separator: ", ") + ": ")
      + take.take.summary(take.files, clip: take.clip)
  }

  /// Whether all cameras have sent frames.
  private var areStarted: Bool { state.started.withLock(\.count) == cameras.count }

  private func tell(_ event: SessionEvent.Kind, from place: Int) {
    let camera = cameras[place]
    let recorder = camera.recorder
    func remark(_ text: String) { output.remark(camera.line(text)) }
    func detail(_ text: String) { output.detail(camera.line(text)) }
    switch event {
    case .started(_, let ring):
      detail(ring.details)
      if let warning = ring.warning { remark(warning) }
      started(place)
    case .triggered(let event, .refused) where !event.waitsForFrames:
      remark("\(recorder.device.name) was not ready for your input, so no take starts.")
    case .progress(let status):
      let all = state.status.withLock { all in
        all[place] = status
        return all
      }
      line.draw(text(all))
    case .takeEnded(let number, let result):
      if case .success(let recording) = result { detail(recording.details) }
      guard isTriggered else { return }
      let title = "Take \(number)" + (camera.name.map { ", \($0)" } ?? "")
      if let take = recorder.takes.first(where: { $0.number == number }) {
        // A single take is reported at the end.
        if isNumbered { output.remark("\(title): \(take.take.counts)") }
      } else {
        output.remark("\(title) failed.")
      }
    case .interrupted(let reason, let error) where reason != .suspended:
      if reconnects { remark(words(for: reason, error, of: recorder)) }
    case .interrupted(_, _):
      remark("The machine was suspended; no frames arrived meanwhile.")
    case .interruptionEnded(let reason) where reason != .suspended:
      remark("\(recorder.device.name) is back.")
    case .modeChanged(let configuration, let gap):
      let frames = configuration.frameFormat
      let rate = frames.acceptedInterval?.rate.map { " at \($0) fps" } ?? ""
      remark(
        "The mode is now \(frames.width)x\(frames.height) \(frames.pixelFormat)\(rate); "
          + "no frame arrived for \(gap.inSeconds.decimal(places: 3)) s.")
    case .takeStarted(let number, trigger: nil) where number > 1:
      guard let files = recorder.files(ofTake: number) else { return }
      remark("Recording continues in \(files.clip.name).")
    case .sceneChanged:
      detail(
        "The scene has changed." + (recorder.focus == nil ? "" : " \(recorder.device.name) focuses on it."))
    case .lightChanged(let factor):
      detail("The light has changed: the scene is \(MotionText.times(factor)) as bright.")
    case .photo(let still, .failed(let reason), _): remark("Still \(still.id): \(reason)")
    case .error(let error): remark(error.message)
    case .ended(let end): ended(place, end.failure)
    default: break
    }
  }

  /// Reports the cameras, in order, once all of them send frames: the first one may start last.
  private func started(_ place: Int) {
    let recorder = cameras[place].recorder
    let verb = isTriggered ? "Capturing" : "Recording"
    let name = cameras[place].name.map { "\($0): " } ?? ""
    let lines = state.started.withLock { started in
      started[place] = "\(verb) \(name)\(recorder.device.name) in \(recorder.mode)."
      return started
    }
    guard lines.count == cameras.count else { return }
    for text in lines.sorted(by: { $0.key < $1.key }).map(\.value) + words { output.remark(text) }
  }

  /// Reports that a camera was lost, if others go on. Before all of them send frames, they end too. The reason is the
  /// error of the recording, which is told at the end.
  private func ended(_ place: Int, _ failure: CaptureError?) {
    let others = state.status.withLock { all in
      all[place] = nil
      return all.count { $0 != nil }
    }
    guard let failure, failure != .outOfTriggers, others > 0, areStarted else { return }
    let isUntriggered = place == 0 && isTriggeredBySession
    output.remark(
      cameras[place].line(
        "This camera failed. The other cameras go on"
          + (isUntriggered ? ", but no trigger can come without this one; Ctrl-C ends the recording." : ".")))
  }

  /// Returns the progress of all cameras in one line.
  private func text(_ all: [SessionStatus?]) -> String {
    if cameras.count == 1, let status = all[0] {
      return status.line(prompt: prompt, preRoll: preRoll, isNumbered: isNumbered)
    }
    let parts = zip(cameras, all).compactMap { camera, status in
      status.map { "\(camera.name ?? "") \($0.shortLine(preRoll: preRoll))" }
    }
    let isWaiting = areStarted && all.compactMap(\.self).allSatisfy { $0.phase == .armed }
    let number = all.compactMap(\.self).map(\.takeNumber).max() ?? 1
    return (isNumbered ? "take \(number)  " : "") + parts.joined(separator: "   ")
      + (isWaiting && !prompt.isEmpty ? ", \(prompt)" : "")
  }

  private func words(
    for reason: InterruptionReason, _ error: CaptureError?, of recorder: TakeRecorder
  ) -> String {
    let name = recorder.device.name
    let goesOn = isTriggered ? "it is armed again" : "recording continues"
    return switch reason {
    case .unplugged: "\(name) was unplugged. Plug it in again, and \(goesOn); Ctrl-C ends the recording."
    case .takenByAnotherProgram: "\(name) was taken by another program. Recording continues once it is free."
    case .driverError, .silent, .suspended:
      "\(error?.description ?? "\(name) failed.") It is being restarted; Ctrl-C ends the recording."
    }
  }
}
