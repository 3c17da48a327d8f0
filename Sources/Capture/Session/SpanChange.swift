/// A request for another span of the takes to come, with whoever is told what came of it.
public struct SpanChange: Hashable, Sendable {
  /// What triggers that say nothing else mean from then on.
  public var span: TakeSpan
  /// Who is told what came of it.
  private let listener: OutcomeListener<SpanOutcome>?

  /// A request for `span`.
  ///
  /// - Parameters:
  ///   - span: what triggers that say nothing else mean from then on.
  ///   - answer: is told once what came of it, on the writer's thread or this; must not wait for anything.
  public init(_ span: TakeSpan, answer: (@Sendable (SpanOutcome) -> Void)? = nil) {
    self.span = span
    listener = answer.map(OutcomeListener.init)
  }

  /// Tells whoever waits what came of it.
  func answer(_ outcome: SpanOutcome) { listener?.hear(outcome) }
}

/// What came of a ``SpanChange``.
public enum SpanOutcome: Hashable, Sendable {
  /// The next trigger follows it. Frames that were let go before are not had back: `Take.Trigger.preRollCut`
  /// tells of those that a pre-roll lacks.
  case changed
  /// It needs more memory than the session began with; nothing has changed. Another session can have it.
  case needsMoreMemory
  /// What is in memory belongs to a review by the former span; nothing has changed.
  case refused
  /// The session ended before.
  case sessionEnded
}

extension CaptureSession {
  /// Has triggers that say nothing else take another span from now on, while the stream goes on.
  ///
  /// - Parameter span: how much before and after a trigger belongs to a take, and what becomes of it.
  public func change(to span: TakeSpan) async -> SpanOutcome {
    await withCheckedContinuation { continuation in
      commands.send(.span(SpanChange(span) { continuation.resume(returning: $0) }))
    }
  }
}
