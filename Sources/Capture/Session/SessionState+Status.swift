extension SessionState {
  /// The state's part of the session's status; its owner adds the counts.
  var status: SessionStatus {
    var status = SessionStatus(configuration: configurationInForce)
    status.phase = statusPhase
    status.isRunning = isCapturing
    status.takeNumber = takeNumber
    status.held = heldNow
    status.interruption = interruption
    status.interruption?.waitsForResume = isWaitingForResume
    return status
  }

  private var statusPhase: SessionStatus.Phase {
    switch phase {
    case .ended: .ended
    case .reviewing: .reviewing
    case .interrupted: .interrupted
    // Frames are expected, but none has come since the interruption.
    case _ where interruption != nil: .interrupted
    case .recording: .recording
    case .gathering: .gathering
    case .armed:
      if case .end = stopping {
        .ending
      } else if armedAt != nil || isChangingMode {
        .armed
      } else {
        .starting
      }
    }
  }

  /// Whether the mode is changing while the session is armed, so that a trigger waits for the new one.
  private var isChangingMode: Bool { hasStarted && (former != nil || detour != nil) }

  private var heldNow: Duration {
    guard case .gathering(let window) = phase else { return held }
    let from = max(window.start, firstFrame ?? window.start)
    return max(.zero, (clock.newest ?? from) - from)
  }

  /// The window of the gathered or reviewed frames; `nil` if there are none, or if all frames in memory
  /// count.
  var reviewWindow: TakeWindow? {
    switch phase {
    case .gathering(let window): window
    case .reviewing(let window): window
    default: nil
    }
  }

  /// Returns whether `record` is a gathered or reviewed frame.
  func isReviewed(_ record: RingRecord) -> Bool {
    guard isGathering || isReviewing, record.kind == .frame else { return false }
    guard let window = reviewWindow else { return true }
    return !window.isBefore(record.timestamp) && !window.isOver(before: record.timestamp)
  }
}
