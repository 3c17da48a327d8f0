import Overcrank
import Synchronization

/// The user's action that ended a recording.
final class UserStop: Sendable {
  private let first = Mutex<String?>(nil)

  /// Notes an action of the user; the first counts.
  func note(_ cause: String?) { first.withLock { $0 = $0 ?? cause } }

  /// The user's action, `Enter` or `Ctrl-C`; `nil` if there was none.
  var cause: String? { first.withLock { $0 } }

  /// Returns the error of a recording that the user ended before it had a take; `nil` if the user did not, or if
  /// `failure` has another reason.
  func failure(instead failure: OvercrankError?) -> Failure? {
    guard cause != nil, let failure else { return nil }
    switch failure.code {
    case .noFrames: return Failure(RecordCommand.interruptedEarly, exitCode: ExitStatus.interrupted)
    case .noKeyframe:
      return Failure(
        "Interrupted before a take had a key frame. \(failure.message)", exitCode: ExitStatus.interrupted)
    default: return nil
    }
  }

  /// Returns a remark that the user ended `takes` before `plan` would have, or `nil` if not.
  func words(_ takes: [FinishedTake], _ plan: SessionPlan) -> String? {
    guard let cause, !takes.isEmpty else { return nil }
    guard plan.start == .firstFrame else {
      return plan.takeCount.flatMap { count in
        takes.count < count ? "\(cause) ended the recording after \(takes.count) of \(count) takes." : nil
      }
    }
    if let frames = plan.limit.frames {
      let written = takes.reduce(0) { $0 + $1.take.frames.written }
      return written < frames ? "\(cause) ended the recording after \(written) of \(frames) frames." : nil
    }
    guard let asked = plan.limit.duration else { return nil }
    let recorded = takes.reduce(Duration.zero) { $0 + $1.duration }
    guard recorded < asked else { return nil }
    return "\(cause) ended the recording after \(recorded.inSeconds.decimal(places: 2)) of "
      + "\(asked.inSeconds.decimal(places: 2)) s."
  }
}

extension RecordingLimit {
  /// The limit as text: `3 s`, `480 frames`; empty without a limit.
  var words: String {
    if let duration { return "\(duration.inSeconds.decimal(places: 3)) s" }
    return frames.map { $0 == 1 ? "1 frame" : "\($0) frames" } ?? ""
  }
}

extension FinishedTake {
  /// Returns a remark if no frame arrived at the end of a take that was to last as long as `plan` says.
  func silenceWords(_ plan: SessionPlan) -> String? {
    guard let duration = plan.limit.duration, plan.limit.frames == nil, take.failure == nil,
      take.sizeLimit?.isReached != true, take.interframe?.skipped ?? 0 == 0,
      take.trigger?.extensions.isEmpty != false,
      let first = take.timestamps.first, let last = take.timestamps.last,
      let interval = recording.configuration.frameFormat.nominalInterval
    else { return nil }
    let silence = (take.trigger?.frameTime ?? first) + duration - last
    let usual = interval.wholeNanoseconds
    guard CapturePauses.pause(in: silence.wholeNanoseconds, over: 1, usual: usual) != nil else { return nil }
    return
      "No frame arrived in the last \(silence.inSeconds.decimal(places: 2)) s, so the take is shorter than requested."
  }

  /// The duration of its frames.
  fileprivate var duration: Duration {
    guard let first = take.timestamps.first, let last = take.timestamps.last else { return .zero }
    return max(.zero, last - first) + (recording.configuration.frameFormat.nominalInterval ?? .zero)
  }
}
