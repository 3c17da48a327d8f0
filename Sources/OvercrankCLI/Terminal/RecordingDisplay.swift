import Capture
import Overcrank
import Retime
import Takes

/// What a person is told while a recording goes on.
struct RecordingDisplay: Sendable {
  let recorder: TakeRecorder
  let prompt: String
  let isTriggered: Bool
  let isNumbered: Bool
  let reconnects: Bool
  let output: OutputOptions
  private let line: ProgressLine
  private let terminal = BlockingQueue(label: "overcrank-terminal")
  private let clipLine: ClipProgressLine

  init(
    _ recorder: TakeRecorder, _ triggers: TriggerOptions, reconnects: Bool, _ output: OutputOptions
  ) {
    self.reconnects = reconnects
    self.recorder = recorder
    self.output = output
    prompt = triggers.prompt
    isTriggered = triggers.isUsed
    isNumbered = triggers.takeCount != 1
    line = ProgressLine(isShown: !output.quiet)
    clipLine = ClipProgressLine(isShown: !output.quiet)
  }

  /// Tells of the session until its end.
  ///
  /// A terminal that takes nothing holds up this task alone.
  func follow(_ events: SessionEvents) async {
    do {
      for try await event in events { await terminal.run { tell(event.kind) } }
    } catch {
      // Nothing could be told for so long that most of it is past: the summary tells what counts.
    }
    await terminal.run { line.clear() }
  }

  /// Tells how a clip stands.
  func draw(_ progress: ClipProgress) { clipLine.draw(progress) }

  /// Clears what is drawn over.
  func clear() {
    line.clear()
    clipLine.clear()
  }

  private func tell(_ event: SessionEvent.Kind) {
    switch event {
    case .started(_, let ring):
      output.detail(ring.details)
      if let warning = ring.warning { remark(warning) }
    case .progress(let progress):
      line.draw(progress.line(prompt: prompt, isNumbered: isNumbered))
    case .takeEnded(let number, let result):
      if case .success(let recording) = result { detail(recording.details) }
      guard isTriggered else { return }
      remark(recorder.takes.first { $0.number == number }?.remark ?? "Take \(number) failed.")
    case .interrupted(let reason, let error) where reason != .suspended:
      if reconnects { remark(words(for: reason, error)) }
    case .interrupted(_, _):
      remark("The machine was suspended; no frames came meanwhile.")
    case .interruptionEnded(let reason) where reason != .suspended:
      remark("\(recorder.device.name) is back.")
    case .takeStarted(let number, trigger: nil) where number > 1:
      guard let files = recorder.files(ofTake: number) else { return }
      remark("Recording goes on in \(files.clip.name).")
    case .error(let error): remark(error.message)
    default: break
    }
  }

  private func words(for reason: InterruptionReason, _ error: CaptureError?) -> String {
    let name = recorder.device.name
    let goesOn = isTriggered ? "it stands by again" : "recording goes on"
    return switch reason {
    case .unplugged: "\(name) is gone. Plug it in again, and \(goesOn); Ctrl-C ends it."
    case .takenByAnotherProgram: "\(name) was taken by another program. Recording goes on once it is free."
    case .driverError, .silent, .suspended:
      "\(error?.description ?? "\(name) failed.") It is started again; Ctrl-C ends it."
    }
  }

  private func remark(_ text: String) {
    line.clear()
    output.remark(text)
  }

  private func detail(_ text: String) {
    line.clear()
    output.detail(text)
  }
}
