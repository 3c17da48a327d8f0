import Foundation
import Overcrank
import Synchronization

/// The messages to the user during a recording with several cameras.
struct GroupDisplay: Sendable {
  let recorder: GroupRecorder
  private let prompt: String
  private let preRoll: Duration
  private let isTriggered: Bool
  private let isNumbered: Bool
  private let output: OutputOptions
  /// The lines to print once all cameras send frames.
  private let words: [String]
  private let line: ProgressLine
  private let clipLine: ClipProgressLine
  private let state: States

  /// The reports of the cameras so far.
  private final class States: Sendable {
    let status: Mutex<[SessionStatus?]>
    let started = Mutex(0)

    init(_ count: Int) { status = Mutex(Array(repeating: nil, count: count)) }
  }

  /// Creates a display.
  ///
  /// - Parameter words: lines about what the user can do, printed once frames arrive.
  init(_ recorder: GroupRecorder, _ triggers: TriggerOptions, words: [String], _ output: OutputOptions) {
    self.recorder = recorder
    self.output = output
    self.words = words
    prompt = triggers.prompt
    preRoll = triggers.pre ?? .zero
    isTriggered = triggers.isUsed
    isNumbered = triggers.takeCount != 1
    line = ProgressLine(isShown: !output.quiet)
    clipLine = ClipProgressLine(isShown: !output.quiet)
    state = States(recorder.members.count)
  }

  /// Reports the sessions' events until all have ended.
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

  /// Shows the progress of a camera's clip.
  func draw(_ camera: String, _ progress: ClipProgress) { clipLine.draw(progress, of: camera) }

  /// Returns the summary of a camera's take, with its number if there may be several.
  func summary(_ camera: String, _ take: FinishedTake) -> String {
    (isTriggered && isNumbered ? "Take \(take.number), " : "") + "\(camera): "
      + take.take.summary(take.files, clip: take.clip)
  }

  private func tell(_ event: SessionEvent.Kind, from place: Int) {
    let (name, recorder) = (recorder.members[place].name, recorder.members[place].recorder)
    switch event {
    case .started(_, let ring):
      output.detail("\(name): \(ring.details)")
      if let warning = ring.warning { output.remark("\(name): \(warning)") }
      let verb = isTriggered ? "Capturing" : "Recording"
      output.remark("\(verb) \(name): \(recorder.device.name) in \(recorder.mode).")
      let count = state.started.withLock { started in
        started += 1
        return started
      }
      if count == self.recorder.members.count { for text in words { output.remark(text) } }
    case .triggered(let event, .refused) where !event.waitsForFrames:
      output.remark("\(name): the camera was not ready for your input, so no take starts.")
    case .progress(let status):
      let all = state.status.withLock { all in
        all[place] = status
        return all
      }
      line.draw(text(all))
    case .takeEnded(let number, let result):
      if case .success(let recording) = result { output.detail("\(name): \(recording.details)") }
      guard isTriggered, isNumbered else { return }
      let take = recorder.takes.first { $0.number == number }
      output.remark("Take \(number), \(name): \(take.map(\.take.counts) ?? "failed.")")
    case .interrupted(.suspended, _):
      output.remark("\(name): the machine was suspended; no frames arrived meanwhile.")
    case .sceneChanged: output.detail("\(name): the scene has changed.")
    case .lightChanged(let factor):
      output.detail("\(name): the light has changed: the scene is \(MotionText.times(factor)) as bright.")
    case .photo(let still, .failed(let reason), _): output.remark("Still \(still.id): \(reason)")
    case .error(let error): output.remark("\(name): \(error.message)")
    case .ended(let end):
      state.status.withLock { $0[place] = nil }
      guard let failure = end.failure else { return }
      let others = state.status.withLock { $0.count { $0 != nil } }
      if others > 0 { output.remark("\(name): \(failure.message) The other cameras go on.") }
    default: break
    }
  }

  /// Returns one line for all cameras.
  private func text(_ all: [SessionStatus?]) -> String {
    let parts = zip(recorder.members, all).compactMap { member, status in
      status.map { "\(member.name) \($0.shortLine(preRoll: preRoll))" }
    }
    // The first camera, which hears the triggers, starts last.
    let areStarted = state.started.withLock { $0 } == recorder.members.count
    let isWaiting = areStarted && all.compactMap(\.self).allSatisfy { $0.phase == .armed }
    let number = all.compactMap(\.self).map(\.takeNumber).max() ?? 1
    return (isNumbered ? "take \(number)  " : "") + parts.joined(separator: "   ")
      + (isWaiting && !prompt.isEmpty ? ", \(prompt)" : "")
  }
}

extension TakeGroup {
  /// Returns where the cameras' frames lie, for people.
  func summary(_ path: FilePath) -> String {
    var lines = cameras.dropFirst().map { camera in
      let offset = camera.offset / .milliseconds(1)
      let bound =
        camera.uncertainty.map { ", give or take \(Self.milliseconds($0 / .milliseconds(1)))" } ?? ""
      return
        "\(camera.name) begins \(Self.milliseconds(offset.magnitude)) \(offset < 0 ? "before" : "after") "
        + "\(cameras.first?.name ?? "A")\(bound)."
    }
    lines.append("\(path): the cameras' frames on one clock.")
    return lines.joined(separator: "\n")
  }

  private static func milliseconds(_ value: Double) -> String {
    value == 0 ? "0 ms" : value < 10 ? String(format: "%.3f ms", value) : String(format: "%.1f ms", value)
  }
}
