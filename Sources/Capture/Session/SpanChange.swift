/// A request for another span of future takes, with a listener for the outcome.
public struct SpanChange: Hashable, Sendable {
  /// The new default span of triggers.
  public var span: TakeSpan
  /// The listener for the outcome.
  private let listener: OutcomeListener<SpanOutcome>?

  /// Creates a request for `span`.
  ///
  /// - Parameters:
  ///   - span: The new default span of triggers.
  ///   - answer: Called once with the outcome, on the writer's thread or this one; must not block.
  public init(_ span: TakeSpan, answer: (@Sendable (SpanOutcome) -> Void)? = nil) {
    self.span = span
    listener = answer.map(OutcomeListener.init)
  }

  /// Reports the outcome to the listener.
  func answer(_ outcome: SpanOutcome) { listener?.hear(outcome) }
}

/// The outcome of a ``SpanChange``.
public enum SpanOutcome: Hashable, Sendable {
  /// The next trigger uses the new span. Frames that were already discarded are missing from its pre-roll;
  /// see `Take.Trigger.preRollCut`.
  case changed
  /// The span needs more memory than the session allocated; nothing has changed. A new session can use it.
  case needsMoreMemory
  /// The frames in memory belong to a review with the former span; nothing has changed.
  case refused
  /// The session ended before the change.
  case sessionEnded
}

extension CaptureSession {
  /// Changes the default span of triggers, without restarting the stream.
  ///
  /// - Parameter span: The length of a take before and after a trigger, and the use of its frames.
  public func change(to span: TakeSpan) async -> SpanOutcome {
    await withCheckedContinuation { continuation in
      commands.send(.span(SpanChange(span) { continuation.resume(returning: $0) }))
    }
  }
}
