import Overcrank

/// The messages to the user during a recording.
struct RecordingDisplay: Sendable {
  let recorder: TakeRecorder
  let prompt: String
  let isTriggered: Bool
  let isNumbered: Bool
  let reconnects: Bool
  let output: OutputOptions
  private let preRoll: Duration
  /// The lines to print once frames arrive.
  private let words: [String]
  private let line: ProgressLine
  private let clipLine: ClipProgressLine

  /// Creates a display.
  ///
  /// - Parameter words: lines about what the user can do, printed once frames arrive.
  init(
    _ recorder: TakeRecorder, _ triggers: TriggerOptions, words: [String], reconnects: Bool,
    _ output: OutputOptions
  ) {
    self.reconnects = reconnects
    self.recorder = recorder
    self.output = output
    self.words = words
    prompt = triggers.prompt
    preRoll = triggers.pre ?? .zero
    isTriggered = triggers.isUsed
    isNumbered = triggers.takeCount != 1
    line = ProgressLine(isShown: !output.quiet)
    clipLine = ClipProgressLine(isShown: !output.quiet)
  }

  /// Reports the session's events until its end.
  func follow(_ events: SessionEvents) async {
    do {
      for try await event in events { tell(event.kind) }
    } catch {
      // Output was blocked for so long that most events are outdated: the summary reports what matters.
    }
    line.clear()
  }

  /// Shows the progress of a clip.
  func draw(_ progress: ClipProgress) { clipLine.draw(progress) }

  /// Returns the summary of a take, with its number if there may be several.
  func summary(_ take: FinishedTake) -> String {
    (isTriggered && isNumbered ? "Take \(take.number): " : "")
      + take.take.summary(take.files, clip: take.clip)
  }

  private func tell(_ event: SessionEvent.Kind) {
    switch event {
    case .started(_, let ring):
      output.detail(ring.details)
      if let warning = ring.warning { output.remark(warning) }
      let verb = isTriggered ? "Capturing" : "Recording"
      output.remark("\(verb) \(recorder.device.name) in \(recorder.mode).")
      for text in words { output.remark(text) }
    case .triggered(let event, .refused) where !event.waitsForFrames:
      output.remark("\(recorder.device.name) was not ready for your input, so no take starts.")
    case .progress(let status):
      line.draw(status.line(prompt: prompt, preRoll: preRoll, isNumbered: isNumbered))
    case .takeEnded(let number, let result):
      if case .success(let recording) = result { output.detail(recording.details) }
      guard isTriggered else { return }
      guard let take = recorder.takes.first(where: { $0.number == number }) else {
        output.remark("Take \(number) failed.")
        return
      }
      // A single take is reported at the end.
      if isNumbered { output.remark("Take \(number): \(take.take.counts)") }
    case .interrupted(let reason, let error) where reason != .suspended:
      if reconnects { output.remark(words(for: reason, error)) }
    case .interrupted(_, _):
      output.remark("The machine was suspended; no frames arrived meanwhile.")
    case .interruptionEnded(let reason) where reason != .suspended:
      output.remark("\(recorder.device.name) is back.")
    case .modeChanged(let configuration, let gap):
      let frames = configuration.frameFormat
      let rate = frames.acceptedInterval?.rate.map { " at \($0) fps" } ?? ""
      output.remark(
        "The mode is now \(frames.width)x\(frames.height) \(frames.pixelFormat)\(rate); "
          + "no frame arrived for \(gap.inSeconds.decimal(places: 3)) s.")
    case .takeStarted(let number, trigger: nil) where number > 1:
      guard let files = recorder.files(ofTake: number) else { return }
      output.remark("Recording continues in \(files.clip.name).")
    case .sceneChanged:
      output.detail(
        "The scene has changed." + (recorder.focus == nil ? "" : " \(recorder.device.name) focuses on it."))
    case .lightChanged(let factor):
      output.detail("The light has changed: the scene is \(MotionText.times(factor)) as bright.")
    case .photo(let still, .failed(let reason), _): output.remark("Still \(still.id): \(reason)")
    case .error(let error): output.remark(error.message)
    default: break
    }
  }

  private func words(for reason: InterruptionReason, _ error: CaptureError?) -> String {
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
